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

/** How many times slower or faster than it was found a tempo may be. */
const MULTIPLES = { least: 1 / 4, most: 4 };

/** @type {(multiple: number) => boolean} whether beats may be at a multiple of the tempo that was found */
export const isMultiple = (multiple) => multiple >= MULTIPLES.least && multiple <= MULTIPLES.most;

/**
 * What was found, at a multiple of its tempo, which is a power of two: half of the beats are left out, or there is one more
 * between two of them.
 * @template {{ beats: number[], tempo?: number }} Found
 * @param {Found} found
 * @param {number} multiple
 * @returns {Found}
 */
export function atMultiple(found, multiple) {
    if (multiple === 1 || !found.tempo) return found;
    const tempo = found.tempo * multiple, every = Math.round(1 / multiple);
    const beats = multiple < 1 ? found.beats.filter((_, i) => i % every === 0)
        : found.beats.flatMap((beat, i) => {
            const gap = (found.beats[i + 1] ?? beat) - beat;
            return gap === 0 ? [beat] : Array.from({ length: multiple }, (_, k) => beat + gap * k / multiple);
        });
    return { ...found, tempo, beats };
}

/** A tempo: 120 BPM, 93.5 BPM. */
export const tempoText = (/** @type {number} */ tempo) => `${Number(tempo.toFixed(1))} BPM`;
