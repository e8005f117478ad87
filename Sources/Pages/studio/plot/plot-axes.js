// The axes of the plot: what they show, and from where to where. All functions are pure.

import { extent } from "./plot-geometry.js";
import { curveLength, outputsOf } from "../../shared/playing/plot-map.js";
import { linearScale, speedScale, timeScaleScale, widened } from "./plot-scales.js";
import { fitted } from "./plot-window.js";

/**
 * @typedef {import("./types").Axes} Axes
 * @typedef {import("./types").Evaluation} Evaluation
 * @typedef {import("./types").Part} Part
 * @typedef {import("./types").View} View
 */

/** @type {(evaluation: Evaluation | null, view: View) => Axes["over"]} what the horizontal axis of a view is */
export const overOf = (evaluation, view) =>
    (view === "time" ? "source" : evaluation?.curve.over ?? "source");

/**
 * The axes of a view.
 *
 * @param {Evaluation | null} evaluation null gives empty axes
 * @param {View} view
 * @param {{ speeds?: number[] | null, duration?: number, part?: Part | null, keep?: Axes | null }} more
 *     `speeds`: of the edited keyframes; `duration`: used without an evaluation; `part`: what is shown of the
 *     horizontal axis, null for all of it; `keep`: the axes at the start of a drag, which may grow but not shrink or
 *     move during the drag
 * @returns {Axes}
 */
export function axesOf(evaluation, view, { speeds = null, duration = 10, part = null, keep = null } = {}) {
    const over = overOf(evaluation, view);
    const natural = !evaluation ? duration
        : view === "time" ? evaluation.sourceDuration : curveLength(evaluation);
    const length = keep?.length ?? natural;
    const { from, to } = keep ?? fitted(part, length) ?? { from: 0, to: length };
    const vertical = up(evaluation, view, speeds, to - from < length ? { from, to } : null);
    return {
        view, over, length, from, to, origin: over === "source" ? evaluation?.sourceStart ?? 0 : 0,
        across: linearScale(from, to || 1), up: keep ? widened(keep.up, vertical) : vertical,
    };
}

/** @type {(evaluation: Evaluation | null, view: View, speeds: number[] | null, part: Part | null) => Axes["up"]} */
function up(evaluation, view, speeds, part) {
    if (view === "time") return part && evaluation ? outputScale(evaluation.map, part)
        : linearScale(0, (evaluation?.outputDuration || 10) * 1.04);
    const edited = speeds ?? [];
    if (view === "speed") {
        const [low, high] = extent([...(evaluation?.curve.speed ?? [1]), ...edited]);
        return speedScale(low, high, { isEdited: speeds !== null });
    }
    const [low, high] = extent([...(evaluation?.curve.scale ?? [1]),
        ...edited.filter((speed) => speed !== 0).map((speed) => 1 / speed)]);
    const isStanding = evaluation?.curve.scale.includes(null) || edited.includes(0);
    return timeScaleScale(low, isStanding ? null : high);
}

/** @type {(map: Evaluation["map"], part: Part) => Axes["up"]} the output of a part of the source, with a margin */
function outputScale(map, { from, to }) {
    let [low, high] = [Infinity, -Infinity];
    const include = (/** @type {number} */ output) => {
        low = Math.min(low, output);
        high = Math.max(high, output);
    };
    map.source.forEach((source, i) => source >= from && source <= to && include(map.output[i]));
    for (const end of [from, to]) for (const output of outputsOf(map, end)) include(output);
    if (!(high > low)) return linearScale(0, map.output.at(-1) || 10);
    const margin = 0.04 * (high - low);
    return linearScale(Math.max(0, low - margin), high + margin);
}
