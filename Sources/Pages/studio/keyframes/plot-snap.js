// Snapping: moves a dragged keyframe to a place or speed near it, and returns the guides to draw.

import { freedom } from "./keyframe-edits.js";
import { nearestTime } from "../plot/beat-times.js";
import { speedToY } from "../plot/plot-geometry.js";

/** The distance within which a keyframe snaps, in pixels. */
export const SNAP_DISTANCE = 7;

const MARKS = [0, 0.25, 0.5, 0.75, 1];
const ROUND_SPEEDS = [-2, -1, -0.5, 0, 0.25, 0.5, 1, 2, 4];

/**
 * Snaps a place to a beat, to quarters of the axis or to the playing position, else to a whole frame.
 *
 * @param {number} seconds on the axis
 * @param {{ length: number, span?: number, width: number, frameRate: number, offset: number, dot: number | null,
 *     beats?: number[] }} axis `length` in seconds; `span`: how much of it is shown, `width` pixels wide; `offset`:
 *     where in the clip the axis begins; `dot`: the playing position; `beats`: on the axis, sorted
 * @returns {{ seconds: number, guide: boolean, isBeat?: boolean }} `guide`: whether to draw a line there
 */
export function snapPlace(seconds, { length, span = length, width, frameRate, offset, dot, beats = [] }) {
    const near = (SNAP_DISTANCE / width) * span;
    const marks = MARKS.map((mark) => mark * length).concat(dot === null ? [] : [dot]);
    const beat = nearestTime(beats, seconds);
    const isOnBeat = beat !== null && Math.abs(beat - seconds) <= near;
    const mark = isOnBeat ? beat : closest(marks, seconds);
    if (Math.abs(mark - seconds) <= near) return { seconds: mark, guide: true, isBeat: isOnBeat };
    if (!(frameRate > 0)) return { seconds, guide: false };
    const frame = Math.round((seconds + offset) * frameRate) / frameRate - offset;
    return { seconds: Math.max(0, Math.min(length, frame)), guide: false };
}

/**
 * Snaps a speed to a round one, or to the neighbours' speeds.
 *
 * @param {number} speed
 * @param {number[]} neighbours
 * @param {(speed: number) => number} toY converts a speed to pixels, which measure the distance
 */
export function snapSpeed(speed, neighbours, toY) {
    const y = toY(speed);
    const levels = [...ROUND_SPEEDS, ...neighbours].filter((level) => Math.abs(toY(level) - y) <= SNAP_DISTANCE);
    if (levels.length === 0) return { speed, guide: false };
    return { speed: levels.sort((a, b) => Math.abs(toY(a) - y) - Math.abs(toY(b) - y))[0], guide: true };
}

/**
 * Snaps a dragged keyframe in time and in speed.
 *
 * @param {import("./types").Scene} scene
 * @param {number} index
 * @param {{ seconds: number, speed: number }} wanted
 * @param {import("./types").Axis & { axes: import("./types").Axes, ratio: number }} axis `axes`: at the start of the
 *     drag; `ratio`: of the curve's speeds to the keyframes'
 * @returns {{ seconds: number, speed: number, guides: { seconds?: number, speed?: number }, isOnBeat: boolean }}
 */
export function snapped(scene, index, wanted, axis) {
    const { keyframes, layout: { box }, frameRate, offset, dot, turned, beats } = scene;
    const { axes, ratio } = axis;
    const { length } = axes;
    const time = snapPlace(wanted.seconds, {
        length, span: axes.to - axes.from, width: box.width, frameRate, offset, dot: dot(), beats,
    });
    const neighbours = [keyframes[index - 1], keyframes[index + 1]]
        .filter(Boolean).map((keyframe) => keyframe.speed);
    const level = snapSpeed(wanted.speed, neighbours, (speed) => speedToY(axes, box, speed * ratio));
    const [low, high] = freedom(keyframes, index, axis);
    const place = turned(time.seconds / length);
    const isFree = place >= low && place <= high;
    return {
        seconds: time.seconds, speed: level.speed,
        guides: {
            ...(time.guide && isFree ? { seconds: time.seconds } : {}),
            ...(level.guide ? { speed: level.speed } : {}),
        },
        isOnBeat: isFree && time.isBeat === true,
    };
}

/** @type {(values: number[], wanted: number) => number} */
const closest = (values, wanted) =>
    values.reduce((best, value) => (Math.abs(value - wanted) < Math.abs(best - wanted) ? value : best));
