// Where a dragged keyframe goes, in each view of the plot.

import { nearestTime } from "../plot/beat-times.js";
import { mirrored, moved, placesOf, roundSpeed } from "./keyframe-edits.js";
import { movedTogether } from "./keyframe-groups.js";
import { lengthOf, shownAt, speedBefore, speedForTime } from "./keyframe-times.js";
import { fromX, fromY, inside, speedFromY, speedToY, toX, toY } from "../plot/plot-geometry.js";
import { SNAP_DISTANCE, snapped } from "./plot-snap.js";

/**
 * @typedef {{ from: { x: number, y: number }, offset: { x: number, y: number }, keyframes: object[],
 *     axes: import("../plot/plot-geometry.js").Axes, group: number[] }} Drag as it began: the handle's point, the pointer's
 *     distance from it, the keyframes, the axes and the selected keyframes
 * @typedef {{ keyframes: object[], guides: (axes: object) => object, beat?: number | null }} Move `guides`: the lines to
 *     draw, in pixels; `beat`: the beat of the output onto which it was dragged, if it moves with the keyframe
 */

/** Where the keyframe is dragged to, in pixels. With Shift, only across or only up and down. */
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
 * @param {object} scene the keyframes' scene with `ratio` and `axis`
 * @param {number} index
 * @param {Drag} drag
 * @param {boolean} isFree whether it doesn't snap
 * @returns {Move}
 */
export function movedBySpeed(scene, index, { from, keyframes, axes, group }, point, isFree) {
    const { layout: { box }, turned, duration, ratio, axis } = scene;
    // The pointer's position is read on the axes as they were when the drag began. If they grew during
    // the drag and were used here, each move would make them grow further.
    const wanted = { seconds: fromX(axes, box, point.x), speed: speedFromY(axes, box, point.y) / ratio };
    const { seconds, speed, guides, isOnBeat = false } = isFree
        ? { ...wanted, guides: {} } : snapped(scene, index, wanted, { ...axis, axes, ratio });
    const to = { place: turned(seconds / axes.length) };
    // The speed changes only if the height does: in the scale view, a freeze has no exact height.
    if (point.y !== from.y) to.speed = roundSpeed(speed);
    const old = keyframes[index].speed;
    const by = to.place - placesOf(keyframes, duration)[index];
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
 * @returns {Move}
 */
export function movedInTime(scene, index, { from, keyframes, axes, group }, point, isFree) {
    const { layout: { box }, evaluation, turned, duration, axis } = scene;
    const { output, guides } = outputAt(scene, point.y, axes, isFree);
    const isOutput = evaluation.curve.over === "output";
    const place = isOutput ? output / evaluation.outputDuration
        : point.x === from.x ? null : turned(fromX(axes, box, point.x) / axes.length);
    const across = place === null ? keyframes : group.length > 1
        ? movedTogether(keyframes, group, { by: place - placesOf(keyframes, duration)[index] }, axis)
        : moved(keyframes, index, { place }, axis);
    if (isOutput || point.y === from.y) return { keyframes: across, guides };
    return { keyframes: shownLater(scene, index, across, group, output), guides };
}

/** The keyframes with the speeds with which one of them is shown at a time of the output. */
function shownLater({ evaluation, turned, duration, ratio, axis, fit }, index, keyframes, group, output) {
    const isTurned = turned(0) > 0;
    const last = keyframes.length - 1;
    const inOrder = (list) => (isTurned ? mirrored(list, duration) : list);
    const numberOf = (i) => (isTurned ? last - i : i);
    const found = speedBefore(inOrder(keyframes), numberOf(index), duration);
    if (found === null) return keyframes;
    const changed = numberOf(found);
    const old = keyframes[changed].speed;
    const withSpeed = (speed) => (group.length > 1
        ? movedTogether(keyframes, group, { from: old, to: speed }, axis)
        : keyframes.map((each, i) => (i === changed ? { ...each, speed } : each)));
    // With an exact length all speeds are multiplied by one number, so what counts is the share of the length.
    const timeAt = (speed) => {
        const list = inOrder(withSpeed(speed));
        const shown = shownAt(list, numberOf(index), duration);
        return fit ? shown / lengthOf(list, duration) * evaluation.outputDuration : shown / ratio;
    };
    // More digits than a dragged speed has: the time is what was dragged.
    return withSpeed(Number(speedForTime(timeAt, output, old).toPrecision(5)));
}

/** The output time at a height. */
function outputAt({ layout: { box }, outputBeats }, y, axes, isFree) {
    const output = fromY(axes, box, y);
    const beat = isFree ? null : nearestTime(outputBeats, output);
    const isNear = beat !== null && Math.abs(toY(axes, box, beat) - y) <= SNAP_DISTANCE;
    return {
        output: isNear ? beat : output,
        guides: (now) => ({ x: null, y: isNear ? toY(now, box, beat) : null }),
    };
}
