// The plot's geometry: converts seconds and speeds to pixels and back, makes SVG paths, and finds what is
// near the pointer. All functions are pure.

import { curveLength, curveSpeedAt, lastNotAbove, outputOf, sourceAt } from "../../shared/playing/plot-map.js";

/** How far a curve is drawn beyond the ends of a part, in pixels. */
const MARGIN = 50;
/** A coordinate far outside of every plot that browsers can still draw precisely. */
const FAR = 20000;

/**
 * @typedef {import("./types").Axes} Axes
 * @typedef {import("./types").Box} Box
 * @typedef {import("./types").Evaluation} Evaluation
 * @typedef {import("./types").Point} Point
 * @typedef {(axes: Axes, box: Box, value: number) => number} Convert
 */

/** @type {(values: (number | null)[]) => [number, number]} the smallest and largest number; nulls are skipped */
export function extent(values) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
        if (value === null) continue;
        if (value < low) low = value;
        if (value > high) high = value;
    }
    return low <= high ? [low, high] : [1, 1];
}

/** @type {Convert} seconds on the horizontal axis to pixels */
export const toX = (axes, box, seconds) => box.x + axes.across.share(seconds) * box.width;

/** @type {Convert} a value on the vertical axis to pixels, limited to what browsers draw precisely */
export function toY(axes, box, value) {
    const y = box.y + (1 - axes.up.share(value)) * box.height;
    return Math.max(-FAR, Math.min(FAR, y));
}

/** @type {Convert} pixels to seconds on the horizontal axis, limited to its length */
export const fromX = (axes, box, x) =>
    Math.max(0, Math.min(axes.length, axes.across.value((x - box.x) / box.width)));

/** @type {Convert} pixels to a value on the vertical axis, also beyond its ends */
export const fromY = (axes, box, y) => axes.up.value(1 - (y - box.y) / box.height);

/** @type {Convert} a speed to pixels in the speed or scale view; in the scale view a freeze is far above the plot */
export function speedToY(axes, box, speed) {
    if (axes.view === "speed") return toY(axes, box, speed);
    return speed === 0 ? -FAR : toY(axes, box, 1 / speed);
}

/** @type {Convert} a height of the speed or scale view to a speed */
export function speedFromY(axes, box, y) {
    const value = fromY(axes, box, y);
    if (axes.view === "speed") return value;
    const scale = Math.abs(value) < 1e-3 ? 1e-3 * (value < 0 ? -1 : 1) : value;
    return 1 / scale;
}

/**
 * The points of the curve in pixels. The curve is broken into pieces where the time scale is infinite.
 *
 * @type {(evaluation: Evaluation, axes: Axes, box: Box) => number[][]} each piece as x, y, x, y, …
 */
export function curvePoints(evaluation, axes, box) {
    const pieces = allPoints(evaluation, axes, box);
    // Far outside of the plot, coordinates would be too large for browsers.
    return axes.to - axes.from < axes.length
        ? pieces.flatMap((piece) => clipped(piece, box.x - MARGIN, box.x + box.width + MARGIN)) : pieces;
}

/** @type {(points: number[], low: number, high: number) => number[][]} the parts of a line between two x */
function clipped(points, low, high) {
    /** @type {number[][]} */
    const parts = [];
    let open = false;
    for (let i = 2; i < points.length; i += 2) {
        const [x1, y1, x2, y2] = points.slice(i - 2, i + 2);
        if (Math.max(x1, x2) < low || Math.min(x1, x2) > high) {
            open = false;
            continue;
        }
        const at = (/** @type {number} */ x) => [x, x === x1 ? y1 : y1 + ((x - x1) / (x2 - x1)) * (y2 - y1)];
        const start = x1 === x2 ? [x1, y1] : at(Math.max(low, Math.min(high, x1)));
        const end = x1 === x2 ? [x2, y2] : at(Math.max(low, Math.min(high, x2)));
        if (!open) parts.push([...start]);
        parts[parts.length - 1].push(...end);
        open = x2 >= low && x2 <= high;
    }
    return parts;
}

/** @type {typeof curvePoints} */
function allPoints(evaluation, axes, box) {
    if (axes.view === "time") return [mapPoints(evaluation.map, axes, box)];
    const { u, scale, speed } = evaluation.curve;
    const values = axes.view === "speed" ? speed : scale;
    const length = curveLength(evaluation);
    /** @type {number[]} */
    let piece = [];
    const pieces = [piece];
    let last = null;
    for (let i = 0; i < u.length; i += 1) {
        const value = values[i];
        const isBroken = value === null || (axes.view === "scale" && last !== null && last * value < 0);
        if (isBroken && piece.length > 0) pieces.push(piece = []);
        if (value !== null) piece.push(toX(axes, box, u[i] * length), toY(axes, box, value));
        last = value;
    }
    return pieces.filter((each) => each.length > 0);
}

