// Edits of a list of keyframes. Each function returns a new list; nothing is changed in place. Lists
// stay sorted, and keyframes keep a least distance, so that dragging one can't move it past another.

import { divided } from "./easing-curve.js";
import {
    LINEAR_HANDLES, placeOf, parseAt, parseEasing, printAt, printBezier, handlesOf,
} from "./keyframe-text.js";
import { clamped } from "../../shared/numbers.js";

/**
 * @typedef {import("../types").Keyframe} Keyframe
 * @typedef {import("./types").Axis} Axis
 * @typedef {import("./types").Edited} Edited
 */

/** Speeds nearer to 0 than this are rounded to 0. */
export const LEAST_SPEED = 0.01;
export const LARGEST_SPEED = 1000;
/** How far an easing's handle may go beyond the two speeds, as a share of their difference. */
const OVERSHOOT = 1;

/** @type {(list: Keyframe[], duration: number) => number[]} all places on [0,1]; 0 for one that can't be read */
export const placesOf = (keyframes, duration) =>
    keyframes.map(({ at }) => placeOf(at, duration) ?? 0);

/** The least distance of two keyframes on [0,1]: a frame, but not less than the printed text can show. */
export function leastDistance(/** @type {number} */ duration, /** @type {number} */ frameRate) {
    const frame = 1 / (frameRate > 0 ? frameRate : 30);
    return duration > 0 ? clamped(frame / duration, 1e-6, 0.02) : 0.001;
}

/** A speed rounded to three significant digits, or to 0 if it is almost 0. */
export function roundSpeed(/** @type {number} */ speed) {
    const limited = clamped(speed, -LARGEST_SPEED, LARGEST_SPEED);
    if (Math.abs(limited) < LEAST_SPEED) return 0;
    return Number(limited.toFixed(clamped(2 - Math.floor(Math.log10(Math.abs(limited))), 0, 3)));
}

/** @type {(list: Keyframe[], duration: number) => Keyframe[]} sorted by place; at the same place the order is kept */
export function sorted(keyframes, duration) {
    return keyframes.map((keyframe) => ({ keyframe, place: placeOf(keyframe.at, duration) ?? 0 }))
        .sort((a, b) => a.place - b.place).map(({ keyframe }) => keyframe);
}

/** @type {(list: Keyframe[], index: number, axis: Axis) => [number, number]} the places between its neighbours */
export function freedom(keyframes, index, { duration, least }) {
    const places = placesOf(keyframes, duration);
    const low = index > 0 ? places[index - 1] + least : 0;
    const high = index + 1 < places.length ? places[index + 1] - least : 1;
    return low <= high ? [low, high] : [places[index], places[index]];
}

/** @type {(keyframes: Keyframe[], index: number, change: Partial<Keyframe>) => Keyframe[]} */
const replaced = (keyframes, index, change) =>
    keyframes.map((keyframe, i) => (i === index ? { ...keyframe, ...change } : keyframe));

/**
 * Moves a keyframe. Its place keeps its unit.
 *
 * @param {Keyframe[]} keyframes
 * @param {number} index
 * @param {{ place?: number, speed?: number }} to
 * @param {Axis} axis
 */
export function moved(keyframes, index, { place, speed }, axis) {
    /** @type {Partial<Keyframe>} */
    const change = {};
    if (place !== undefined) {
        const [low, high] = freedom(keyframes, index, axis);
        const unit = parseAt(keyframes[index].at)?.unit ?? "percent";
        change.at = printAt(clamped(place, low, high), unit, axis.duration);
    }
    if (speed !== undefined) change.speed = roundSpeed(speed);
    return replaced(keyframes, index, change);
}

/**
 * Sets a place or speed that was computed, without rounding it to what hands can set.
 * @type {(list: Keyframe[], index: number, to: { place?: number, speed?: number }, duration: number) => Keyframe[]}
 */
