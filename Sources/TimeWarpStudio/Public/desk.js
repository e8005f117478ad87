// The working state, kept at the server: it is there again after a reload, and on another port.

import { api } from "./api.js";
import { mendedDraft } from "./order.js";

/** Milliseconds without a change before it is kept. */
const PAUSE = 400;
const VIEWS = ["scale", "speed", "time"];

/**
 * What was kept, made whole; null if nothing was.
 * @param {any} kept
 */
export function mendedDesk(kept) {
    if (typeof kept !== "object" || kept === null) return null;
    return {
        draft: mendedDraft(kept.draft),
        view: VIEWS.includes(kept.view) ? kept.view : "scale",
        snap: kept.snap !== false,
        result: typeof kept.result === "string" ? kept.result : null,
        loop: kept.loop === true,
        isMuted: kept.isMuted === true,
    };
}

/**
 * @param {() => object} state
 * @returns {() => void} to be called when the state has changed
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
