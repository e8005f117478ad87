// What of the curve itself can be gripped and dragged: plateaus up and down, jumps across.

import { TREMBLE } from "../../shared/elements/plot-drag.js";

/** The curve is gripped within this distance, in pixels. */
const NEAR = 6;

/**
 * @typedef {import("./types").Grip} Grip
 * @typedef {import("./types").Point} Point
 */

/**
 * A plateau or a jump at a point. Both of its keyframes will move.
 * @type {(scene: import("./types").Scene, points: Point[], point: Point) => Grip | null} `points`: the keyframes'
 */
export function gripAt({ keyframes, axes }, points, point) {
    if (axes.view === "time") return null;
    /** @type {(way: "x" | "y", from: Point, to: Point) => boolean} */
    const isBetween = (way, from, to) => (
        point[way] >= Math.min(from[way], to[way]) && point[way] <= Math.max(from[way], to[way]));
    const isPlateau = (/** @type {number} */ i) => keyframes[i].speed === keyframes[i + 1].speed;
    const index = points.slice(1).findIndex((to, i) => (isPlateau(i)
        ? Math.abs(point.y - to.y) <= NEAR && isBetween("x", points[i], to)
        : Math.abs(points[i].x - to.x) < 1 && Math.abs(point.x - to.x) <= NEAR && isBetween("y", points[i], to)));
    if (index < 0) return null;
    const from = points[index];
    return {
        from, index, isPlateau: isPlateau(index), start: point, isHeld: null, anchor: null, axes, keyframes,
        group: [index, index + 1], offset: { x: point.x - from.x, y: point.y - from.y },
    };
}

/**
 * Decides, when the pointer has moved far enough, whether what is gripped is held: whether the pointer goes its way.
 * @type {(grip: Grip, point: Point) => boolean} whether it is held from now on
 */
export function decided(grip, point) {
    const across = Math.abs(point.x - grip.start.x), up = Math.abs(point.y - grip.start.y);
    if (grip.isHeld !== null || Math.max(across, up) < TREMBLE) return false;
    grip.isHeld = grip.isPlateau === up > across;
    return grip.isHeld;
}
