// The page's state, stored at the server so that it survives a reload and a change of the port.

import { api } from "../../shared/api.js";
import { mendedDraft } from "./draft.js";

/** The state is stored after this many milliseconds without a change. */
const PAUSE = 400;
/** What couldn't be stored is stored again after this many milliseconds. */
const RETRY = 5000;
const VIEWS = ["speed", "scale", "time"];

/**
 * The stored state with defaults for missing fields; null if nothing was stored.
 * @param {any} kept
 */
export function mendedSession(kept) {
    if (typeof kept !== "object" || kept === null) return null;
    return {
        draft: mendedDraft(kept.draft),
        edit: typeof kept.edit === "string" ? kept.edit : null,
        view: VIEWS.includes(kept.view) ? kept.view : "speed",
        snap: kept.snap !== false,
        beats: typeof kept.beats === "string" ? kept.beats : "none",
        result: typeof kept.result === "string" ? kept.result : null,
        loop: kept.loop === true,
        isMuted: kept.isMuted === true,
    };
}

/** Where the browser keeps what this tab was at, with its undo steps: other tabs don't overwrite it. */
const TAB = "timewarp:studio";

/** @typedef {{ session: object, past: Draft[], future: Draft[] }} Tab */
/** @typedef {import("../types").Draft} Draft */

/** @returns {Tab | null} what this tab was at before it was reloaded or showed another page; null if it is new */
export function tabBefore() {
    const kept = JSON.parse(sessionStorage.getItem(TAB) ?? "null");
    if (!Array.isArray(kept?.past) || !Array.isArray(kept.future)) return null;
    /** @type {(list: Draft[]) => Draft[]} */
    const mended = (list) => list.map((each) => ({ ...mendedDraft(each), edit: each.edit }));
    return { session: kept.session, past: mended(kept.past), future: mended(kept.future) };
}

function keepTab(/** @type {Tab} */ tab) {
    try {
        sessionStorage.setItem(TAB, JSON.stringify(tab));
    } catch {
        // The steps are more than the browser keeps.
        sessionStorage.setItem(TAB, JSON.stringify({ ...tab, past: [], future: [] }));
    }
}

/**
 * Stores the state a moment after it has changed, and the tab's when it is left.
 * @param {() => Tab} now
 * @returns {() => void} call this after the state has changed
 */
export function createSessionKeeper(now) {
    const state = () => now().session;
    let timer = 0, kept = "", isSending = false;
    const later = (/** @type {number} */ pause) => {
        clearTimeout(timer);
        timer = setTimeout(() => keep(), pause);
    };
    const keep = async (isLast = false) => {
        clearTimeout(timer);
        timer = 0;
        const session = state();
        const text = JSON.stringify(session);
        if (text === kept) return;
        if (isSending && !isLast) {
            later(PAUSE);
            return;
        }
        isSending = true;
        const answer = await api.keepSession(session, isLast);
        isSending = false;
        if (answer.ok) kept = text;
        // Without the server, or on a full disk, it is tried again.
        else if (timer === 0) later(RETRY);
    };
    addEventListener("pagehide", () => {
        keepTab(now());
        if (timer) keep(true);
    });
    document.addEventListener("visibilitychange", () => document.hidden && timer && keep(true));
    return () => later(PAUSE);
}
