// Keyframes when another part of the clip is used: they stay at their frames. What a shorter part cuts off comes back with a
// longer one, as long as the keyframes aren't changed meanwhile.

import { changed, isFlipped, isTimed } from "../app/draft.js";
import { bisected, clamped } from "../../shared/numbers.js";
import { parseDuration } from "../../shared/times.js";
import { cut } from "./keyframe-commands.js";
import { mirrored } from "./keyframe-edits.js";
import { isOverOutput, keyframesOf, knotsOf, SAME } from "./keyframe-pictures.js";
import { parseAt, printAt, shapeOf } from "./keyframe-text.js";

/**
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("../types").UsedPart} UsedPart
 * @typedef {import("../types").Draft} Draft
 */

/**
 * The keyframes of one used part on another one. Where that is longer, the first and the last speed go on, and a freeze at
 * either end stays one, with normal speed beyond it. Keyframes that play backwards or cut follow only to a part with all of the one
 * before in it; else they stay where they are in the output, as do those of a part that has nothing in common.
 *
 * @param {Keyframe[]} keyframes
 * @param {UsedPart} before
 * @param {UsedPart} after
 * @returns {Keyframe[]}
 */
export function keyframesIn(keyframes, before, after) {
    const shift = after.start - before.start;
    const from = Math.max(0, shift), to = Math.min(before.duration, shift + after.duration);
    const isWhole = from <= SAME && to >= before.duration - SAME;
    const turns = keyframes.some(({ speed, source }) => speed < 0 || source !== undefined);
    const isTurning = turns && !(isWhole && keyframes[0].speed > 0);
    const isSame = isWhole && Math.abs(shift) <= SAME && Math.abs(after.duration - before.duration) <= SAME;
    if (isSame || isTurning || to <= from) return keyframes;

    const isOutput = isTimed(keyframes), { sourceAt, length } = knotsOf(keyframes, before.duration);
    // A freeze at an end is kept whole.
    const instant = (/** @type {number} */ place, /** @type {number} */ slack) => (
        isOutput ? bisected((output) => sourceAt(output) < place + slack, [0, length]) : place);
    const begin = from > SAME ? cut(keyframes, instant(from, -SAME), before.duration) : { keyframes, last: 0 };
    const end = to < before.duration - SAME ? cut(begin.keyframes, instant(to, SAME), before.duration)
        : { keyframes: begin.keyframes, first: begin.keyframes.length - 1 };
    const { knots: all } = knotsOf(end.keyframes, before.duration);
    const offset = from > SAME ? all[begin.last].output : 0;
    const knots = all.slice(begin.last, end.first + 1).map((knot) => ({
        ...knot, source: knot.source - shift, output: knot.output - offset,
    }));
    const [first] = knots, last = knots[knots.length - 1], on = { speed: 1, easing: "hold" };
    if (shift < -SAME && first.speed === 0) knots.unshift({ ...first, ...on, source: 0 }, { ...first, ...on });
    if (shift + after.duration > before.duration + SAME && last.speed === 0) knots.push({ ...last, ...on });
    // Easings over the output have another shape over the source: a freeze of no length at the end keeps them as they are.
    const isEased = knots.some(({ speed, easing }, i) => shapeOf(easing) && speed !== (knots[i + 1]?.speed ?? speed));
    if (isOutput && isEased && !isOverOutput(knots)) {
        const still = { ...last, source: after.duration, speed: 0, easing: "hold" };
        knots.splice(-1, 1, { ...last, easing: "hold" }, still);
    }
    if (isOutput) return keyframesOf(knots, after.duration);
    const unit = parseAt(keyframes[0].at)?.unit ?? "percent";
    return knots.map(({ source, speed, easing }) => ({
        at: printAt(clamped(source / after.duration, 0, 1), unit, after.duration), speed, easing,
    }));
}

/** @type {(range: Draft["range"], clip: { duration: number, frameRate: number }) => UsedPart | null} null if it can't be read */
function partOf(range, { duration, frameRate }) {
    const start = range ? parseDuration(range.start || "0", frameRate, duration) : 0;
    const end = range?.end ? parseDuration(range.end, frameRate, duration) : duration;
    return start === null || end === null || end <= start ? null : { start, duration: Math.min(end, duration) - start };
}

/**
 * The draft with another range, and its keyframes at their frames.
 *
 * @param {Draft} draft
 * @param {Draft["range"]} range
 * @param {import("../types").Media | null} clip
 * @returns {Draft}
 */
export function withRange(draft, range, clip) {
    const { warp } = draft, { kind, keyframes, uncut } = warp, ranged = changed(draft, { range });
    const length = { duration: clip?.duration ?? 0, frameRate: clip?.video?.frameRate ?? 0 };
    const [before, after] = [partOf(draft.range, length), partOf(range, length)];
    if (kind !== "keyframes" || !keyframes || !before || !after) return ranged;
    const isCut = uncut !== null && JSON.stringify(uncut.cut) === JSON.stringify(keyframes);
    const origin = isCut ? uncut : { keyframes, part: before };
    /** @type {(list: Keyframe[], duration: number) => Keyframe[]} as they play, and back */
    const turned = (list, duration) => (isFlipped(warp) ? mirrored(list, duration) : list);
    const kept = turned(
        keyframesIn(turned(origin.keyframes, origin.part.duration), origin.part, after), after.duration);
    return changed(ranged, { warp: { keyframes: kept, uncut: { ...origin, cut: kept } } });
}
