// Edits of a list of keyframes. Each takes a list and gives a new one; nothing is changed in place.
// Lists stay sorted, and keyframes stay a least distance apart, so that none can overtake another.

import { placeOf, parseAt, parseEasing, printAt, printBezier, handlesOf } from "./keyframe-text.js";

/**
 * @typedef {{ at: string, speed: number, easing?: string }} Keyframe
 *     `at` is "0.4", "40%" or "6s"; `easing` says how it is joined to the next, "smooth" if missing
 */

/** Speeds nearer to 0 than this are meant to be 0. */
export const LEAST_SPEED = 0.01;
export const LARGEST_SPEED = 1000;
/** An easing's handle goes no further than this beyond the two speeds. */
const OVERSHOOT = 1;

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** The places of all keyframes on [0,1]; one that can't be read lies at 0. */
export const placesOf = (keyframes, duration) =>
    keyframes.map(({ at }) => placeOf(at, duration) ?? 0);

/** How near two keyframes may come, on [0,1]: a frame, but never so little that text can't tell. */
export function leastDistance(duration, frameRate) {
    const frame = 1 / (frameRate > 0 ? frameRate : 30);
    return duration > 0 ? Math.min(0.02, Math.max(1e-6, frame / duration)) : 0.001;
}

/** A speed with three digits that say something, and 0 for next to nothing. */
export function roundSpeed(speed) {
    const limited = clamp(speed, -LARGEST_SPEED, LARGEST_SPEED);
    if (Math.abs(limited) < LEAST_SPEED) return 0;
    return Number(limited.toFixed(clamp(2 - Math.floor(Math.log10(Math.abs(limited))), 0, 3)));
}

/** Sorted by place; of two at one place the first stays first. */
export function sorted(keyframes, duration) {
    return keyframes.map((keyframe) => ({ keyframe, place: placeOf(keyframe.at, duration) ?? 0 }))
        .sort((a, b) => a.place - b.place).map(({ keyframe }) => keyframe);
}

/** Between which places a keyframe can move, its neighbours staying where they are. */
export function freedom(keyframes, index, { duration, least }) {
    const places = placesOf(keyframes, duration);
    const low = index > 0 ? places[index - 1] + least : 0;
    const high = index + 1 < places.length ? places[index + 1] - least : 1;
    return low <= high ? [low, high] : [places[index], places[index]];
}

const replaced = (keyframes, index, change) =>
    keyframes.map((keyframe, i) => (i === index ? { ...keyframe, ...change } : keyframe));

/**
 * Moves a keyframe; its instant keeps its unit.
 *
 * @param {Keyframe[]} keyframes
 * @param {number} index
 * @param {{ place?: number, speed?: number }} to
 * @param {{ duration: number, least: number }} axis
 */
export function moved(keyframes, index, { place, speed }, axis) {
    const change = {};
    if (place !== undefined) {
        const [low, high] = freedom(keyframes, index, axis);
        const unit = parseAt(keyframes[index].at)?.unit ?? "percent";
        change.at = printAt(clamp(place, low, high), unit, axis.duration);
    }
    if (speed !== undefined) change.speed = roundSpeed(speed);
    return replaced(keyframes, index, change);
}

/**
 * Puts a keyframe anywhere, also beyond its neighbours.
 *
 * @returns {{ keyframes: Keyframe[], index: number } | null} null where another is in the way
 */
export function placed(keyframes, index, place, { duration, least }) {
    const places = placesOf(keyframes, duration);
    const isTaken = places.some((other, i) => i !== index && Math.abs(other - place) < least - 1e-9);
    if (isTaken) return null;
    const unit = parseAt(keyframes[index].at)?.unit ?? "percent";
    const at = printAt(clamp(place, 0, 1), unit, duration);
    const list = sorted(replaced(keyframes, index, { at }), duration);
    return { keyframes: list, index: places.filter((other, i) => i !== index && other < place).length };
}

/**
 * Adds a keyframe where there is room, written in the unit of its neighbour.
 *
 * @param {Keyframe[]} keyframes
 * @param {{ place: number, speed: number }} keyframe `speed`: that of the curve there, so that its
 *     shape stays
 * @returns {{ keyframes: Keyframe[], index: number } | null} null where there is no room
 */
