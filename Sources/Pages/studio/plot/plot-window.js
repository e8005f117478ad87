// The part of the horizontal axis that the plot shows: zooming and scrolling. All functions are pure.

/** @typedef {import("./types").Part} Part in seconds of the axis */

/** The fewest frames that the plot shows, and the shortest part without frames, in seconds. */
const FEWEST_FRAMES = 4;
const SHORTEST = 0.05;

/** @type {(length: number, frameRate?: number | null) => number} the shortest part that can be shown of an axis */
export const shortest = (length, frameRate) =>
    Math.min(length, frameRate ? FEWEST_FRAMES / frameRate : SHORTEST);

/** @type {(part: Part | null, length: number) => Part | null} moves a part into an axis; null for the whole axis */
export function fitted(part, length) {
    if (!part || !(length > 0)) return null;
    const span = Math.min(part.to - part.from, length);
    if (!(span > 0) || span >= length * (1 - 1e-9)) return null;
    const from = Math.max(0, Math.min(length - span, part.from));
    return { from, to: from + span };
}

/**
 * Zooms in or out around a place, which stays where it is on the screen.
 *
 * @param {Part | null} part null shows the whole axis
 * @param {number} factor above 1 zooms in
 * @param {{ at: number, length: number, least: number }} axis `at`: the place; `least`: the shortest part
 */
export function zoomed(part, factor, { at, length, least }) {
    const { from, to } = part ?? { from: 0, to: length };
    const span = Math.max(least, (to - from) / factor);
    const share = Math.max(0, Math.min(1, (at - from) / (to - from)));
    return fitted({ from: at - share * span, to: at + (1 - share) * span }, length);
}

/** @type {(part: Part | null, by: number, length: number) => Part | null} scrolls by some seconds */
export const scrolled = (part, by, length) =>
    part && fitted({ from: part.from + by, to: part.to + by }, length);

/**
 * The part that has a place in it: the same, or one that begins shortly before the place.
 * @type {(part: Part | null, at: number, length: number) => Part | null}
 */
export function showing(part, at, length) {
    if (!part || (at >= part.from && at <= part.to)) return part;
    const span = part.to - part.from;
    return fitted({ from: at - 0.1 * span, to: at + 0.9 * span }, length);
}

/** @type {typeof showing} the part centred on a place unless the place is in it already */
export function centredOn(part, at, length) {
    if (!part || (at >= part.from && at <= part.to)) return part;
    const half = (part.to - part.from) / 2;
    return fitted({ from: at - half, to: at + half }, length);
}
