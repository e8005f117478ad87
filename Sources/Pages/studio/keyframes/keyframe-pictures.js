// Which picture of the clip each keyframe is at, and when it is shown. An edit of speeds leaves every other keyframe at its
// picture, also through zero, where the keyframes' axis changes from the source to the output.

import { isTimed } from "../app/draft.js";
import { alongOutput, meanOf, wayAt } from "./easing-curve.js";
import { parseAt, placeOf, printAt } from "./keyframe-text.js";
import { lengthOf, shownAt } from "./keyframe-times.js";
import { bisected, clamped } from "../../shared/numbers.js";

/** Steps in which a piece is searched for turns. */
const STEPS = 64;
/** A mean speed below this is none: it would take too long to get anywhere. */
const LEAST_MEAN = 1e-3;
/** Seconds that are no difference. */
export const SAME = 1e-5;

/**
 * A keyframe in both times, in seconds. `isCut`: the film cuts to its picture.
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {{ source: number, output: number, speed: number, easing?: string, isCut?: boolean }} Knot
 */

/** @type {(knots: Knot[]) => boolean} whether they can only be written over the output */
export const isOverOutput = (knots) => knots.some(({ speed, isCut }) => speed <= 0 || isCut);

/** @type {(knots: Pick<Knot, "speed">[], duration: number) => number} the picture with which a film in seconds begins */
const beginning = (knots, duration) => ((knots.find(({ speed }) => speed !== 0)?.speed ?? 1) > 0 ? 0 : duration);

/** @type {(from: Pick<Knot, "speed" | "easing">, next: number) => number[]} the ways at which a piece turns, and at its end */
function turnsOf(from, next) {
    const along = (/** @type {number} */ t) => alongOutput(from, next, t);
    const ways = [along(1).way];
    for (let step = 0; step < STEPS; step += 1) {
        const { speed } = along(step / STEPS);
        if ((speed > 0) === (along((step + 1) / STEPS).speed > 0)) continue;
        ways.push(along(bisected((t) => (along(t).speed > 0) === (speed > 0), [step / STEPS, (step + 1) / STEPS])).way);
    }
    return ways;
}

/**
 * The keyframes in both times.
 *
 * @param {Keyframe[]} keyframes in order
 * @param {number} duration of the source
 * @returns {{ knots: Knot[], length: number, sourceAt: (output: number) => number }} `length`: of the output
 */
export function knotsOf(keyframes, duration) {
    const last = keyframes.length - 1;
    if (!isTimed(keyframes)) {
        const knots = keyframes.map(({ at, speed, easing }, i) => ({
            source: (placeOf(at, duration) ?? 0) * duration, output: shownAt(keyframes, i, duration), speed, easing,
        }));
        return { knots, length: lengthOf(keyframes, duration), sourceAt: () => NaN };
    }
    const isInSeconds = keyframes.some(({ at }) => parseAt(at)?.unit === "seconds");
    const places = keyframes.map(({ at }) => (isInSeconds ? parseAt(at)?.value : placeOf(at, 1)) ?? 0);
    const origin = beginning(keyframes, duration);
    // The way from the start, in seconds at speed 1 or as a share of them.
    /** @type {(i: number, way: number) => number} cuts are only in lists in seconds */
    const wayTo = (i, way) => {
        const { source } = keyframes[i];
        return source === undefined ? way : (parseAt(source)?.value ?? NaN) - origin;
    };
    const ways = [wayTo(0, keyframes[0].speed * places[0])];
    let [low, high] = [Math.min(0, ways[0]), Math.max(0, ways[0])];
    for (let i = 0; i < last; i += 1) {
        const time = places[i + 1] - places[i];
        for (const way of turnsOf(keyframes[i], keyframes[i + 1].speed)) {
            low = Math.min(low, ways[i] + way * time);
            high = Math.max(high, ways[i] + way * time);
        }
        ways.push(wayTo(i + 1, ways[i] + time * meanOf(keyframes[i], keyframes[i + 1].speed)));
    }
    const end = keyframes[last].speed;
    const rest = isInSeconds ? 0 : (1 - places[last]) * end;
    [low, high] = [Math.min(low, ways[last] + rest), Math.max(high, ways[last] + rest)];
    const unit = isInSeconds ? 1 : high > low ? duration / (high - low) : duration;
    const start = isInSeconds ? origin : -low * unit;
    const knots = keyframes.map(({ speed, easing, source }, i) => ({
        source: start + ways[i] * unit, output: places[i] * unit, speed, easing, ...source === undefined ? {} : { isCut: true },
    }));
    const left = end > 0 ? (duration - knots[last].source) / end : end < 0 ? -knots[last].source / end : 0;
    return {
        knots, length: isInSeconds ? places[last] + left : unit,
        sourceAt: (output) => {
            const i = knots.findLastIndex((knot) => knot.output <= output);
            if (i < 0) return start + keyframes[0].speed * output;
            const { source, output: from, speed } = knots[i], time = (knots[i + 1]?.output ?? from) - from;
            return time > 0 ? source + time * wayAt(keyframes[i], knots[i + 1].speed, (output - from) / time)
                : source + speed * (output - from);
        },
    };
}