export function exactlyPlaced(keyframes, index, { place, speed }, duration) {
    /** @type {Partial<Keyframe>} */
    const change = {};
    if (place !== undefined) {
        const unit = parseAt(keyframes[index].at)?.unit ?? "percent";
        change.at = printAt(place, unit, duration);
    }
    if (speed !== undefined) change.speed = Number(speed.toPrecision(12));
    return replaced(keyframes, index, change);
}

/**
 * Moves a keyframe to any place, also past its neighbours.
 *
 * @param {Keyframe[]} keyframes
 * @param {number} index
 * @param {number} place
 * @param {Axis} axis
 * @param {import("./keyframe-text.js").Unit} [unit] in which it is written
 * @returns {Edited | null} null if the place is taken
 */
export function placed(keyframes, index, place, { duration, least }, unit = parseAt(keyframes[index].at)?.unit ?? "percent") {
    const places = placesOf(keyframes, duration);
    const isTaken = places.some((other, i) => i !== index && Math.abs(other - place) < least - 1e-9);
    if (isTaken) return null;
    const at = printAt(clamped(place, 0, 1), unit, duration);
    const list = sorted(replaced(keyframes, index, { at }), duration);
    return { keyframes: list, index: places.filter((other, i) => i !== index && other < place).length };
}

/**
 * Adds a keyframe if there is room. Its place is written in the unit of its neighbour.
 *
 * @param {Keyframe[]} keyframes
 * @param {{ place: number, speed: number }} keyframe `speed`: the curve's speed at that place, so that
 *     the curve keeps its shape
 * @param {Axis} axis
 * @returns {Edited | null} null if there is no room
 */
export function added(keyframes, { place, speed }, { duration, least }) {
    const places = placesOf(keyframes, duration);
    const index = places.filter((other) => other <= place).length;
    const low = index > 0 ? places[index - 1] + least : 0;
    const high = index < places.length ? places[index] - least : 1;
    if (low > high) return null;
    const neighbour = keyframes[Math.max(0, index - 1)];
    const unit = (neighbour && parseAt(neighbour.at)?.unit) ?? "percent";
    const at = printAt(clamped(place, low, high), unit, duration);
    const keyframe = { at, speed: roundSpeed(speed), easing: "smooth" };
    if (index === 0) return { keyframes: [keyframe, ...keyframes], index };
    const [first, second] = halved(keyframes.slice(index - 1, index + 1), keyframe, places[index - 1],
        places[index], placeOf(at, duration) ?? 0);
    return {
        keyframes: [...keyframes.slice(0, index - 1), first, second, ...keyframes.slice(index)], index,
    };
}

/**
 * A keyframe and the one that is added after it, with the easings that keep the curve's shape.
 * @type {(ends: Keyframe[], keyframe: Keyframe, start: number, end: number, at: number) => Keyframe[]}
 */
function halved([from, to], keyframe, start, end, at) {
    if (!to || !handlesOf(from.easing)) return [from, { ...keyframe, easing: from.easing ?? "smooth" }];
    const { y, easings: [first, second] } = divided(from.easing, (at - start) / (end - start));
    const share = (keyframe.speed - from.speed) / (to.speed - from.speed);
    // The curve has another speed there, or a half keeps its speed.
    if (!(Math.abs(share - y) < 0.02) || share < 0.02 || share > 0.98) return [from, keyframe];
    return [{ ...from, easing: first }, { ...keyframe, easing: second }];
}

/** @type {(list: Keyframe[], duration: number) => number} where a keyframe is added: amid the widest gap */
export function widestGap(keyframes, duration) {
    const places = [0, ...placesOf(keyframes, duration), 1];
    let best = 1;
    for (let i = 1; i < places.length; i += 1) {
        if (places[i] - places[i - 1] > places[best] - places[best - 1] + 1e-9) best = i;
    }
    return (places[best - 1] + places[best]) / 2;
}

