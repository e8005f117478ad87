// Reads the response of POST /api/evaluate: the time map's polyline, and the curve's samples. The server
// does the mathematics; the page only interpolates linearly between its points.

import { clamped } from "../numbers.js";

/**
 * A polyline from output time to source time, both from 0. Two points at the same output time are a cut.
 *
 * @typedef {{ output: number[], source: number[] }} TimeMap
 */

/** Instants that differ by less than this are the same, in seconds. */
const SAME = 1e-9;

/**
 * The last index whose value is not above `value`; 0 if there is none. `sorted` must not decrease.
 * @param {number[]} sorted
 * @param {number} value
 */
export function lastNotAbove(sorted, value) {
    let low = 0;
    let high = sorted.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (sorted[middle] <= value) low = middle;
        else high = middle - 1;
    }
    return low;
}

/**
 * The source time that is shown at an output time; at a cut, the one after it. Beyond both ends, the
 * source time of the end.
 *
 * @param {TimeMap} map
 * @param {number} output seconds
 * @returns {number} seconds from the start of the range
 */
export function sourceAt(map, output) {
    const i = lastNotAbove(map.output, output);
    if (i === map.output.length - 1 || output <= map.output[i]) return map.source[i];
    const share = (output - map.output[i]) / (map.output[i + 1] - map.output[i]);
    return map.source[i] + share * (map.source[i + 1] - map.source[i]);
}

/**
 * The speed at an output time, in source seconds per output second: 0 in a freeze, below 0 backwards.
 *
 * @param {TimeMap} map
 * @param {number} output seconds
 */
export function speedAt(map, output) {
    const times = map.output;
    let i = Math.min(lastNotAbove(times, output), times.length - 2);
    while (i > 0 && times[i + 1] <= times[i]) i -= 1;
    const length = times[i + 1] - times[i];
    return length > 0 ? (map.source[i + 1] - map.source[i]) / length : 0;
}

/**
 * All output times at which a source time is shown, in order; for a freeze, its start.
 *
 * @param {TimeMap} map
 * @param {number} source seconds from the start of the range
 * @returns {number[]}
 */
export function outputsOf(map, source) {
    /** @type {number[]} */
    const found = [];
    for (let i = 0; i + 1 < map.output.length; i += 1) {
        const output = outputInPiece(map, i, source);
        // Rounding may find the end of one piece and the start of the next.
        if (output !== null && !(output - found[found.length - 1] < SAME)) found.push(output);
    }
    return found;
}

/**
 * The first output time at which a source time is shown, or null if it is never shown.
 *
 * @param {TimeMap} map
 * @param {number} source seconds from the start of the range
 * @returns {number | null}
 */
export function outputOf(map, source) {
    for (let i = 0; i + 1 < map.output.length; i += 1) {
        const output = outputInPiece(map, i, source);
        if (output !== null) return output;
    }
    return null;
}

/**
 * The output time at which a map shows a source time, or else what is nearest to it; of several the one nearest to `near`.
 * @type {(map: TimeMap, source: number, near?: number) => number}
 */
export function nearestOutput(map, source, near = 0) {
    const lowest = map.source.reduce((least, each) => Math.min(least, each), Infinity);
    const highest = map.source.reduce((most, each) => Math.max(most, each), -Infinity);
    const found = outputsOf(map, clamped(source, lowest, highest));
    return found.reduce(
        (best, each) => (Math.abs(each - near) < Math.abs(best - near) ? each : best),
        found[0] ?? clamped(near, 0, endOf(map)));
}

/** @type {(map: TimeMap) => number} the duration of a map's output */
const endOf = ({ output }) => output[output.length - 1];

/** @type {(map: TimeMap, i: number, source: number) => number | null} */
const outputInPiece = ({ output, source: sources }, i, source) => {
    const length = output[i + 1] - output[i];
    if (length <= 0) return null;
    const [from, to] = [sources[i], sources[i + 1]];
    // A piece's start is the end of the piece before it, and was found there.
    if (source === from && i > 0 && output[i] > output[i - 1]) return null;
    // Allows for rounding errors, so that an instant at either end of the map is found, and one between two pieces
    // whose ends differ by such an error.
    const slack = SAME * (1 + Math.abs(source));
    if (source < Math.min(from, to) - slack || source > Math.max(from, to) + slack) return null;
    if (from === to) return output[i];
    const share = Math.min(1, Math.max(0, (source - from) / (to - from)));
    return output[i] + share * length;
};

/**
 * The curve's speed at a place; at a jump, the speed after it.
 *
 * @param {{ u: number[], speed: (number | null)[] }} curve
 * @param {number} u from 0 to 1
 */
export function curveSpeedAt(curve, u) {
    const i = lastNotAbove(curve.u, u);
    // Where the time scale is 0, the speed is infinite.
    const speed = (/** @type {number} */ place) => curve.speed[place] ?? Infinity;
    if (i === curve.u.length - 1 || u <= curve.u[i]) return speed(i);
    const share = (u - curve.u[i]) / (curve.u[i + 1] - curve.u[i]);
    return speed(i) + share * (speed(i + 1) - speed(i));
}

/**
 * The length of an evaluation's horizontal axis in seconds, which are source time or output time.
 * @param {{ curve: { over: "source" | "output" }, outputDuration: number, sourceDuration: number }} evaluation
 */
export function curveLength(evaluation) {
    return evaluation.curve.over === "output" ? evaluation.outputDuration : evaluation.sourceDuration;
}
