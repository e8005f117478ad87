// The page's state, stored at the server so that it survives a reload and a change of the port.

import { api } from "./api.js";
import { mendedDraft } from "./render-request.js";

/** The state is stored after this many milliseconds without a change. */
const PAUSE = 400;
const VIEWS = ["scale", "speed", "time"];

/**
 * The stored state with defaults for missing fields; null if nothing was stored.
 * @param {any} kept
 */
export function mendedDesk(kept) {
    if (typeof kept !== "object" || kept === null) return null;
    return {
        draft: mendedDraft(kept.draft),
        view: VIEWS.includes(kept.view) ? kept.view : "scale",
        snap: kept.snap !== false,
        beats: typeof kept.beats === "string" ? kept.beats : "none",
        result: typeof kept.result === "string" ? kept.result : null,
        loop: kept.loop === true,
        isMuted: kept.isMuted === true,
    };
}

/**
 * @param {() => object} state
 * @returns {() => void} call this after the state has changed
 */
export function createDeskKeeper(state) {
    let timer = 0, kept = "";
    const keep = (isLast) => {
        clearTimeout(timer);
        timer = 0;
        const desk = state();
        const text = JSON.stringify(desk);
        if (text === kept) return;
        kept = text;
        api.keepDesk(desk, isLast);
    };
    addEventListener("pagehide", () => timer && keep(true));
    document.addEventListener("visibilitychange", () => document.hidden && timer && keep(true));
    return () => {
        clearTimeout(timer);
        timer = setTimeout(() => keep(false), PAUSE);
    };
}
