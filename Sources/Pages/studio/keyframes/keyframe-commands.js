// Commands on a stretch of a curve of keyframes: hold a frame, another speed, a ramp, a rewind, backwards. A stretch begins and ends
// anywhere; the curve is divided there and keeps its shape, and everything beyond the stretch stays at its frames.

import { isTimed } from "../app/draft.js";
import { divided, overOutput } from "./easing-curve.js";
import { turned } from "./keyframe-edits.js";
import { keyframesOf, knotsOf, SAME } from "./keyframe-pictures.js";
import { EXACT, parseAt, printAt, printBezier, shapeOf } from "./keyframe-text.js";

/** How far a frame may be astray in a ramp that is turned over to the output, in frames. */
const ASTRAY = 0.2;

/**
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("./types").Stretch} Stretch
 * @typedef {import("./types").Commanded} Commanded
 * @typedef {import("./keyframe-pictures.js").Knot} Knot
 * @typedef {{ duration: number, frameRate: number }} Source of the source's used part, in seconds
 */

/**
 * The keyframes with one at an instant of their axis, where the curve keeps its shape.
 *
 * @param {Keyframe[]} keyframes
 * @param {number} seconds
 * @param {number} duration of the source
 * @returns {{ keyframes: Keyframe[], first: number, last: number, whole: number }} the first and the last keyframe at that
 *     instant, and the length of the axis
 */
export function cut(keyframes, seconds, duration) {
    const isOutput = isTimed(keyframes), { knots, length } = knotsOf(keyframes, duration);
    const places = knots.map(({ source, output }) => (isOutput ? output : source)), whole = isOutput ? length : duration;
    const here = [...places.keys()].filter((i) => Math.abs(places[i] - seconds) <= SAME);
    if (here.length > 0) return { keyframes, first: here[0], last: here[here.length - 1], whole };
    const index = places.filter((place) => place < seconds).length;
    const unit = parseAt(keyframes[0].at)?.unit ?? "percent";
    const at = printAt(seconds / whole, unit, whole);
    const [from, to] = [keyframes[index - 1], keyframes[index]];
    const list = keyframes.slice();
    if (from && to && from.speed !== to.speed) {
        const share = (seconds - places[index - 1]) / (places[index] - places[index - 1]);
        const { y, easings: [first, second] } = divided(from.easing, share);
        const speed = Number((from.speed + y * (to.speed - from.speed)).toPrecision(12));
        list.splice(index - 1, 1, { ...from, easing: first }, { at, speed, easing: second });
    } else {
        list.splice(index, 0, { at, speed: (from ?? to).speed, easing: from ? from.easing : "hold" });
    }
    return { keyframes: list, first: index, last: index, whole };
}

/**
 * The pieces of the keyframes over the output: each keyframe's, of which there may be several, see overOutput.
 * @type {(keyframes: Keyframe[], source: Source) => Knot[][]}
 */
function piecesOverOutput(keyframes, { duration, frameRate }) {
    const { knots } = knotsOf(keyframes, duration);
    return knots.map((knot, i) => {
        const next = knots[i + 1], handles = shapeOf(knot.easing);
        if (isTimed(keyframes) || !next || !handles || next.speed === knot.speed) return [knot];
        const way = next.source - knot.source;
        let { source } = knot;
        return overOutput(handles, { speed: knot.speed, next: next.speed, way, error: ASTRAY / frameRate }).map((part) => {
            const each = { ...knot, source, speed: part.speed, easing: printBezier(part.handles, EXACT) };
            source += part.way;
            return each;
        });
    });
}

/**
 * The knots before a stretch; with `lead`, what comes before ends with its own speed if the stretch doesn't begin with that; the
 * stretch's first knot, those in it, and its last; and those after it.
 *
 * @param {Keyframe[]} keyframes
 * @param {Stretch} stretch
 * @param {Source} source
 * @param {boolean} isOverOutput whether the edit will freeze or play backwards
 */
function opened(keyframes, { from, to }, source, isOverOutput) {
    const begin = cut(withEnds(keyframes), from, source.duration);
    const end = cut(begin.keyframes, to, source.duration);
    const pieces = isOverOutput ? piecesOverOutput(end.keyframes, source)
        : knotsOf(end.keyframes, source.duration).knots.map((knot) => [knot]);
    const [start] = pieces[begin.last], [stop] = pieces[end.first], isEnd = to >= begin.whole - SAME;
    return {
        before: pieces.slice(0, begin.last).flat(),
        lead: from > SAME && begin.first === begin.last ? [{ ...start, easing: "hold" }] : [],
        start, inside: pieces.slice(begin.last, end.first).flat(), stop,
        after: isEnd && end.last === pieces.length - 1 ? [] : pieces.slice(end.last).flat(),
        direction: Math.abs(stop.source - start.source) > SAME ? Math.sign(stop.source - start.source) : 0,
    };
}

/** @type {(keyframes: Keyframe[]) => Keyframe[]} with one at the end of what is before each cut, at the same instant */
const withEnds = (keyframes) => keyframes.flatMap((keyframe, i) => {
    const { source, ...end } = keyframe;
    return source === undefined || i === 0 || keyframes[i - 1].at === keyframe.at ? [keyframe] : [end, keyframe];
});

/**
 * The keyframes of what comes before, of what a command has made, and of what comes after.
 * @type {(before: Knot[], made: Knot[], after: Knot[], source: Source) => Commanded}
 */
