// Announcements for screen readers.

import { byId } from "./dom.js";

/** Of several messages within this many milliseconds, only the last is announced. */
const PAUSE = 120;

let timer = 0;

/**
 * Announces a sentence after the one that is being read.
 * @param {string} text
 */
export function announce(text) {
    clearTimeout(timer);
    timer = setTimeout(() => {
        const live = byId("live");
        // A changed text makes screen readers announce the same sentence a second time.
        live.textContent = live.textContent === text ? `${text}\u00a0` : text;
    }, PAUSE);
}

/**
 * Announces progress, at most once for each tenth.
 * @param {(tenths: number) => string} sentence
 * @returns {(fraction: number) => void}
 */
export function announceProgress(sentence) {
    let said = 0;
    return (fraction) => {
        const tenths = Math.floor(fraction * 10);
        if (tenths <= said) return;
        said = tenths;
        announce(sentence(tenths));
    };
}
