// When keyframes are shown: the output time of a keyframe, and the speed that shows it at another time. A drag needs it
// within a frame, so it is the one thing about curves that the page computes itself.

import { LARGEST_SPEED, LEAST_SPEED, placesOf } from "./keyframe-edits.js";
import { alongSource } from "./easing-curve.js";
import { parseEasing } from "./keyframe-text.js";

/** Into how many intervals the speeds are divided, and how often one is halved: more precisely than is written. */
const SPEEDS = 40, HALVINGS = 30;

/** @typedef {import("./types").Keyframe} Keyframe */

/**
 * When a keyframe is shown, in seconds of the output, if the keyframes' axis is the source.
 *
 * @param {Keyframe[]} keyframes in order; all speeds above 0
 * @param {number} index
 * @param {number} duration of the source in seconds
 */
export function shownAt(keyframes, index, duration) {
    const places = placesOf(keyframes, duration);
    let seconds = places[0] * duration / keyframes[0].speed;
    for (let i = 1; i <= index; i += 1) {
        seconds += (places[i] - places[i - 1]) * duration * slowness(keyframes[i - 1], keyframes[i].speed);
    }
    return seconds;
}

/** @type {(keyframes: Keyframe[], duration: number) => number} how long all is shown, if the axis is the source */
export function lengthOf(keyframes, duration) {
    const last = keyframes.length - 1;
    const rest = 1 - placesOf(keyframes, duration)[last];
    return shownAt(keyframes, last, duration) + rest * duration / keyframes[last].speed;
}

/**
 * The keyframe whose speed says when a keyframe is shown: itself, or the one before if that one's speed is held until
 * here; null for a keyframe at the start, which is always shown first.
 *
 * @type {(keyframes: Keyframe[], index: number, duration: number) => number | null}
 */
export function speedBefore(keyframes, index, duration) {
    if (index === 0) return placesOf(keyframes, duration)[0] === 0 ? null : 0;
    return parseEasing(keyframes[index - 1].easing)?.kind === "hold" ? index - 1 : index;
}

/**
 * The speed with which something is shown at a time. Of several the one next to the present speed; if there is none,
 * the one with which it is shown nearest to that time.
 *
 * @param {(speed: number) => number} timeAt when it is shown with a speed, in seconds
 * @param {number} seconds
 * @param {number} now the present speed
 */
export function speedForTime(timeAt, seconds, now) {
    const ratio = (LARGEST_SPEED / LEAST_SPEED) ** (1 / SPEEDS);
    const speeds = Array.from({ length: SPEEDS + 1 }, (_, i) => LEAST_SPEED * ratio ** i);
    const misses = speeds.map((speed) => timeAt(speed) - seconds);
    const distance = (/** @type {number} */ i) => Math.abs(Math.log(speeds[i] / now));
    const all = [...speeds.keys()];
    const [crossing] = all.slice(1).filter((i) => misses[i - 1] * misses[i] <= 0)
        .sort((a, b) => Math.min(distance(a), distance(a - 1)) - Math.min(distance(b), distance(b - 1)));
    if (crossing === undefined) {
        return speeds[all.reduce((best, i) => (Math.abs(misses[i]) < Math.abs(misses[best]) ? i : best))];
    }
    let [low, high] = [speeds[crossing - 1], speeds[crossing]];
    const sign = Math.sign(misses[crossing]) || -Math.sign(misses[crossing - 1]);
    for (let step = 0; step < HALVINGS; step += 1) {
        const middle = Math.sqrt(low * high);
        if ((timeAt(middle) - seconds) * sign > 0) high = middle;
        else low = middle;
    }
    return Math.sqrt(low * high);
}

/** @type {(keyframe: Keyframe, next: number) => number} the mean of 1 / speed from a keyframe to a speed */
function slowness(keyframe, next) {
    const points = alongSource(keyframe, next, LEAST_SPEED);
    return points[points.length - 1].time;
}
