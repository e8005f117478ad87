// Where slow motion is to be looked at.

import { outputOf, speedAt } from "../../shared/playing/plot-map.js";

/** At a speed below this, frames have to be made. */
const SLOW = 0.99;

/**
 * The instant of the output to be shown: the one that is asked for if it is in slow motion, or else where it is slowest.
 * @type {(evaluation: import("../types").Evaluation, wanted: number) => number}
 */
export function slowInstant({ curve, map, outputDuration, sourceDuration }, wanted) {
    const isSlow = (/** @type {number | null} */ speed) => speed !== null && speed !== 0 && Math.abs(speed) < SLOW;
    if (isSlow(speedAt(map, wanted))) return wanted;
    let slowest = -1;
    curve.speed.forEach((speed, i) => {
        if (isSlow(speed) && (slowest < 0 || Math.abs(speed ?? 0) < Math.abs(curve.speed[slowest] ?? 0))) slowest = i;
    });
    if (slowest < 0) return wanted;
    const place = curve.u[slowest];
    return curve.over === "output" ? place * outputDuration : outputOf(map, place * sourceDuration) ?? wanted;
}