function joined(before, made, after, { duration }) {
    const isSame = (/** @type {Knot} */ one, /** @type {Knot} */ other) => (
        one.speed === other.speed && Math.abs(one.source - other.source) <= SAME && !one.isCut && !other.isCut);
    // Where the speed doesn't jump, one keyframe is enough.
    const lead = before.length > 0 && isSame(before[before.length - 1], made[0]) ? before.slice(0, -1) : before;
    const last = made[made.length - 1];
    const isOne = after.length > 0 && last.speed !== 0 && isSame(last, after[0]);
    const knots = [...lead, ...isOne ? made.slice(0, -1) : made, ...after];
    return { keyframes: keyframesOf(knots, duration), selected: made.map((_, i) => lead.length + i) };
}

/**
 * Holds a picture: a freeze is put in, and what follows comes later.
 *
 * @param {Keyframe[]} keyframes
 * @param {number} at seconds of the keyframes' axis
 * @param {number} seconds how long
 * @param {Source} source
 * @returns {Commanded}
 */
export function held(keyframes, at, seconds, source) {
    const { before, lead, start, after } = opened(keyframes, { from: at, to: at }, source, true);
    const freeze = { ...start, speed: 0, easing: "hold" };
    return joined([...before, ...lead], [freeze, { ...freeze, output: start.output + seconds }], after, source);
}

/**
 * Plays a stretch at one speed, in the direction in which it plays.
 *
 * @param {Keyframe[]} keyframes
 * @param {Stretch} stretch
 * @param {number} speed above 0
 * @param {Source} source
 * @returns {Commanded | null} null if the stretch moves nowhere
 */
export function sped(keyframes, stretch, speed, source) {
    const { before, lead, start, stop, after, direction } = opened(keyframes, stretch, source, isTimed(keyframes));
    if (direction === 0) return null;
    const even = { speed: direction * speed, easing: "hold" };
    return joined([...before, ...lead], [{ ...start, ...even }, { ...stop, ...even }], after, source);
}

/**
 * Changes to another speed in a stretch, which then lasts as long as that takes, and on from there; after a stop or a cut it
 * goes on as before.
 *
 * @param {Keyframe[]} keyframes
 * @param {Stretch} stretch
 * @param {number} speed 0 or above
 * @param {Source} source
 * @returns {Commanded | null} null if the stretch moves nowhere
 */
export function ramped(keyframes, stretch, speed, source) {
    const isStop = speed === 0;
    const { before, start, stop, after, direction } = opened(keyframes, stretch, source, isStop || isTimed(keyframes));
    if (direction === 0) return null;
    const end = { ...stop, speed: direction * speed, easing: "hold" };
    const next = isStop || after[0]?.isCut ? after : after.map((knot, i) => (i === 0 ? { ...knot, speed: end.speed } : knot));
    return joined(before, [{ ...start, easing: "smooth" }, end], next, source);
}

/**
 * Plays a stretch, then back at a speed, then again.
 *
 * @param {Keyframe[]} keyframes
 * @param {Stretch} stretch
 * @param {number} speed of the way back, above 0
 * @param {Source} source
 * @returns {Commanded | null} null if the stretch moves nowhere
 */
export function rewound(keyframes, stretch, speed, source) {
    const { before, start, inside, stop, after, direction } = opened(keyframes, stretch, source, true);
    if (direction === 0) return null;
    const back = { speed: -direction * speed, easing: "hold" }, end = { ...stop, easing: "hold" };
    return joined([...before, ...inside, end], [{ ...stop, ...back }, { ...start, ...back }],
        [...inside, ...after.length > 0 ? after : [end]], source);
}

/**
 * Plays a stretch backwards, as fast as it was at each frame, and goes on after it.
 *
 * @param {Keyframe[]} keyframes
 * @param {Stretch} stretch
 * @param {Source} source
 * @returns {Commanded | null} null if the stretch moves nowhere
 */
export function reversed(keyframes, stretch, source) {
    const { before, lead, inside, stop, after, direction } = opened(keyframes, stretch, source, true);
    if (direction === 0) return null;
    const knots = [...inside, stop], at = (/** @type {Knot} */ { output }) => inside[0].output + stop.output - output;
    /** @type {Knot[]} */
    const made = [];
    let isCut = true;
    for (let i = inside.length - 1; i >= 0; i -= 1) {
        const from = knots[i], to = knots[i + 1], handles = shapeOf(from.easing);
        isCut ||= to.isCut === true;
        const isLong = Math.abs(to.output - from.output) > SAME || Math.abs(to.source - from.source) > SAME;
        if (to.isCut || !isLong) continue;
        const isEven = !handles || from.speed === to.speed, speed = isEven ? -from.speed : -to.speed;
        // Where the speed doesn't jump, one keyframe is enough.
        if (!isCut && made[made.length - 1].speed === speed) made.pop();
        made.push(
            { source: to.source, output: at(to), speed, isCut, easing: isEven ? "hold" : printBezier(turned(handles), EXACT) },
            { source: from.source, output: at(from), speed: -from.speed, easing: "hold" });
        isCut = false;
    }
    // At the end of the clip nothing follows, so the film stops there.
    const on = after.length > 0 ? [{ ...after[0], isCut: true }, ...after.slice(1)] : [{ ...made[made.length - 1], speed: 0 }];
    return joined([...before, ...lead], made, on, source);
}
