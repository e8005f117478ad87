// Axes: convert values to shares of a length and back, and choose the values of grid lines.
// A scale is plain data with two functions. It has no pixels, so resizing doesn't change it.

/** @typedef {import("./types").Scale} Scale */

/** Below about this speed the signed scale is linear, above it logarithmic. */
const KNEE = 0.5;

/** @type {(kind: Scale["kind"], low: number, high: number, bend: Scale["share"], unbend: Scale["value"]) => Scale} */
function scaleOf(kind, low, high, bend, unbend) {
    const [from, to] = [bend(low), bend(high)];
    const length = to - from || 1;
    return {
        kind, low, high,
        share: (value) => (bend(value) - from) / length,
        value: (share) => unbend(from + share * length),
    };
}

/** @type {(low: number, high: number) => Scale} */
export const linearScale = (low, high) => scaleOf("linear", low, high, (x) => x, (x) => x);

/** @type {typeof linearScale} a logarithmic scale, for values above 0; values at or below 0 are far below the axis */
export const logScale = (low, high) =>
    scaleOf("log", low, high, (x) => Math.log2(Math.max(x, 1e-9)), (x) => 2 ** x);

/** @type {typeof linearScale} almost logarithmic, but linear through 0: for speeds that may be 0 or negative */
export const signedScale = (low, high) =>
    scaleOf("signed", low, high, (x) => Math.asinh(x / KNEE), (x) => KNEE * Math.sinh(x));

const MAKERS = { linear: linearScale, log: logScale, signed: signedScale };

/** @type {(scale: Scale, other: Scale) => Scale} the scale widened by another one; that one if they don't combine */
export function widened(scale, other) {
    const low = Math.min(scale.low, other.low);
    if (scale.kind === "log" && low <= 0) return other;
    return MAKERS[scale.kind](low, Math.max(scale.high, other.high));
}

/** The powers of two below and above a value, with a margin. */
const powerBelow = (/** @type {number} */ value) => 2 ** Math.floor(Math.log2(value / 1.1));
const powerAbove = (/** @type {number} */ value) => 2 ** Math.ceil(Math.log2(value * 1.1));

/**
 * The axis for speeds.
 *
 * @param {number} minimum
 * @param {number} maximum
 * @param {{ isEdited: boolean }} options `isEdited`: keyframes are edited, so 0 must be on the axis
 * @returns {Scale}
 */
export function speedScale(minimum, maximum, { isEdited }) {
    const high = powerAbove(Math.max(maximum, 1.5));
    if (minimum > 0 && !isEdited) return logScale(powerBelow(Math.min(minimum, 0.7)), high);
    // The axis goes a little below 0, which shows that keyframes can be dragged there.
    return signedScale(minimum < 0 ? -powerAbove(Math.max(-minimum, 0.2)) : -0.15, high);
}

/** The end of the axis for curves that play backwards: their time scale passes infinity. */
const LARGEST_SCALE = 8;

/**
 * The axis for time scales: linear, so that areas are seconds, unless the values differ widely.
 *
 * @param {number} minimum below 0 if the curve plays backwards
 * @param {number | null} maximum null if it is infinite, at a freeze
 * @returns {Scale}
 */
export function timeScaleScale(minimum, maximum) {
    if (minimum > 0 && maximum !== null && maximum / Math.min(1, minimum) > 24) {
        return logScale(powerBelow(Math.min(minimum, 0.7)), powerAbove(Math.max(maximum, 1.5)));
    }
    const high = maximum === null ? 4 : Math.min(maximum, minimum > 0 ? Infinity : LARGEST_SCALE);
    return linearScale(1.12 * Math.min(0, Math.max(minimum, -4)), 1.12 * Math.max(1.5, high));
}

/** Usual steps of time axes in seconds; each is a multiple of one before it. */
const TIME_STEPS = [
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
    1800, 3600, 7200, 10800, 21600, 43200, 86400,
];

/** @type {(low: number, high: number, most: number) => number[]} round times between these, about `most` at most */
export function timeTicks(low, high, most) {
    const length = high - low;
    const step = TIME_STEPS.find((each) => length / each <= most) ?? length;
    return multiples(step, low, high);
}

/** @type {(step: number, low: number, high: number) => number[]} */
function multiples(step, low, high) {
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); i += 1) {
        ticks.push(Number((i * step).toPrecision(12)));
    }
    return ticks;
}

/**
 * Round values on a scale, at least `least` apart as shares of its length; 1 and 0 have priority.
 *
 * @param {Scale} scale
 * @param {number} least
 */
export function valueTicks(scale, least) {
    if (scale.kind === "linear") {
        const raw = least * (scale.high - scale.low);
        const power = 10 ** Math.floor(Math.log10(raw));
        const step = [1, 2, 5].map((each) => each * power).find((each) => each >= raw * 0.999) ?? 10 * power;
        return multiples(step, scale.low, scale.high);
    }
    /** @type {number[]} */
    const chosen = [];
    for (const value of [1, 0, ...powersByImportance(scale)]) {
        if (value < scale.low || value > scale.high || (scale.kind === "log" && value <= 0)) continue;
        const share = scale.share(value);
        if (chosen.every((other) => Math.abs(scale.share(other) - share) >= least)) chosen.push(value);
    }
    return chosen.sort((a, b) => a - b);
}

function powersByImportance(/** @type {Scale} */ scale) {
    const highest = Math.ceil(Math.log2(Math.max(Math.abs(scale.low), scale.high)));
    const powers = [];
    if (scale.kind === "signed") {
        for (const i of [-1, 1, 2, -2]) powers.push(2 ** i, -(2 ** i));
        for (let i = 3; i <= highest; i += 1) powers.push(2 ** i, -(2 ** i));
        return [-1, ...powers];
    }
    // Powers of four first, then the powers of two between them, so that skipped values are spread evenly.
    const lowest = 2 * Math.floor(Math.log2(scale.low) / 2);
    for (const offset of [0, 1]) {
        for (let i = lowest; i <= highest; i += 2) powers.push(2 ** (i + offset));
    }
    return powers;
}
