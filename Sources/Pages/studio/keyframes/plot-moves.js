// Where a dragged keyframe goes, in each view of the plot.

import { nearestTime } from "../plot/beat-times.js";
import { mirrored, moved, placesOf, roundSpeed } from "./keyframe-edits.js";
import { movedTogether } from "./keyframe-groups.js";
import { lengthOf, shownAt, speedBefore, speedForTime } from "./keyframe-times.js";
import { fromX, fromY, inside, speedFromY, speedToY, toX, toY } from "../plot/plot-geometry.js";
import { SNAP_DISTANCE, snapped } from "./plot-snap.js";

/**
 * @typedef {import("./types").Drag} Drag
 * @typedef {import("./types").DragScene} DragScene
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("./types").Mover} Mover
 * @typedef {import("./types").Point} Point
 */

/**
 * Where the keyframe is dragged to, in pixels. With Shift, only across or only up and down.
 * @type {(drag: Drag, pointer: Point, isStraight: boolean) => Point}
 */
export function draggedTo({ from, offset }, pointer, isStraight) {
    const point = { x: pointer.x - offset.x, y: pointer.y - offset.y };
    if (!isStraight) return point;
    // Whichever distance is larger.
    const isAcross = Math.abs(point.x - from.x) > Math.abs(point.y - from.y);
    return isAcross ? { x: point.x, y: from.y } : { x: from.x, y: point.y };
}

/**
 * In the views of speed and scale: across, the keyframe takes another place; up or down, another speed. Those that are
 * selected with it move as it does.
 *
 * @type {Mover}
 */
export function movedBySpeed(scene, index, { from, keyframes, axes, group }, point, isFree) {
    const { layout: { box }, turned, duration, ratio, axis } = scene;
    // The pointer's position is read on the axes as they were when the drag began. If they grew during
    // the drag and were used here, each move would make them grow further.
    const wanted = { seconds: Math.round(1000 * fromX(axes, box, point.x)) / 1000, speed: speedFromY(axes, box, point.y) / ratio };
    /** @type {ReturnType<typeof snapped>} */
    const { seconds, speed, guides, isOnBeat } = isFree
        ? { ...wanted, guides: {}, isOnBeat: false } : snapped(scene, index, wanted, { ...axis, axes, ratio });
    const place = turned(seconds / axes.length);
    // The speed changes only if the height does: in the scale view, a freeze has no exact height.
    const to = { place, speed: point.y === from.y ? undefined : roundSpeed(speed) };
    const old = keyframes[index].speed;
    const by = place - placesOf(keyframes, duration)[index];
    return {
        keyframes: group.length > 1
            ? movedTogether(keyframes, group, { by, from: old, to: to.speed ?? old }, axis)
            : moved(keyframes, index, to, axis),
        guides: (now) => ({
            x: guides.seconds === undefined ? null : toX(now, box, guides.seconds),
            y: guides.speed === undefined ? null : inside(box, speedToY(now, box, guides.speed * ratio)),
        }),
        beat: isOnBeat && group.length === 1 ? scene.beatAt(seconds) : null,
    };
}

/**
 * In the view of output times, over the source: across, the keyframe takes another place; up, it is shown later, and
 * slower until then. Its time snaps to beats of the output. Those that are selected with it move as it does.
 *
 * @type {Mover}
 */
export function movedInTime(scene, index, { from, keyframes, axes, group }, point, isFree) {
    const { layout: { box }, evaluation, turned, duration, axis } = scene;
    if (!evaluation) return { keyframes, guides: () => ({}) };
    const { output, guides } = outputAt(scene, point.y, axes, isFree);
    const isOutput = evaluation.curve.over === "output";
    const place = isOutput ? output / evaluation.outputDuration
        : point.x === from.x ? null : turned(fromX(axes, box, point.x) / axes.length);
    const across = place === null ? keyframes : group.length > 1
        ? movedTogether(keyframes, group, { by: place - placesOf(keyframes, duration)[index] }, axis)
        : moved(keyframes, index, { place }, axis);
    if (isOutput || point.y === from.y) return { keyframes: across, guides };
    const length = scene.fit ? evaluation.outputDuration : null;
    return { keyframes: shownLater(scene, index, across, group, output, length), guides };
}

/**
 * The keyframes with the speeds with which one of them is shown at a time of the output.
 * @type {(scene: DragScene, index: number, keyframes: Keyframe[], group: number[], output: number,
 *     length: number | null) => Keyframe[]} `length`: of the output if it is exact
 */
function shownLater({ turned, duration, ratio, axis }, index, keyframes, group, output, length) {
    const isTurned = turned(0) > 0;
    const last = keyframes.length - 1;
    const inOrder = (/** @type {Keyframe[]} */ list) => (isTurned ? mirrored(list, duration) : list);
    const numberOf = (/** @type {number} */ i) => (isTurned ? last - i : i);
    const found = speedBefore(inOrder(keyframes), numberOf(index), duration);
    if (found === null) return keyframes;
    const changed = numberOf(found);
    const old = keyframes[changed].speed;
    const withSpeed = (/** @type {number} */ speed) => (group.length > 1
        ? movedTogether(keyframes, group, { from: old, to: speed }, axis)
        : keyframes.map((each, i) => (i === changed ? { ...each, speed } : each)));
    // With an exact length all speeds are multiplied by one number, so what counts is the share of the length.
    const timeAt = (/** @type {number} */ speed) => {
        const list = inOrder(withSpeed(speed));
        const shown = shownAt(list, numberOf(index), duration);
        return length === null ? shown / ratio : shown / lengthOf(list, duration) * length;
    };
    // More digits than a dragged speed has: the time is what was dragged.
    return withSpeed(Number(speedForTime(timeAt, output, old).toPrecision(5)));
}

/**
 * The output time at a height.
 * @type {(scene: DragScene, y: number, axes: DragScene["axes"], isFree: boolean) =>
 *     { output: number, guides: ReturnType<Mover>["guides"] }}
 */
function outputAt({ layout: { box }, outputBeats }, y, axes, isFree) {
    const output = fromY(axes, box, y);
    const beat = isFree ? null : nearestTime(outputBeats, output);
    const isNear = beat !== null && Math.abs(toY(axes, box, beat) - y) <= SNAP_DISTANCE;
    return {
        output: isNear ? beat : output,
        guides: (now) => ({ x: null, y: isNear ? toY(now, box, beat) : null }),
    };
}
