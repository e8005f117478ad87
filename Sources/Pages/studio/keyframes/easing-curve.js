// The Bézier curve of an easing: the way along it, its two parts, and the same ramp over another axis. A piece is eased over
// the source, or over the output if a speed is 0 or below.

import { EXACT, handlesOf, printBezier, shapeOf } from "./keyframe-text.js";
import { bisected } from "../../shared/numbers.js";

/** Steps in which a piece is summed up. */
const STEPS = 64;
/** Steps of the table to which a fitted curve is compared. */
const FINE = 4 * STEPS;
/** How many lengths of the first handle are tried. */
const TRIES = 60;
/** A half whose speed changes by less than this share of the whole change can't be written as an easing. */
const LEAST_CHANGE = 1e-9;

/** @typedef {import("./types").Handles} Handles */

/** The coefficients of t, t² and t³ of one coordinate of a curve. */
const coefficients = (/** @type {number} */ first, /** @type {number} */ second) => [
    3 * first, 3 * (second - 2 * first), 1 + 3 * first - 3 * second];

const cubic = (/** @type {number[]} */ [a, b, c], /** @type {number} */ t) => ((c * t + b) * t + a) * t;

/** @type {(handles: Handles, t: number) => { x: number, y: number }} */
const pointAt = ([x1, y1, x2, y2], t) => ({ x: cubic(coefficients(x1, x2), t), y: cubic(coefficients(y1, y2), t) });

/** @type {(handles: Handles, t?: number) => number} ∫ y dx until a parameter */
function areaUntil(handles, t = 1) {
    const [x1, y1, x2, y2] = handles;
    const [a, b, c] = coefficients(x1, x2).map((each, i) => each * (i + 1)), [d, e, f] = coefficients(y1, y2);
    const products = [a * d, a * e + b * d, a * f + b * e + c * d, b * f + c * e, c * f];
    return products.reduce((sum, each, i) => sum + each * t ** (i + 2) / (i + 2), 0);
}

/**
 * How far a piece over the output has come, as shares of its time: ∫ of the speed, and the speed there.
 * @type {(from: { speed: number, easing?: string }, next: number, t: number) =>
 *     { time: number, way: number, speed: number }} `t`: the parameter of the easing's curve
 */
export function alongOutput({ speed, easing }, next, t) {
    const handles = shapeOf(easing);
    if (!handles || speed === next) return { time: t, way: speed * t, speed };
    const { x, y } = pointAt(handles, t), change = next - speed;
    return { time: x, way: speed * x + change * areaUntil(handles, t), speed: speed + change * y };
}

/** @type {(from: { speed: number, easing?: string }, next: number) => number} the mean speed of a piece over the output */
export const meanOf = (from, next) => alongOutput(from, next, 1).way;

/** @type {(from: { speed: number, easing?: string }, next: number, time: number) => number} the way at a share of its time */
export const wayAt = (from, next, time) => (
    alongOutput(from, next, bisected((t) => alongOutput(from, next, t).time < time)).way);

/**
 * The times of a piece over the source at equal steps of the parameter, as shares of its way at speed 1: ∫ of 1 / speed, by
 * Simpson's rule.
 *
 * @param {{ speed: number, easing?: string }} from
 * @param {number} next
 * @param {number} [least] slower speeds count as this one
 * @param {number} [steps]
 * @returns {{ way: number, time: number }[]}
 */
export function alongSource({ speed, easing }, next, least = 0, steps = STEPS) {
    const handles = shapeOf(easing);
    if (!handles || speed === next) return [{ way: 0, time: 0 }, { way: 1, time: 1 / speed }];
    const [x1, y1, x2, y2] = handles, [a, b, c] = coefficients(x1, x2), height = coefficients(y1, y2);
    const slowness = (/** @type {number} */ t) => (
        ((3 * c * t + 2 * b) * t + a) / Math.max(least, speed + (next - speed) * cubic(height, t)));
    const points = [{ way: 0, time: 0 }];
    for (let step = 0; step < steps; step += 1) {
        const [start, middle, end] = [step, step + 0.5, step + 1].map((each) => each / steps);
        const time = points[step].time + (slowness(start) + 4 * slowness(middle) + slowness(end)) / (6 * steps);
        points.push({ way: cubic([a, b, c], end), time });
    }
    return points;
}

/**
 * The two easings into which one is divided at a share of its time. A straight line and a hold are so in both.
 *
 * @param {string | undefined} easing
 * @param {number} x
 * @returns {{ y: number, easings: (string | undefined)[] }} `y`: the share of the change of the speed until there
 */
export function divided(easing, x) {
    const handles = handlesOf(easing);
    if (!handles) return { y: shapeOf(easing) ? x : 0, easings: [easing, easing] };
    const { y, parts } = dividedAt(handles, bisected((t) => pointAt(handles, t).x < x));
    return { y, easings: parts.map((part) => printBezier(part, EXACT)) };
}

