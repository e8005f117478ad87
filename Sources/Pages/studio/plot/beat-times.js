// The beats of a sound along an axis of the plot, and which of them is nearest. All functions are pure.

import { lastNotAbove, sourceAt } from "../../shared/playing/plot-map.js";

/**
 * @typedef {import("./types").Evaluation} Evaluation
 * @typedef {import("./types").Over} Over
 * @typedef {import("./types").Part} Part
 */

/**
 * Where times are on the horizontal axis, in seconds of the axis.
 *
 * @param {number[]} times sorted; seconds of the clip or of the output
 * @param {Over} over which of them
 * @param {Evaluation} evaluation
 * @param {Over} axis what the axis is
 * @param {Part} part the part of the axis that is asked for
 */
export function timesOnAxis(times, over, evaluation, axis, { from, to }) {
    const { map, sourceStart, sourceDuration, outputDuration } = evaluation;
    if (over === "source" && axis === "source") {
        return within(times, sourceStart + from, sourceStart + Math.min(to, sourceDuration))
            .map((time) => time - sourceStart);
    }
    if (over === "output") {
        const heard = within(times, 0, outputDuration);
        if (axis === "output") return within(heard, from, to);
        return heard.map((time) => sourceAt(map, time)).filter((place) => place >= from && place <= to)
            .sort((a, b) => a - b);
    }
    return outputsOfAll(times, map, sourceStart, { from, to });
}

/**
 * The output times at which times of the clip are shown, each as often as the map shows it.
 * @type {(times: number[], map: Evaluation["map"], start: number, part: Part) => number[]}
 */
function outputsOfAll(times, { output, source }, start, { from, to }) {
    /** @type {number[]} */
    const found = [];
    for (let i = Math.max(0, lastNotAbove(output, from) - 1); i + 1 < output.length; i += 1) {
        if (output[i] > to) break;
        const [a, b] = [source[i], source[i + 1]];
        const length = output[i + 1] - output[i];
        if (length <= 0 || a === b) continue;
        for (const time of within(times, start + Math.min(a, b), start + Math.max(a, b))) {
            const place = output[i] + ((time - start - a) / (b - a)) * length;
            if (place >= from && place <= to && place !== found.at(-1)) found.push(place);
        }
    }
    return found.sort((a, b) => a - b);
}

/** @type {(times: number[], from: number, to: number) => number[]} those from one to another, both included */
function within(times, from, to) {
    if (times.length === 0) return [];
    let first = lastNotAbove(times, from);
    if (times[first] < from) first += 1;
    const last = lastNotAbove(times, to);
    return times[last] > to ? [] : times.slice(first, last + 1);
}

/** @type {(times: number[], wanted: number) => number | null} the nearest of sorted times; null if there are none */
export function nearestTime(times, wanted) {
    if (times.length === 0) return null;
    const i = lastNotAbove(times, wanted);
    const next = times[i + 1];
    return next !== undefined && Math.abs(next - wanted) < Math.abs(times[i] - wanted) ? next : times[i];
}

/** A tempo: 120 BPM, 93.5 BPM. */
export const tempoText = (/** @type {number} */ tempo) => `${Number(tempo.toFixed(1))} BPM`;
