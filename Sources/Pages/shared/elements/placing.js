// Where what floats above the page is placed.

import { clamped } from "../numbers.js";

/** Distance from the edges of the window, in pixels. */
export const MARGIN = 8;

/** @type {(element: HTMLElement, x: number, y: number) => void} places its corner there, or as near as the window has room */
export function placeInWindow({ style, offsetWidth, offsetHeight }, x, y) {
    style.left = `${clamped(x, MARGIN, Math.max(MARGIN, innerWidth - offsetWidth - MARGIN))}px`;
    style.top = `${clamped(y, MARGIN, Math.max(MARGIN, innerHeight - offsetHeight - MARGIN))}px`;
}
