// Finds the Bézier easing that follows a piece of a curve.

import { integralAlong, pointOn } from "./bezier.js";

/** @typedef {{ x: number, y: number }} Share of a piece's time and of its rise */

/** In how many steps an easing is looked at, and a handle's length is tried. */
const STEPS = 32, TRIES = 24;

/**
 * The easing that leaves and arrives with given slopes, takes as long as the piece, and is nearest to it.
 *
 * @param {{ at: number, speed: number }[]} points of the piece, in order; its speed changes
 * @param {number[]} slopes of the speed at both ends
 * @param {"source" | "output"} over what `at` counts
 * @returns {{ handles: number[], worst: number, at: number }} `worst`: how far it is from the piece, as a
 *     share of the rise; `at`: the index of the point where
 */
export function easingOf(points, slopes, over) {
    const start = points[0], end = points[points.length - 1];
    const span = end.at - start.at, rise = end.speed - start.speed;
    const shares = points.map(({ at, speed }) => ({ x: (at - start.at) / span, y: (speed - start.speed) / rise }));
    const [first, second] = slopes.map((slope) => Math.atan2(slope * span / rise, 1));
    const weight = (/** @type {number} */ y) => {
        const speed = start.speed + y * rise;
        return over === "output" ? speed : 1 / speed;
    };
    const isTimed = over === "output" || start.speed * end.speed > 0;
    const wanted = sumOf(shares, weight);
    /** @type {(a: number, b: number) => number[]} */
    const handlesOf = (a, b) => [
        a * Math.cos(first), a * Math.sin(first), 1 - b * Math.cos(second), 1 - b * Math.sin(second)];
    const late = (/** @type {number} */ a, /** @type {number} */ b) =>
        integralAlong(handlesOf(a, b), weight, STEPS) - wanted;
    let best = { handles: handlesOf(0, 0), a: 0, worst: Infinity, at: 0 };
    const look = (/** @type {number} */ a, /** @type {number} */ b) => {
        const handles = handlesOf(a, b);
        const away = distance(shares, handles);
        if (away.worst < best.worst) best = { handles, a, ...away };
    };
    const [longest, farthest] = [longestHandle(first), longestHandle(second)];
    const tryAll = (/** @type {number} */ low, /** @type {number} */ high) => {
        for (let i = 0; i <= TRIES; i += 1) {
            const a = low + (high - low) * i / TRIES;
            if (isTimed) for (const b of roots((each) => late(a, each), farthest)) look(a, b);
            else for (let k = 0; k <= TRIES; k += 1) look(a, farthest * k / TRIES);
        }
    };
    tryAll(0, longest);
    // No easing with these slopes takes that time: the caller divides the piece.
    if (best.worst === Infinity) look(longest / 3, farthest / 3);
    else if (isTimed) tryAll(Math.max(0, best.a - longest / TRIES), Math.min(longest, best.a + longest / TRIES));
    return best;
}

/** How long a handle may be: it stays within the piece's time, and near its speeds. */
const longestHandle = (/** @type {number} */ angle) =>
    1 / Math.max(Math.cos(angle), Math.abs(Math.sin(angle)) / 1.5, 1e-9);

/** Points of a Bézier easing. */
const pathOf = (/** @type {number[]} */ handles) =>
    Array.from({ length: STEPS + 1 }, (_, step) => pointOn(handles, step / STEPS));

/**
 * The integral over x of a weight of y along straight lines between shares of a piece.
 * @type {(shares: Share[], weight: (y: number) => number) => number}
 */
function sumOf(shares, weight) {
    let sum = 0;
    for (let i = 1; i < shares.length; i += 1) {
        const [a, b] = [shares[i - 1], shares[i]];
        sum += (b.x - a.x) * (weight(a.y) + 4 * weight((a.y + b.y) / 2) + weight(b.y)) / 6;
    }
    return sum;
}

/** @type {(f: (x: number) => number, high: number) => number[]} the places from 0 to `high` where a function is 0 */
function roots(f, high) {
    const found = [];
    let [before, value] = [0, f(0)];
    for (let i = 1; i <= TRIES; i += 1) {
        const here = high * i / TRIES, next = f(here);
        if (value * next <= 0 && value !== next) found.push(root(f, before, here, value));
        [before, value] = [here, next];
    }
    return found;
}

/** @type {(f: (x: number) => number, low: number, high: number, atLow: number) => number} */
function root(f, low, high, atLow) {
    for (let i = 0; i < 24; i += 1) {
        const middle = (low + high) / 2;
        if (f(middle) * atLow > 0) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}

/** @type {(shares: Share[], handles: number[]) => { worst: number, at: number }} how far an easing is from a piece */
function distance(shares, handles) {
    const path = pathOf(handles);
    let worst = 0, at = 0, step = 0;
    shares.forEach(({ x, y }, index) => {
        while (step + 2 < path.length && path[step + 1].x < x) step += 1;
        const [a, b] = [path[step], path[step + 1]];
        const share = b.x > a.x ? Math.min(1, Math.max(0, (x - a.x) / (b.x - a.x))) : 0;
        const off = Math.abs(a.y + share * (b.y - a.y) - y);
        if (off > worst) [worst, at] = [off, index];
    });
    return { worst, at };
}
