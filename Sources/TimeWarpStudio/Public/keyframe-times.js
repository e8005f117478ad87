// When keyframes are shown: the output time of a keyframe, and the speed that shows it at another time.

import { integralAlong } from "./bezier.js";
import { LARGEST_SPEED, LEAST_SPEED, placesOf } from "./keyframe-edits.js";
import { parseEasing, shapeOf } from "./keyframe-text.js";

/** The number of steps in which a piece is summed up; Simpson's rule needs an even one. */
const STEPS = 64;
/** How often an interval of speeds is halved: beyond the precision of what is written. */
const HALVINGS = 40;

/**
 * When a keyframe is shown, in seconds of the output, if the keyframes' axis is the source.
 *
 * @param {import("./keyframe-edits.js").Keyframe[]} keyframes in order; all speeds above 0
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

/**
 * The index and speed of the keyframe to change so that a keyframe is shown at a time.
 *
 * It is the keyframe itself, or the one before if that one's speed is held until here.
 *
 * @param {number} seconds of the output
 * @returns {{ index: number, speed: number } | null} null for the first keyframe at the start, which is always shown
 *     first; the speed is limited to what keyframes may have
 */
export function speedForTime(keyframes, index, seconds, duration) {
    const isFirst = index === 0;
    if (isFirst && placesOf(keyframes, duration)[0] === 0) return null;
    const isHeld = !isFirst && parseEasing(keyframes[index - 1].easing)?.kind === "hold";
    const changed = isHeld ? index - 1 : index;
    const timeAt = (speed) => shownAt(
        keyframes.map((each, i) => (i === changed ? { ...each, speed } : each)), index, duration);
    let [low, high] = [LEAST_SPEED, LARGEST_SPEED];
    for (let step = 0; step < HALVINGS; step += 1) {
        const middle = Math.sqrt(low * high);
        if (timeAt(middle) > seconds) low = middle;
        else high = middle;
    }
    return { index: changed, speed: Math.sqrt(low * high) };
}

/** The mean of 1 / speed from a keyframe to a speed. */
function slowness({ speed, easing }, next) {
    const handles = shapeOf(easing);
    if (!handles || speed === next) return 1 / speed;
    return integralAlong(handles, (y) => 1 / Math.max(LEAST_SPEED, speed + y * (next - speed)), STEPS);
}
