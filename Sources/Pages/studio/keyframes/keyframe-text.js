// Keyframes as written in curve files: places such as "0.4", "40%" and "6s"; easings such as "smooth"
// and "bezier(0.3,0,0.7,1)".

/** The handles of the Bézier curve that equals smoothstep, so that the handles can be shown and dragged. */
const SMOOTH_HANDLES = [1 / 3, 0, 2 / 3, 1];

/**
 * The resolution of printed places. For the program, instants within 1 ns are the same, also after slow motion has made their
 * distance larger: so the start of a frame stays one.
 */
const FINEST_SECONDS = 1e-11;
/** The resolution of places for people. */
export const SHOWN_SECONDS = 0.001;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** @typedef {"share" | "percent" | "seconds"} Unit */

const numberOf = (/** @type {string} */ text) => (NUMBER.test(text) ? Number(text) : NaN);

/**
 * Reads the place of a keyframe.
 *
 * @param {string} text
 * @returns {{ unit: Unit, value: number } | null} the number as it is written; null if it can't be read
 */
export function parseAt(text) {
    const trimmed = String(text).trim();
    /** @type {Unit} */
    const unit = trimmed.endsWith("%") ? "percent" : trimmed.endsWith("s") ? "seconds" : "share";
    const written = unit === "share" ? trimmed : trimmed.slice(0, -1).trim();
    const value = unit === "seconds" ? secondsOf(written) : numberOf(written);
    const most = { share: 1, percent: 100, seconds: Infinity }[unit];
    return value >= 0 && value <= most ? { unit, value } : null;
}

/** Reads seconds, also written as 1:30, 00:01:30.250, 2700/25 and 1500ms (whose last s is already removed). */
function secondsOf(/** @type {string} */ text) {
    if (text.endsWith("m")) return numberOf(text.slice(0, -1)) / 1000;
    const quotient = text.split("/");
    if (quotient.length === 2) return numberOf(quotient[0]) / numberOf(quotient[1]);
    const parts = text.split(":");
    if (parts.length > 3) return NaN;
    return parts.reduce((sum, part) => 60 * sum + numberOf(part), 0);
}

/** The place of a keyframe on [0,1]; null if it can't be read. Places beyond the end become 1. */
export function placeOf(/** @type {string} */ text, /** @type {number} */ duration) {
    const at = parseAt(text);
    if (at === null) return null;
    if (at.unit === "percent") return at.value / 100;
    return at.unit === "share" ? at.value : Math.min(1, duration > 0 ? at.value / duration : 0);
}

/**
 * Writes a place in a unit, with enough digits for a resolution.
 *
 * @param {number} place on [0,1]
 * @param {Unit} unit
 * @param {number} duration of the axis, in seconds
 * @param {number} [finest] the resolution, in seconds
 */
export function printAt(place, unit, duration, finest = FINEST_SECONDS) {
    const whole = { share: 1, percent: 100, seconds: duration }[unit];
    const needed = Math.ceil(-Math.log10(finest / Math.max(duration, 0.1) * whole) - 1e-9);
    const digits = Math.min(14, Math.max(unit === "share" ? 4 : 2, needed));
    const rounded = Number((place * whole).toFixed(digits));
    // Rounding must not move a place beyond the end of the clip.
    const text = rounded <= whole ? rounded : Math.floor(whole * 10 ** digits) / 10 ** digits;
    return String(text) + { share: "", percent: "%", seconds: "s" }[unit];
}

/**
 * Reads an easing.
 *
 * @param {string | undefined} text
 * @returns {{ kind: string, handles: number[] | null } | null}
 *     `handles` of a Bézier curve: x1, y1, x2, y2; null if it can't be read
 */
export function parseEasing(text) {
    const kind = text ?? "smooth";
    if (kind === "linear" || kind === "smooth" || kind === "hold") return { kind, handles: null };
    const match = /^bezier\((.*)\)$/.exec(kind);
    const handles = match?.[1].split(",").map((part) => numberOf(part.trim()));
    if (handles?.length !== 4 || !handles.every(Number.isFinite)) return null;
    const [x1, , x2] = handles;
    return x1 >= 0 && x1 <= 1 && x2 >= 0 && x2 <= 1 ? { kind: "bezier", handles } : null;
}

/** How precisely an easing is written that must keep a length. */
export const EXACT = 5;

/** Writes a Bézier easing, with x limited to 0…1. */
export function printBezier(/** @type {number[]} */ [x1, y1, x2, y2], digits = 3) {
    const inside = (/** @type {number} */ x) => Math.min(1, Math.max(0, x));
    const numbers = [inside(x1), y1, inside(x2), y2].map((number) => Number(number.toFixed(digits)) + 0);
    return `bezier(${numbers.join(",")})`;
}

/** The handles of the Bézier curve that is a straight line. */
export const LINEAR_HANDLES = [1 / 3, 1 / 3, 2 / 3, 2 / 3];

/** The handles of the Bézier curve with an easing's shape; null for a hold. */
export function shapeOf(/** @type {string | undefined} */ easing) {
    const kind = parseEasing(easing)?.kind;
    if (kind === "hold") return null;
    return kind === "linear" ? LINEAR_HANDLES : handlesOf(easing) ?? SMOOTH_HANDLES;
}

/** The handles of a Bézier or smooth easing; null for an easing without handles. */
export function handlesOf(/** @type {string | undefined} */ easing) {
    const parsed = parseEasing(easing);
    if (parsed?.kind === "bezier") return parsed.handles;
    return parsed?.kind === "smooth" ? SMOOTH_HANDLES : null;
}
