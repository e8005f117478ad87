// Approximates a curve by keyframes: where its speed starts or stops changing, at its turning points, and
// between these where one Bézier curve can't follow it. Each piece keeps the curve's slopes at both ends, so
// that smooth curves stay smooth, and takes the curve's time, so that the output keeps its length.

import { EXACT, LINEAR_HANDLES, SMOOTH_HANDLES, printBezier } from "./keyframe-text.js";
import { easingOf } from "./easing-from-curve.js";

/** The largest number of keyframes: more would be hard to edit by hand. */
const MOST = 24;
/** The largest change of speed on a plateau, and the smallest at a turning point, as shares of its range. */
const STAYS = 1e-7, TURNS = 0.02;
/** The shortest plateau, as a share of the clip. */
const PLATEAU = 0.03;
/** How far a piece may deviate from its easing, as a share of the curve's range. */
const CLOSE = 0.03;
/** How often a piece may be divided in two. */
const DIVISIONS = 3;
/** How much two slopes at a corner may differ for a smooth curve, as a share of the steepest. */
const KINK = 0.1;
/** Speeds change within this distance where the curve jumps and doesn't rest before. */
const JUMP = 1e-3;

/**
 * @typedef {{ at: string, speed: number, easing: string }} Seed
 * @typedef {{ at: number, speed: number }} Sample a place of the curve on [0,1]
 * @typedef {{ before: number, after: number }} Slopes of the curve on both sides of a corner
 * @typedef {{ from: number, to: number, easing: string, isFlat?: boolean }} Piece `from` and `to`: indexes of samples
 * @typedef {{ points: Sample[], over: "source" | "output", range: number, divisions: number }} Whole all samples, the
 *     range of their speeds, and how often a piece may be divided
 * @typedef {{ index: number, slope: number }} End of a piece
 */

/**
 * @param {{ over?: "source" | "output", u: number[], speed: (number | null)[] }} curve of an evaluation
 * @returns {Seed[]}
 */
export function seedKeyframes({ over = "source", u, speed }) {
    const points = u.map((at, index) => ({ at, speed: speed[index] ?? Infinity }))
        .filter((point) => Number.isFinite(point.speed));
    const speeds = points.map((point) => point.speed);
    const range = speeds.reduce((most, each) => Math.max(most, each), -Infinity)
        - speeds.reduce((least, each) => Math.min(least, each), Infinity);
    if (points.length < 2 || range < 1e-3 * Math.abs(speeds[0])) return flat(speeds[0] ?? 1);
    const all = cornersOf(points, range);
    const corners = thinned(all, points);
    const slopes = slopesAt(points, corners);
    refine(points, corners, slopes);
    const whole = { points, over, range, divisions: corners.length < all.length ? 0 : DIVISIONS };
    const pieces = corners.slice(1).flatMap((to, place) => piecesOf(
        whole, { index: corners[place], slope: slopes[place].after }, { index: to, slope: slopes[place + 1].before }));
    return keyframesOf(pieces, points);
}

const flat = (/** @type {number} */ speed) =>
    ["0%", "100%"].map((at) => ({ at, speed: rounded(speed), easing: "smooth" }));

const rounded = (/** @type {number} */ speed) => Number(speed.toPrecision(6));

/** The keyframes of consecutive pieces. A jump of the speed is a hold before it, or is spread a little. */
function keyframesOf(/** @type {Piece[]} */ pieces, /** @type {Sample[]} */ points) {
    /** @type {Seed[]} */
    const found = [];
    /** @type {(at: number, speed: number, easing: string) => number} */
    const add = (at, speed, easing) => found.push({
        at: `${Number((100 * at).toFixed(3))}%`, speed: rounded(speed), easing });
    pieces.forEach(({ from, to, easing }, place) => {
        const { at, speed } = points[from];
        const isJump = points[to].at - at < JUMP && place + 1 < pieces.length;
        if (!isJump) add(at, speed, easing);
        else if (found.length > 0 && pieces[place - 1].isFlat) found[found.length - 1].easing = "hold";
        else if (found.length > 0) add(at - JUMP, speed, "linear");
    });
    add(1, points[points.length - 1].speed, "smooth");
    return found;
}

/** The indexes of both ends, of the plateaus' edges, and of the turning points and jumps between these. */
function cornersOf(/** @type {Sample[]} */ points, /** @type {number} */ range) {
    const edges = [0, ...plateaus(points, STAYS * range).flat(), points.length - 1];
    const corners = new Set(edges);
    edges.slice(1).forEach((edge, place) => {
        for (const turn of turns(points, edges[place], edge, TURNS * range)) corners.add(turn);
    });
    for (let index = 1; index < points.length; index += 1) {
        const isJump = points[index].at - points[index - 1].at < JUMP / 10
            && Math.abs(points[index].speed - points[index - 1].speed) > TURNS * range;
        if (isJump) corners.add(index - 1).add(index);
    }
    return [...corners].sort((a, b) => a - b);
}

/** @type {(points: Sample[], slack: number) => number[][]} */
function plateaus(points, slack) {
    const found = [];
    for (let from = 0; from < points.length;) {
        let to = from;
        const { at, speed } = points[from];
        while (Math.abs((points[to + 1]?.speed ?? Infinity) - speed) <= slack) to += 1;
        if (points[to].at - at >= PLATEAU) found.push([from, to]);
        from = to + 1;
    }
    return found;
}