export function added(keyframes, { place, speed }, { duration, least }) {
    const places = placesOf(keyframes, duration);
    const index = places.filter((other) => other <= place).length;
    const low = index > 0 ? places[index - 1] + least : 0;
    const high = index < places.length ? places[index] - least : 1;
    if (low > high) return null;
    const neighbour = keyframes[Math.max(0, index - 1)];
    const unit = (neighbour && parseAt(neighbour.at)?.unit) ?? "percent";
    const at = printAt(clamp(place, low, high), unit, duration);
    // The first half keeps its easing; the second can't have the same Bézier handles once more.
    const kind = neighbour ? parseEasing(neighbour.easing)?.kind : "smooth";
    const easing = kind === "bezier" || !kind ? "smooth" : kind;
    const keyframe = { at, speed: roundSpeed(speed), easing };
    return { keyframes: [...keyframes.slice(0, index), keyframe, ...keyframes.slice(index)], index };
}

/** Where "add" puts a keyframe if nobody says where: in the middle of the widest gap. */
export function widestGap(keyframes, duration) {
    const places = [0, ...placesOf(keyframes, duration), 1];
    let best = 1;
    for (let i = 1; i < places.length; i += 1) {
        if (places[i] - places[i - 1] > places[best] - places[best - 1] + 1e-9) best = i;
    }
    return (places[best - 1] + places[best]) / 2;
}

/** Without one keyframe; the same list where only two are left. */
export function deleted(keyframes, index) {
    return keyframes.length <= 2 ? keyframes : keyframes.filter((_, i) => i !== index);
}

/** How far an arrow key moves a speed: finely where it is slow, to round numbers. */
export function speedStep(speed, isCoarse) {
    const size = Math.abs(speed);
    const fine = size < 2 ? 0.05 : size < 8 ? 0.1 : 0.5;
    return isCoarse ? 10 * fine : fine;
}

/**
 * Moves a keyframe by steps.
 *
 * @param {{ frames?: number, speed?: number }} by frames to the right, steps of speed upwards
 * @param {{ duration: number, least: number, frame: number }} axis `frame`: its length on [0,1]
 */
export function nudged(keyframes, index, { frames = 0, speed = 0 }, isCoarse, axis) {
    const to = {};
    if (frames !== 0) {
        const step = isCoarse ? Math.max(10 * axis.frame, 0.01) : axis.frame;
        to.place = (placeOf(keyframes[index].at, axis.duration) ?? 0) + frames * step;
    }
    if (speed !== 0) {
        const old = keyframes[index].speed;
        const step = speedStep(old, isCoarse);
        to.speed = Math.round((old + speed * step) / (step / 10)) * (step / 10);
        // Arrow keys stop at a freeze, and at normal speed; the next press goes on from there.
        for (const stop of [0, 1]) {
            if ((old - stop) * (to.speed - stop) < 0) to.speed = stop;
        }
    }
    return moved(keyframes, index, to, axis);
}

/** Another easing to the next keyframe, such as "hold"; "bezier" begins with what is there. */
export function eased(keyframes, index, easing) {
    const old = keyframes[index].easing;
    const text = easing === "bezier" ? printBezier(handlesOf(old) ?? [1 / 3, 1 / 3, 2 / 3, 2 / 3]) : easing;
    return replaced(keyframes, index, { easing: text });
}

/**
 * Moves one of the two handles of a keyframe's easing, which thereby becomes a Bézier curve.
 *
 * @param {0 | 1} which
 * @param {{ x?: number, y?: number }} to shares of the way to the next keyframe, in time and in speed
 */
export function handleMoved(keyframes, index, which, { x, y }) {
    const handles = [...(handlesOf(keyframes[index].easing) ?? [0, 0, 1, 1])];
    if (x !== undefined) handles[2 * which] = clamp(x, 0, 1);
    if (y !== undefined) handles[2 * which + 1] = clamp(y, -OVERSHOOT, 1 + OVERSHOOT);
    return replaced(keyframes, index, { easing: printBezier(handles) });
}

/**
 * The same curve from its end to its start: what "flip" does, as an edit.
 *
 * @param {number} duration of the axis, in seconds
 */
export function mirrored(keyframes, duration) {
    const last = keyframes.length - 1;
    return keyframes.map((_, i) => {
        const { at, speed } = keyframes[last - i];
        const unit = parseAt(at)?.unit ?? "percent";
        // What joined a pair from left to right joins it from right to left.
        const easing = i < last ? keyframes[last - i - 1].easing : keyframes[last].easing;
        const parsed = parseEasing(easing);
        return {
            at: printAt(1 - (placeOf(at, duration) ?? 0), unit, duration), speed,
            easing: parsed?.kind === "bezier" ? printBezier(turned(parsed.handles)) : easing ?? "smooth",
        };
    });
}

const turned = ([x1, y1, x2, y2]) => [1 - x2, 1 - y2, 1 - x1, 1 - y1];
