// Reading what POST /api/evaluate answers: the map's polyline, and the curve's samples. The server does
// the mathematics; here is only the straight line between two points that it gave.

/**
 * A polyline from output time to source time, both from 0. Two points at one output time are a cut.
 *
 * @typedef {{ output: number[], source: number[] }} TimeMap
 */

/** The last place whose value is not above `value`; 0 if there is none. `sorted` never falls. */
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
 * The source time that is seen at an output time; at a cut the one after it. Held beyond both ends.
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
 * Source seconds for every output second at an output time: 0 in a freeze, below 0 backwards.
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
 * All output times at which a source time is seen, in order; of a freeze its beginning.
 *
 * @param {TimeMap} map
 * @param {number} source seconds from the start of the range
 * @returns {number[]}
 */
export function outputsOf(map, source) {
    const found = [];
    for (let i = 0; i + 1 < map.output.length; i += 1) {
        const output = outputInPiece(map, i, source);
        if (output !== null) found.push(output);
    }
    return found;
}

/**
 * The first output time at which a source time is seen, or null if it never is.
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

function outputInPiece({ output, source: sources }, i, source) {
    const length = output[i + 1] - output[i];
    if (length <= 0) return null;
    const [from, to] = [sources[i], sources[i + 1]];
    // A piece's beginning is the end of the one before it, and was found there.
    if (source === from && i > 0 && output[i] > output[i - 1]) return null;
    // Seconds are sums of other seconds: the last bits of them must not lose an instant at an end.
    const slack = 1e-9 * (1 + Math.abs(source));
    const isEnd = i === 0 || i + 2 === output.length;
    const margin = isEnd ? slack : 0;
    if (source < Math.min(from, to) - margin || source > Math.max(from, to) + margin) return null;
    if (from === to) return output[i];
    const share = Math.min(1, Math.max(0, (source - from) / (to - from)));
    return output[i] + share * length;
}

/**
 * The curve's speed at a place, right of a jump.
 *
 * @param {{ u: number[], speed: number[] }} curve
 * @param {number} u from 0 to 1
 */
export function curveSpeedAt(curve, u) {
    const i = lastNotAbove(curve.u, u);
    if (i === curve.u.length - 1 || u <= curve.u[i]) return curve.speed[i];
    const share = (u - curve.u[i]) / (curve.u[i + 1] - curve.u[i]);
    return curve.speed[i] + share * (curve.speed[i + 1] - curve.speed[i]);
}

/**
 * The curve's time scale at a place, right of a jump; null in a freeze, where it is infinite.
 *
 * @param {{ u: number[], scale: (number | null)[], speed: number[] }} curve
 * @param {number} u from 0 to 1
 * @returns {number | null}
 */
export function curveScaleAt(curve, u) {
    const i = lastNotAbove(curve.u, u);
    const [from, to] = [curve.scale[i], curve.scale[i + 1]];
    if (i === curve.u.length - 1 || u <= curve.u[i]) return from;
    if (from === null || to === null || from * to < 0) {
        const speed = curveSpeedAt(curve, u);
        return speed === 0 ? null : 1 / speed;
    }
    return from + (to - from) * (u - curve.u[i]) / (curve.u[i + 1] - curve.u[i]);
}

/** How long the horizontal axis of an evaluation's curve is: source time, or output time. */
export function curveLength(evaluation) {
    return evaluation.curve.over === "output" ? evaluation.outputDuration : evaluation.sourceDuration;
}