/** @type {(list: Keyframe[], index: number) => Keyframe[]} without one keyframe; the same list if only two are left */
export function deleted(keyframes, index) {
    return keyframes.length <= 2 ? keyframes : keyframes.filter((_, i) => i !== index);
}

/** @type {(speed: number, isCoarse: boolean) => number} how much an arrow key changes a speed: less at slow speeds */
export function speedStep(speed, isCoarse) {
    const size = Math.abs(speed);
    const fine = size < 2 ? 0.05 : size < 8 ? 0.1 : 0.5;
    return isCoarse ? 10 * fine : fine;
}

/**
 * Moves a keyframe by steps.
 *
 * @param {Keyframe[]} keyframes
 * @param {number} index
 * @param {{ frames?: number, speed?: number }} by frames to the right, steps of speed upwards
 * @param {boolean} isCoarse
 * @param {Axis & { frame: number }} axis `frame`: its length on [0,1]
 */
export function nudged(keyframes, index, { frames = 0, speed = 0 }, isCoarse, axis) {
    /** @type {{ place?: number, speed?: number }} */
    const to = {};
    if (frames !== 0) {
        const step = isCoarse ? Math.max(10 * axis.frame, 0.01) : axis.frame;
        to.place = (placeOf(keyframes[index].at, axis.duration) ?? 0) + frames * step;
    }
    if (speed !== 0) {
        const old = keyframes[index].speed;
        const step = speedStep(old, isCoarse);
        to.speed = Math.round((old + speed * step) / (step / 10)) * (step / 10);
        // Arrow keys stop at a freeze and at normal speed; the next key press continues from there.
        for (const stop of [0, 1]) {
            if ((old - stop) * (to.speed - stop) < 0) to.speed = stop;
        }
    }
    return moved(keyframes, index, to, axis);
}

/**
 * Sets the easing to the next keyframe, such as "hold"; "bezier" starts with the present handles.
 * @type {(keyframes: Keyframe[], index: number, easing: string) => Keyframe[]}
 */
export function eased(keyframes, index, easing) {
    const old = keyframes[index].easing;
    const text = easing === "bezier" ? printBezier(handlesOf(old) ?? LINEAR_HANDLES) : easing;
    return replaced(keyframes, index, { easing: text });
}

/**
 * Moves one of the two handles of a keyframe's easing, which becomes a Bézier curve.
 *
 * @param {Keyframe[]} keyframes
 * @param {number} index
 * @param {number} which
 * @param {{ x?: number, y?: number }} to shares of the way to the next keyframe, in time and in speed
 */
export function handleMoved(keyframes, index, which, { x, y }) {
    const handles = [...(handlesOf(keyframes[index].easing) ?? [0, 0, 1, 1])];
    if (x !== undefined) handles[2 * which] = clamped(x, 0, 1);
    if (y !== undefined) handles[2 * which + 1] = clamped(y, -OVERSHOOT, 1 + OVERSHOOT);
    return replaced(keyframes, index, { easing: printBezier(handles) });
}

/**
 * The keyframes of the mirrored curve: what "flip" does, as an edit.
 *
 * @param {Keyframe[]} keyframes
 * @param {number} duration of the axis, in seconds
 */
export function mirrored(keyframes, duration) {
    const last = keyframes.length - 1;
    return keyframes.map((_, i) => {
        const { at, speed } = keyframes[last - i];
        const unit = parseAt(at)?.unit ?? "percent";
        // The easing between two keyframes stays between the same two.
        const easing = i < last ? keyframes[last - i - 1].easing : keyframes[last].easing;
        const parsed = parseEasing(easing);
        return {
            at: printAt(1 - (placeOf(at, duration) ?? 0), unit, duration), speed,
            easing: parsed?.handles ? printBezier(turned(parsed.handles)) : easing ?? "smooth",
        };
    });
}

/** The handles of an easing that is played from its end. */
export const turned = (/** @type {number[]} */ [x1, y1, x2, y2]) => [1 - x2, 1 - y2, 1 - x1, 1 - y1];