/**
 * By de Casteljau's algorithm.
 * @type {(handles: Handles, t: number) => { x: number, y: number, parts: [Handles, Handles] }}
 */
function dividedAt([x1, y1, x2, y2], t) {
    /** @type {(a: number[], b: number[]) => number[]} */
    const mix = (a, b) => [0, 1].map((axis) => a[axis] + t * (b[axis] - a[axis]));
    const [start, first, second, end] = [[0, 0], [x1, y1], [x2, y2], [1, 1]];
    const [a, b, c] = [mix(start, first), mix(first, second), mix(second, end)];
    const [d, e] = [mix(a, b), mix(b, c)], middle = mix(d, e);
    const nudged = [0, 1].find((level) => Math.abs(middle[1] - level) < LEAST_CHANGE);
    if (nudged !== undefined && t > 0.01 && t < 0.99) return dividedAt([x1, y1, x2, y2], t + 1e-4);
    /** @type {(handle: number[], from: number[], to: number[]) => [number, number]} */
    const shrunk = (handle, from, to) => [
        (handle[0] - from[0]) / (to[0] - from[0]), (handle[1] - from[1]) / (to[1] - from[1])];
    return {
        x: middle[0], y: middle[1],
        parts: [[...shrunk(a, start, middle), ...shrunk(d, start, middle)],
            [...shrunk(e, middle, end), ...shrunk(c, middle, end)]],
    };
}

/**
 * The same ramp over the output: the curve with the same time, the same way, and the same direction at both ends that goes
 * least astray between them. Both speeds are above 0 and differ.
 *
 * @param {Handles} handles over the source
 * @param {number} speed
 * @param {number} next
 * @returns {{ handles: Handles, error: number } | null} `error`: how far the frame is astray at most, as a share of the way;
 *     null if no such curve has this time
 */
function turnedOver(handles, speed, next) {
    const change = next - speed, table = alongSource({ speed, easing: `bezier(${handles})` }, next, 0, FINE);
    const { time: whole } = table[FINE], area = (1 / whole - speed) / change;
    const [x1, y1, x2, y2] = handles;
    // What takes a share of the way takes another share of the time: speeds at the ends are faster or slower than the mean.
    const [across, back] = [x1 / (speed * whole), (1 - x2) / (next * whole)];
    /** @type {(first: number, second: number) => Handles} */
    const curve = (first, second) => [first * across, first * y1, 1 - second * back, 1 - second * (1 - y2)];
    const most = (/** @type {number} */ width) => (width > 0 ? 1 / width : 1);
    /** @type {ReturnType<typeof turnedOver>} */
    let best = null;
    for (let i = 1; i <= TRIES; i += 1) {
        const first = most(across) * i / TRIES;
        const miss = (/** @type {number} */ second) => areaUntil(curve(first, second)) - area;
        const sign = Math.sign(miss(0)), end = most(back);
        if (sign * miss(end) > 0) continue;
        const found = curve(first, bisected((second) => miss(second) * sign > 0, [0, end]));
        const error = astray(found, speed, change, table);
        if (!best || error < best.error) best = { handles: found, error };
    }
    return best;
}

/** @type {(handles: Handles, speed: number, change: number, table: { way: number, time: number }[]) => number} */
function astray(handles, speed, change, table) {
    const whole = table[table.length - 1].time;
    let most = 0, i = 0;
    for (let step = 1; step < STEPS; step += 1) {
        const t = step / STEPS, { x } = pointAt(handles, t), time = x * whole;
        while (i + 2 < table.length && table[i + 1].time < time) i += 1;
        const [low, high] = [table[i], table[i + 1]];
        const way = low.way + (high.way - low.way) * (time - low.time) / (high.time - low.time);
        most = Math.max(most, Math.abs((speed * x + change * areaUntil(handles, t)) * whole - way));
    }
    return most;
}

/**
 * A ramp over the source as one or more over the output: it is halved until the frame is nowhere further astray than asked.
 *
 * @param {Handles} handles
 * @param {{ speed: number, next: number, way: number, error: number }} ramp `way`: seconds of the source; `error`: of them
 * @param {number} [halvings] how often at most
 * @returns {{ way: number, speed: number, handles: Handles }[]} their ways and the speeds with which they begin
 */
export function overOutput(handles, { speed, next, way, error }, halvings = 6) {
    const found = turnedOver(handles, speed, next);
    if (found && (found.error * way <= error || halvings === 0)) return [{ way, speed, handles: found.handles }];
    if (halvings === 0) return [{ way, speed, handles }];
    const { x, y, parts: [first, second] } = dividedAt(handles, 0.5);
    const middle = speed + y * (next - speed);
    return [
        ...overOutput(first, { speed, next: middle, way: x * way, error }, halvings - 1),
        ...overOutput(second, { speed: middle, next, way: (1 - x) * way, error }, halvings - 1)];
}
