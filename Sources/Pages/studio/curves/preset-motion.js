// What a ramp of keyframes looks like in small: its shape, and how it moves through a clip.

import { pointOn } from "../keyframes/bezier.js";
import { LINEAR_HANDLES, parseAt, placeOf, shapeOf } from "../keyframes/keyframe-text.js";

/** In how many steps each piece is drawn. */
const STEPS = 16;

/**
 * The speeds of keyframes along their axis. Where places are in seconds, the axis ends at the last one.
 *
 * @param {import("../keyframes/keyframe-edits.js").Keyframe[]} keyframes
 * @returns {{ u: number[], speed: number[] }} `u` from 0 to 1, never falling
 */
export function pathOf(keyframes) {
    const ats = keyframes.map(({ at }) => parseAt(at));
    const duration = Math.max(...ats.map(({ unit, value }) => (unit === "seconds" ? value : 0)));
    const places = keyframes.map(({ at }) => placeOf(at, duration));
    // The first speed holds before it, and the last one after it.
    const u = [0], speed = [keyframes[0].speed];
    keyframes.slice(1).forEach((next, i) => {
        const from = keyframes[i];
        const handles = shapeOf(from.easing);
        for (let step = 0; step <= STEPS; step += 1) {
            const { x, y } = pointOn(handles ?? LINEAR_HANDLES, step / STEPS);
            u.push(places[i] + x * (places[i + 1] - places[i]));
            speed.push(from.speed + (handles ? y : 0) * (next.speed - from.speed));
        }
    });
    return { u: [...u, 1], speed: [...speed, keyframes.at(-1).speed] };
}

/**
 * How the keyframes move through a clip.
 *
 * @returns {(output: number) => number} the source's share for a share of the output, both from 0 to 1
 */
export function motionOf(keyframes) {
    const { u, speed } = pathOf(keyframes);
    // With a freeze, places are those of the output.
    const isOutput = speed.some((each) => each <= 0);
    const sums = [0];
    for (let i = 1; i < u.length; i += 1) {
        const mean = (speed[i - 1] + speed[i]) / 2;
        sums.push(sums[i - 1] + (u[i] - u[i - 1]) * (isOutput ? mean : 1 / mean));
    }
    const whole = sums.at(-1);
    const [output, source] = isOutput ? [u, sums.map((sum) => sum / whole)] : [sums.map((sum) => sum / whole), u];
    return (share) => {
        const next = output.findIndex((each) => each > share);
        if (next <= 0) return next < 0 ? 1 : 0;
        const part = (share - output[next - 1]) / (output[next] - output[next - 1]);
        return source[next - 1] + part * (source[next] - source[next - 1]);
    };
}
