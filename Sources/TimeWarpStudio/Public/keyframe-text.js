// Keyframes as curve files write them: "0.4", "40%" and "6s"; "smooth" and "bezier(0.3,0,0.7,1)".

/** The four ways of joining a keyframe to the next. */
export const EASINGS = ["linear", "smooth", "hold", "bezier"];

/** Smoothstep is exactly this Bézier curve, so its handles can be taken hold of. */
export const SMOOTH_HANDLES = [1 / 3, 0, 2 / 3, 1];

/** Finer than any frame; a place isn't written with more digits than this needs. */
const FINEST_SECONDS = 0.001;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const numberOf = (text) => (NUMBER.test(text) ? Number(text) : NaN);

/**
 * Reads where a keyframe lies.
 *
 * @param {string} text
 * @returns {{ unit: "share" | "percent" | "seconds", value: number } | null} the number as it is
 *     written; null if it can't be read
 */
export function parseAt(text) {
    const trimmed = String(text).trim();
    const unit = trimmed.endsWith("%") ? "percent" : trimmed.endsWith("s") ? "seconds" : "share";
    const written = unit === "share" ? trimmed : trimmed.slice(0, -1).trim();
    const value = unit === "seconds" ? secondsOf(written) : numberOf(written);
    const most = { share: 1, percent: 100, seconds: Infinity }[unit];
    return value >= 0 && value <= most ? { unit, value } : null;
}

/** Seconds, also as 1:30, 00:01:30.250, 1500m(s) and 2700/25. */
function secondsOf(text) {
    if (text.endsWith("m")) return numberOf(text.slice(0, -1)) / 1000;
    const quotient = text.split("/");
    if (quotient.length === 2) return numberOf(quotient[0]) / numberOf(quotient[1]);
    const parts = text.split(":");
    if (parts.length > 3) return NaN;
    return parts.reduce((sum, part) => 60 * sum + numberOf(part), 0);
}

/** Where a keyframe lies on [0,1]; null if it can't be read. Beyond the end counts as the end. */
export function placeOf(text, duration) {
    const at = parseAt(text);
    if (at === null) return null;
    if (at.unit === "percent") return at.value / 100;
    return at.unit === "share" ? at.value : Math.min(1, duration > 0 ? at.value / duration : 0);
}

/**
 * Writes a place in a unit, with as many digits as a millisecond of the clip needs.
 *
 * @param {number} place on [0,1]
 * @param {"share" | "percent" | "seconds"} unit
 * @param {number} duration of the axis, in seconds
 */
export function printAt(place, unit, duration) {
    const whole = { share: 1, percent: 100, seconds: duration }[unit];
    const needed = Math.ceil(-Math.log10(FINEST_SECONDS / Math.max(duration, 0.1) * whole) - 1e-9);
    const digits = Math.min(9, Math.max(unit === "share" ? 4 : 2, needed));
    const rounded = Number((place * whole).toFixed(digits));
    // The end of a clip must not come to lie after it.
    const text = rounded <= whole ? rounded : Math.floor(whole * 10 ** digits) / 10 ** digits;
    return String(text) + { share: "", percent: "%", seconds: "s" }[unit];
}

/**
 * Reads an easing.
 *
 * @param {string | undefined} text
 * @returns {{ kind: "linear" | "smooth" | "hold" | "bezier", handles: number[] | null } | null}
 *     `handles` of a Bézier curve: x1, y1, x2, y2; null if it can't be read
 */
export function parseEasing(text) {
    const kind = text ?? "smooth";
    if (["linear", "smooth", "hold"].includes(kind)) return { kind, handles: null };
    const match = /^bezier\((.*)\)$/.exec(kind);
    const handles = match?.[1].split(",").map((part) => numberOf(part.trim()));
    if (handles?.length !== 4 || !handles.every(Number.isFinite)) return null;
    const [x1, , x2] = handles;
    return x1 >= 0 && x1 <= 1 && x2 >= 0 && x2 <= 1 ? { kind: "bezier", handles } : null;
}

/** Writes a Bézier easing, x kept within 0 and 1. */
export function printBezier([x1, y1, x2, y2]) {
    const inside = (x) => Math.min(1, Math.max(0, x));
    const numbers = [inside(x1), y1, inside(x2), y2].map((number) => Number(number.toFixed(3)) + 0);
    return `bezier(${numbers.join(",")})`;
}

/** The handles of an easing that has some: its own, or those that smooth would have. */
export function handlesOf(easing) {
    const parsed = parseEasing(easing);
    if (parsed?.kind === "bezier") return parsed.handles;
    return parsed?.kind === "smooth" ? SMOOTH_HANDLES : null;
}
