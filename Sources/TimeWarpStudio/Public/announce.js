// What screen readers are told.

import { byId } from "./dom.js";

/** Milliseconds in which only the last of several messages is said. */
const PAUSE = 120;

let timer = 0;

/**
 * Says a sentence, after what is being said.
 * @param {string} text
 */
export function announce(text) {
    clearTimeout(timer);
    timer = setTimeout(() => {
        const live = byId("live");
        // The same words twice are two messages.
        live.textContent = live.textContent === text ? `${text}\u00a0` : text;
    }, PAUSE);
}

/**
 * Tells of something that goes on, every tenth of it at most.
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