/**
 * Keyframes from their pictures. Each comes when its picture is reached; where the film doesn't move towards it, it comes as
 * long after the one before as it did, and the next one makes up for it.
 *
 * @param {Knot[]} knots
 * @param {number} duration of the source
 * @returns {Keyframe[]}
 */
export function keyframesOf(knots, duration) {
    const hasCuts = knots.some(({ isCut }) => isCut), [first] = knots;
    // In seconds, a film that begins elsewhere has to say so.
    const begins = first.source - (first.isCut ? 0 : first.speed * first.output);
    const isElsewhere = hasCuts && !first.isCut && Math.abs(begins - beginning(knots, duration)) > SAME;
    /** @type {(places: number[], whole: number, unit?: import("./keyframe-text.js").Unit) => Keyframe[]} */
    const written = (places, whole, unit = "percent") => knots.map(({ speed, easing, source, isCut }, i) => ({
        at: printAt(clamped(places[i] / whole, 0, 1), unit, whole), speed, easing,
        ...isCut || (isElsewhere && i === 0) ? { source: printAt(clamped(source / duration, 0, 1), "seconds", duration) } : {},
    }));
    const last = knots.length - 1;
    if (isOverOutput(knots)) {
        const { times, end, high } = timesOf(knots, duration);
        const left = knots[last].speed > 0 ? duration - end : -end;
        const rest = knots[last].speed === 0 ? 0 : Math.max(0, left / knots[last].speed);
        // As shares of the output, a film that doesn't come to the clip's end would be stretched until it does.
        const isShort = knots[last].speed <= 0 && high < duration - SAME;
        return written(times, times[last] + rest, hasCuts || isShort ? "seconds" : "percent");
    }
    const isForward = knots.every(({ source }, i) => (
        source >= (knots[i - 1]?.source ?? 0) - SAME && source <= duration + SAME));
    if (isForward) return written(knots.map(({ source }) => source), duration);
    // Pictures that came in another order: what is kept is how long each piece is shown, more or less.
    const ways = [knots[0].speed * knots[0].output];
    for (let i = 1; i <= last; i += 1) {
        ways.push(ways[i - 1] + meanOf(knots[i - 1], knots[i].speed) * (knots[i].output - knots[i - 1].output));
    }
    return written(ways, Math.max(duration, ways[last]));
}

/**
 * When each is shown.
 * @type {(knots: Knot[], duration: number) => { times: number[], end: number, high: number }} `end`: the picture that the
 *     last keyframe is at; `high`: the last that is shown until then
 */
function timesOf(knots, duration) {
    const times = [knots[0].speed > 0 && !knots[0].isCut ? knots[0].source / knots[0].speed : knots[0].output];
    let end = knots[0].source, high = end;
    for (let i = 1; i < knots.length; i += 1) {
        const mean = meanOf(knots[i - 1], knots[i].speed), way = knots[i].source - end;
        const turns = turnsOf(knots[i - 1], knots[i].speed), least = Math.min(0, ...turns), most = Math.max(0, ...turns);
        if (knots[i].isCut) {
            end = knots[i].source;
            high = Math.max(high, end);
            times.push(times[i - 1] + Math.max(0, knots[i].output - knots[i - 1].output));
            continue;
        }
        const isReached = Math.abs(mean) > LEAST_MEAN && way * mean >= 0;
        const time = isReached ? way / mean : Math.max(0, Math.min(
            knots[i].output - knots[i - 1].output,
            // No further than to the clip's ends.
            least < 0 ? end / -least : Infinity, most > 0 ? (duration - end) / most : Infinity));
        high = Math.max(high, end + most * time);
        end += mean * time;
        times.push(times[i - 1] + time);
    }
    return { times, end, high };
}

/**
 * An edit of keyframes that leaves the others at their pictures.
 *
 * @param {Keyframe[]} before
 * @param {Keyframe[]} after the same keyframes, or some of them: edited on the axis of those before. With more of them nothing
 *     is changed: where keyframes are added, the curve keeps its shape
 * @param {number} duration of the source
 * @returns {Keyframe[]}
 */
export function withPicturesHeld(before, after, duration) {
    const wasTimed = isTimed(before);
    if (after.length > before.length || (!wasTimed && !isTimed(after))) return after;
    const { knots, length, sourceAt } = knotsOf(before, duration);
    // Keyframes that weren't touched are the same objects; others keep their number, as none is added.
    const numbers = after.length === before.length ? [...after.keys()] : after.map((each) => before.indexOf(each));
    const edited = after.map((keyframe, i) => {
        const { speed, easing } = keyframe, old = { ...knots[numbers[i]] }, was = before[numbers[i]];
        if (keyframe.source && keyframe.source !== was?.source) old.source = parseAt(keyframe.source)?.value ?? old.source;
        if (keyframe.at === was?.at) return { ...old, speed, easing };
        const place = placeOf(keyframe.at, wasTimed ? length : duration) ?? 0;
        if (!wasTimed) return { ...old, source: place * duration, speed, easing };
        const output = place * length;
        if (old.isCut) return { ...old, output, speed, easing };
        return { source: sourceAt(output), output, speed, easing };
    });
    return keyframesOf(edited, duration);
}
