// Where things lie in the plot: from seconds and speeds to pixels and back, lines as SVG paths, and
// what lies near the pointer. Pure: numbers in, numbers and text out.

import { curveLength, curveSpeedAt, lastNotAbove, outputOf, sourceAt } from "./plot-map.js";
import { linearScale, speedScale, timeScaleScale, widened } from "./plot-scales.js";

/** Far outside of every picture, but near enough for a browser's arithmetic. */
const FAR = 20000;

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ view: "scale" | "speed" | "time", over: "source" | "output", length: number,
 *     origin: number, across: import("./plot-scales.js").Scale, up: import("./plot-scales.js").Scale }} Axes
 *     `length`: seconds of the horizontal axis; `origin`: what is written at its beginning
 */

/** The least and greatest of the numbers; what is no number is passed over. */
export function extent(values) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
        if (value === null) continue;
        if (value < low) low = value;
        if (value > high) high = value;
    }
    return low <= high ? [low, high] : [1, 1];
}

/**
 * The axes of a view.
 *
 * @param {object | null} evaluation the answer of POST /api/evaluate; null gives empty axes
 * @param {"scale" | "speed" | "time"} view
 * @param {{ speeds?: number[] | null, duration?: number, keep?: Axes | null }} more `speeds` of the
 *     keyframes that are edited, `duration` where there is no evaluation yet, `keep`: axes that may
 *     not shrink or slip away while something is dragged along them
 * @returns {Axes}
 */
export function axesOf(evaluation, view, { speeds = null, duration = 10, keep = null } = {}) {
    const over = view === "time" ? "source" : evaluation?.curve.over ?? "source";
    const natural = !evaluation ? duration
        : view === "time" ? evaluation.sourceDuration : curveLength(evaluation);
    const length = keep?.length ?? natural;
    const vertical = up(evaluation, view, speeds);
    return {
        view, over, length, origin: over === "source" ? evaluation?.sourceStart ?? 0 : 0,
        across: linearScale(0, length || 1), up: keep ? widened(keep.up, vertical) : vertical,
    };
}

