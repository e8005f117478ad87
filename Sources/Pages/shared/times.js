// Reads and formats times.

import { timeText } from "./plot-format.js";

const PLAIN = /^(\d+(?:\.\d*)?|\.\d+)(ms|s)?$/;
const FRACTION = /^(\d+)\/(\d+)$/;
const FRAMES = /^(\d+)f$/;
const SHARE = /^(\d+(?:\.\d*)?|\.\d+)\s*%$/;
const TIMECODE = /^(\d+):(\d+):(\d+):(\d+)$/;
const CLOCK = /^(?:(\d+):)?(\d+):(\d+(?:\.\d*)?)$/;

/**
 * Reads a duration in seconds: `12.5`, `90s`, `1:30`, `00:01:30.250`, `1500ms`, `2700/25`; with a frame rate also `60f` and
 * `00:00:02:12`, whose last number is frames; and `25%` of something whole.
 * @param {string} text
 * @param {number} [frameRate]
 * @param {number} [whole] the duration that is 100%
 * @returns {number | null} null if the text isn't a duration
 */
export function parseDuration(text, frameRate = 0, whole = 0) {
    const trimmed = text.trim();
    const share = whole > 0 && SHARE.exec(trimmed);
    if (share) return Number(share[1]) / 100 * whole;
    const frames = frameRate > 0 && FRAMES.exec(trimmed);
    if (frames) return Number(frames[1]) / frameRate;
    const code = frameRate > 0 && TIMECODE.exec(trimmed);
    if (code) {
        // Timecode counts whole frames to a second: 30 at 29.97.
        const whole = Math.round(frameRate), [hours, minutes, seconds, rest] = code.slice(1).map(Number);
        return rest < whole ? (((hours * 60 + minutes) * 60 + seconds) * whole + rest) / frameRate : null;
    }
    const plain = PLAIN.exec(trimmed);
    if (plain) return Number(plain[1]) / (plain[2] === "ms" ? 1000 : 1);
    const fraction = FRACTION.exec(trimmed);
    if (fraction) return Number(fraction[2]) > 0 ? Number(fraction[1]) / Number(fraction[2]) : null;
    const clock = CLOCK.exec(trimmed);
    if (!clock) return null;
    return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
}

/**
 * A duration as the program reads it: frames, timecode and percent, which it doesn't, become seconds.
 * @type {(text: string, frameRate: number | null | undefined, whole?: number) => string}
 */
export function plainDuration(text, frameRate, whole) {
    const seconds = parseDuration(text) === null ? parseDuration(text, frameRate ?? 0, whole) : null;
    return seconds === null ? text : durationText(seconds);
}

/**
 * Writes seconds as a duration, rounded to microseconds.
 * @param {number} seconds
 */
export function durationText(seconds) {
    return String(Number(seconds.toFixed(6)));
}

/**
 * A place in a clip, with a fixed number of decimals: `0:04.250`, `1:02:04.250`.
 * @param {number} seconds
 */
export function clockText(seconds) {
    const whole = Math.round(Math.max(0, seconds) * 1000);
    const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
    const rest = `${two(Math.floor(whole / 1000) % 60)}.${String(whole % 1000).padStart(3, "0")}`;
    const minutes = Math.floor(whole / 60_000);
    if (minutes < 60) return `${minutes}:${rest}`;
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

/**
 * A frame's number as timecode, whose last number is frames: `00:00:02:12`. It counts whole frames to a second: 30 at 29.97.
 * @param {number} number
 * @param {number} frameRate
 */
export function timecodeText(number, frameRate) {
    const whole = Math.round(frameRate) || 1, seconds = Math.floor(number / whole);
    return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, number % whole]
        .map((each) => String(each).padStart(2, "0")).join(":");
}

/**
 * A duration for people: `12.5 s`, `1:02:04`.
 * @param {number} seconds
 */
export function lengthText(seconds) {
    return timeText(seconds, seconds < 60 ? 2 : 0);
}

/**
 * The remaining time, rounded so that the text doesn't change too often: `3 s`, `2 min`.
 * @param {number} seconds
 */
export function remainingText(seconds) {
    if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
    if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
    return `${Math.floor(seconds / 3600)} h ${Math.round(seconds % 3600 / 60)} min`;
}

/** The frame rate by which what has no frames is stepped through and marked. */
const NO_FRAMES = 25;

/** @type {(frameRate: number | null | undefined) => number} the duration of a frame in seconds */
export const frameLength = (frameRate) => 1 / (frameRate || NO_FRAMES);

/**
 * The number of the frame that is shown at a time.
 * @param {number} seconds
 * @param {number} frameRate
 */
export function frameAt(seconds, frameRate) {
    return Math.max(0, Math.floor(seconds * frameRate + 1e-3));
}