/**
 * The points of a time map. Points within half a pixel of the last are skipped: maps of long clips have many.
 * @type {(map: Evaluation["map"], axes: Axes, box: Box) => number[]}
 */
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

/** Rounds to hundredths of a pixel, which is precise enough and keeps paths short. */
const short = (/** @type {number} */ pixels) => Math.round(pixels * 100) / 100;

/** The SVG path of one piece of a curve. */
export function linePath(/** @type {number[]} */ points) {
    let path = "";
    for (let i = 0; i < points.length; i += 2) {
        path += `${i === 0 ? "M" : "L"}${short(points[i])} ${short(points[i + 1])}`;
    }
    return path;
}

/** @type {(points: number[], level: number) => string} closes a piece's path to its area down to a horizontal line */
export function areaEnd(points, level) {
    return `L${short(points[points.length - 2])} ${short(level)}L${short(points[0])} ${short(level)}Z`;
}

/**
 * Where the minimum and the maximum are marked: in the middle of the first stretch with that value.
 *
 * @param {number[]} u
 * @param {(number | null)[]} values
 * @returns {{ minimum: { u: number, value: number }, maximum: { u: number, value: number } } | null}
 *     null if all values are equal, or there are none
 */
export function extremes(u, values) {
    const [low, high] = extent(values);
    if (!(high - low > 1e-6 * Math.max(1, Math.abs(high)))) return null;
    const place = (/** @type {number} */ wanted) => {
        const near = 1e-6 * Math.max(Math.abs(wanted), 1e-3);
        const first = values.findIndex((value) => value !== null && Math.abs(value - wanted) <= near);
        let last = first;
        while (Math.abs((values[last + 1] ?? Infinity) - wanted) <= near) last += 1;
        return { u: (u[first] + u[last]) / 2, value: wanted };
    };
    return { minimum: place(low), maximum: place(high) };
}

/**
 * The times and speed at a place of the horizontal axis.
 *
 * @param {Evaluation} evaluation
 * @param {Axes} axes
 * @param {number} seconds on the horizontal axis
 * @returns {{ source: number, output: number | null, speed: number, value: number | null }} `source` counts
 *     from the start of the range; `value` is on the vertical axis, null if there is none
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

/**
 * The playing position in pixels; null if it isn't in the plot.
 * @type {(evaluation: Evaluation, axes: Axes, box: Box, position: import("./types").Position) => Point | null}
 */
export function dotPosition(evaluation, axes, box, { source, output }) {
    const { map, sourceStart, sourceDuration } = evaluation;
    const inRange = source - sourceStart;
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

/** @type {(box: Box, point: { x: number }) => boolean} whether a point is between the left and right end of a box */
export const isAcross = (box, { x }) => x >= box.x - 0.5 && x <= box.x + box.width + 0.5;

/** @type {(box: Box, y: number) => number} a height, limited to a box */
export const inside = (box, y) => Math.max(box.y, Math.min(box.y + box.height, y));

/**
 * The ratio of the curve's speeds to the keyframes': an exact length multiplies all speeds by one number.
 * Null if they don't belong together, such as before the response to an edit arrives.
 * @type {(evaluation: Evaluation | null, keyframes: { speed: number }[], places: number[]) => number | null}
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

/** @type {(pieces: number[][], x: number) => number | null} the height of the drawn curve; null outside of it */
export function heightAt(pieces, x) {
    for (const points of pieces) {
        const xs = points.filter((_, i) => i % 2 === 0);
        if (x < xs[0] || x > xs[xs.length - 1]) continue;
        const i = Math.min(lastNotAbove(xs, x), xs.length - 2);
        if (i < 0) continue;
        const width = xs[i + 1] - xs[i];
        const share = width > 0 ? (x - xs[i]) / width : 0;
        return points[2 * i + 1] + share * (points[2 * i + 3] - points[2 * i + 1]);
    }
    return null;
}

/**
 * The index of the point that is nearest to a place, within a distance; null if there is none.
 *
 * @type {(points: Point[], place: Point, within: number) => number | null}
 */
export function nearest(points, { x, y }, within) {
    /** @type {number | null} */
    let best = null, least = within;
    points.forEach((point, i) => {
        const distance = Math.hypot(point.x - x, point.y - y);
        if (distance <= least) [best, least] = [i, distance];
    });
    return best;
}