/** @type {(points: Sample[], from: number, to: number, least: number) => number[]} maxima and minima, no small waves */
function turns(points, from, to, least) {
    const found = [];
    let high = from, low = from, way = 0;
    for (let index = from; index <= to; index += 1) {
        const { speed } = points[index];
        if (speed > points[high].speed) high = index;
        if (speed < points[low].speed) low = index;
        if (way >= 0 && points[high].speed - speed > least) {
            if (high !== from) found.push(high);
            way = -1;
            low = high = index;
        } else if (way <= 0 && speed - points[low].speed > least) {
            if (low !== from) found.push(low);
            way = 1;
            low = high = index;
        }
    }
    return found;
}

/** Removes the corners whose speed differs least from their neighbours' until there are at most `MOST`. */
function thinned(/** @type {number[]} */ corners, /** @type {Sample[]} */ points) {
    const kept = [...corners];
    const gain = (/** @type {number} */ place) => {
        const [before, here, after] = [-1, 0, 1].map((by) => points[kept[place + by]].speed);
        return Math.max(Math.abs(here - before), Math.abs(here - after));
    };
    while (kept.length > MOST) {
        let least = 1;
        for (let place = 2; place < kept.length - 1; place += 1) {
            if (gain(place) < gain(least)) least = place;
        }
        kept.splice(least, 1);
    }
    return kept;
}

/** The curve's slopes before and after each corner; equal where the curve is smooth, 0 at a smooth turn. */
function slopesAt(/** @type {Sample[]} */ points, /** @type {number[]} */ corners) {
    const both = corners.map((index) => ({
        before: slopeAt(points, index, -1), after: slopeAt(points, index, 1) }));
    const steepest = both.reduce(
        (most, { before, after }) => Math.max(most, Math.abs(before), Math.abs(after)), 0);
    return both.map(({ before, after }, place) => {
        const isSmooth = Math.abs(before - after) <= KINK * steepest;
        if (!isSmooth || place === 0 || place + 1 === both.length) return { before, after };
        const index = corners[place], { speed } = points[index];
        const isTurn = (points[index - 1].speed - speed) * (points[index + 1].speed - speed) >= 0;
        const slope = isTurn ? 0 : (before + after) / 2;
        return { before: slope, after: slope };
    });
}

/**
 * Moves the samples at smooth turning points to the vertex of the parabola through them.
 * @type {(points: Sample[], corners: number[], slopes: Slopes[]) => void}
 */
function refine(points, corners, slopes) {
    corners.forEach((index, place) => {
        const { before, after } = slopes[place];
        if (before !== 0 || after !== 0 || place === 0 || place + 1 === corners.length) return;
        const [a, b, c] = [-1, 0, 1].map((by) => points[index + by]);
        const first = (b.speed - a.speed) / (b.at - a.at), second = (c.speed - b.speed) / (c.at - b.at);
        const bend = (second - first) / (c.at - a.at);
        const at = bend === 0 ? b.at : (a.at + b.at) / 2 - first / (2 * bend);
        if (!(first * second < 0) || at <= a.at || at >= c.at) return;
        points[index] = { at, speed: b.speed + (at - b.at) * (first + (at - a.at) * bend) };
    });
}

/**
 * The slope at a point, from the parabola through it and two points on one side.
 * @type {(points: Sample[], index: number, way: number) => number}
 */
function slopeAt(points, index, way) {
    const [a, b, c] = [0, way, 2 * way].map((by) => points[index + by]);
    if (!b || b.at === a.at) return 0;
    const first = (b.speed - a.speed) / (b.at - a.at);
    if (!c || c.at === b.at) return first;
    const second = (c.speed - b.speed) / (c.at - b.at);
    return first + (a.at - b.at) * (second - first) / (c.at - a.at);
}

/**
 * One piece from a corner to the next; two or more where one easing can't follow the curve.
 * @type {(curve: Whole, from: End, to: End) => Piece[]}
 */
function piecesOf(curve, from, to) {
    const { points, over, range, divisions } = curve;
    const slice = points.slice(from.index, to.index + 1);
    const piece = { from: from.index, to: to.index };
    const rise = slice[slice.length - 1].speed - slice[0].speed;
    const isFlat = slice.every(({ speed }) => Math.abs(speed - slice[0].speed) <= STAYS * range);
    if (isFlat || slice.length < 4) return [{ ...piece, easing: "linear", isFlat }];
    const { handles, worst, at } = easingOf(slice, [from.slope, to.slope], over);
    if (worst * Math.abs(rise) <= CLOSE * range || divisions === 0) return [{ ...piece, easing: named(handles) }];
    const index = from.index + Math.min(slice.length - 2, Math.max(1, at));
    const slope = (slopeAt(points, index, -1) + slopeAt(points, index, 1)) / 2;
    const halves = { ...curve, divisions: divisions - 1 };
    return [
        ...piecesOf(halves, from, { index, slope }), ...piecesOf(halves, { index, slope }, to),
    ];
}

/** The text of an easing: the usual ones have names. */
function named(/** @type {number[]} */ handles) {
    const is = (/** @type {number[]} */ others) =>
        handles.every((value, place) => Math.abs(value - others[place]) < 2e-3);
    if (is(SMOOTH_HANDLES)) return "smooth";
    return is(LINEAR_HANDLES) ? "linear" : printBezier(handles, EXACT);
}