function up(evaluation, view, speeds) {
    if (view === "time") return linearScale(0, (evaluation?.outputDuration || 10) * 1.04);
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

/** Seconds on the horizontal axis to pixels. */
export const toX = (axes, box, seconds) => box.x + axes.across.share(seconds) * box.width;

/** A value on the vertical axis to pixels, never so far off that drawing suffers. */
export function toY(axes, box, value) {
    const y = box.y + (1 - axes.up.share(value)) * box.height;
    return Math.max(-FAR, Math.min(FAR, y));
}

/** Pixels to seconds on the horizontal axis, kept on it. */
export const fromX = (axes, box, x) =>
    Math.max(0, Math.min(axes.length, axes.across.value((x - box.x) / box.width)));

/** Pixels to a value on the vertical axis, also beyond its ends. */
export const fromY = (axes, box, y) => axes.up.value(1 - (y - box.y) / box.height);

/** A speed on the vertical axis of the speed or scale view; a freeze is far above in the latter. */
export function speedToY(axes, box, speed) {
    if (axes.view === "speed") return toY(axes, box, speed);
    return speed === 0 ? -FAR : toY(axes, box, 1 / speed);
}

/** The speed at a height of the speed or scale view. */
export function speedFromY(axes, box, y) {
    const value = fromY(axes, box, y);
    if (axes.view === "speed") return value;
    const scale = Math.abs(value) < 1e-3 ? 1e-3 * (value < 0 ? -1 : 1) : value;
    return 1 / scale;
}

/**
 * The curve as points in pixels, in pieces: it is broken where a time scale is infinite.
 *
 * @returns {number[][]} each piece as x, y, x, y, …
 */
export function curvePoints(evaluation, axes, box) {
    if (axes.view === "time") return [mapPoints(evaluation.map, axes, box)];
    const { u, scale, speed } = evaluation.curve;
    const values = axes.view === "speed" ? speed : scale;
    const length = curveLength(evaluation);
    const pieces = [[]];
    let last = null;
    for (let i = 0; i < u.length; i += 1) {
        const value = values[i];
        const isBroken = value === null || (axes.view === "scale" && last !== null && last * value < 0);
        if (isBroken && pieces.at(-1).length > 0) pieces.push([]);
        if (value !== null) pieces.at(-1).push(toX(axes, box, u[i] * length), toY(axes, box, value));
        last = value;
    }
    return pieces.filter((piece) => piece.length > 0);
}

/** Points nearer than half a pixel to the last are left out: maps of long clips have many. */
function mapPoints({ output, source }, axes, box) {
    const points = [];
    let [lastX, lastY] = [-FAR, -FAR];
    for (let i = 0; i < output.length; i += 1) {
        const [x, y] = [toX(axes, box, source[i]), toY(axes, box, output[i])];
        const isLast = i === output.length - 1;
        if (!isLast && Math.abs(x - lastX) < 0.5 && Math.abs(y - lastY) < 0.5) continue;
        points.push(x, y);
        [lastX, lastY] = [x, y];
    }
    return points;
}

/** A hundredth of a pixel is enough, and short. */
const short = (pixels) => Math.round(pixels * 100) / 100;

/** The SVG path of one piece of a curve. */
export function linePath(points) {
    let path = "";
    for (let i = 0; i < points.length; i += 2) {
        path += `${i === 0 ? "M" : "L"}${short(points[i])} ${short(points[i + 1])}`;
    }
    return path;
}

/** What closes the path of a piece to the area between it and a level line. */
export function areaEnd(points, level) {
    return `L${short(points.at(-2))} ${short(level)}L${short(points[0])} ${short(level)}Z`;
}

/**
 * Where the least and the greatest value are marked: in the middle of the first stretch that has it.
 *
 * @param {number[]} u
 * @param {(number | null)[]} values
 * @returns {{ minimum: { u: number, value: number }, maximum: { u: number, value: number } } | null}
 *     null where all values are the same, or there are none
 */
export function extremes(u, values) {
    const [low, high] = extent(values);
    if (!(high - low > 1e-6 * Math.max(1, Math.abs(high)))) return null;
    const place = (wanted) => {
        const near = 1e-6 * Math.max(Math.abs(wanted), 1e-3);
        const first = values.findIndex((value) => value !== null && Math.abs(value - wanted) <= near);
        let last = first;
        while (Math.abs((values[last + 1] ?? Infinity) - wanted) <= near) last += 1;
        return { u: (u[first] + u[last]) / 2, value: wanted };
    };
    return { minimum: place(low), maximum: place(high) };
}

/**
 * What is at a place of the horizontal axis.
 *
 * @param {number} seconds on the horizontal axis
 * @returns {{ source: number, output: number | null, speed: number, value: number | null }} times from
 *     the start of the range and of the output; `value` on the vertical axis, null if there is none
 */
export function reading(evaluation, axes, seconds) {
    const { map, curve } = evaluation;
    const isOutput = axes.over === "output";
    const source = isOutput ? sourceAt(map, seconds) : seconds;
    const output = isOutput ? seconds : outputOf(map, seconds);
    const ofCurve = curve.over === "output" ? output ?? 0 : source;
    const speed = curveSpeedAt(curve, ofCurve / curveLength(evaluation));
    const scale = speed === 0 ? null : 1 / speed;
    return { source, output, speed, value: { speed, scale, time: output }[axes.view] };
}

/** Where the playing position lies, in pixels; null where it isn't in the plot. */
export function dotPosition(evaluation, axes, box, { source, output }) {
    const { map, sourceStart, sourceDuration } = evaluation;
    const inRange = source === null || source === undefined ? sourceAt(map, output) : source - sourceStart;
    const slack = 1e-6 + 1e-9 * sourceDuration;
    if (inRange < -slack || inRange > sourceDuration + slack) return null;
    const time = output ?? outputOf(map, inRange);
    if (axes.view === "time") {
        return time === null ? null : { x: toX(axes, box, inRange), y: toY(axes, box, time) };
    }
    const seconds = axes.over === "output" ? time : inRange;
    if (seconds === null) return null;
    const speed = curveSpeedAt(evaluation.curve, seconds / curveLength(evaluation));
    return { x: toX(axes, box, seconds), y: inside(box, speedToY(axes, box, speed)) };
}

/** A height, kept within a box. */
export const inside = (box, y) => Math.max(box.y, Math.min(box.y + box.height, y));

/**
 * How keyframes' speeds have become the curve's: an exact length multiplies them all by one number.
 * Null where they don't belong together, as while the answer to an edit is on its way.
 */
export function fitRatio(evaluation, keyframes, places) {
    if (!evaluation) return null;
    let ratio = null;
    for (let i = 0; i < keyframes.length; i += 1) {
        if (Math.abs(keyframes[i].speed) < 1e-3) continue;
        const here = curveSpeedAt(evaluation.curve, places[i]) / keyframes[i].speed;
        if (!(here > 0) || (ratio !== null && Math.abs(here / ratio - 1) > 0.01)) return null;
        ratio ??= here;
    }
    return ratio;
}

/** The points of the curve's height at an x, by the drawn points; null outside of them. */
export function heightAt(pieces, x) {
    for (const points of pieces) {
        const xs = points.filter((_, i) => i % 2 === 0);
        if (x < xs[0] || x > xs.at(-1)) continue;
        const i = Math.min(lastNotAbove(xs, x), xs.length - 2);
        if (i < 0) continue;
        const width = xs[i + 1] - xs[i];
        const share = width > 0 ? (x - xs[i]) / width : 0;
        return points[2 * i + 1] + share * (points[2 * i + 3] - points[2 * i + 1]);
    }
    return null;
}

/**
 * Which of some points lies nearest to another, within a distance; null if none does.
 *
 * @param {{ x: number, y: number }[]} points
 */
export function nearest(points, { x, y }, within) {
    let [best, least] = [null, within];
    points.forEach((point, i) => {
        const distance = Math.hypot(point.x - x, point.y - y);
        if (distance <= least) [best, least] = [i, distance];
    });
    return best;
}
