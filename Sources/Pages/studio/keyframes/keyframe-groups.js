// Edits of several keyframes at once. Each function returns a new list; nothing is changed in place.

import { LARGEST_SPEED, placesOf, roundSpeed } from "./keyframe-edits.js";
import { parseAt, parseEasing, printAt } from "./keyframe-text.js";

/**
 * @typedef {import("./types").Axis} Axis
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {{ seconds: number, speed: number, easing: string }} Copy
 */

/**
 * Moves keyframes together. They keep their distances, and stop where the first of them would meet another keyframe
 * or an end.
 *
 * @param {Keyframe[]} keyframes
 * @param {number[]} indexes
 * @param {{ by?: number, from?: number, to?: number }} change `by`: on [0,1]; `from` and `to`: the speed of one of them
 *     before and after. All speeds are multiplied as that one is, or changed as much if one of them isn't above 0
 * @param {Axis} axis
 */
export function movedTogether(keyframes, indexes, { by = 0, from = 1, to = 1 }, { duration, least }) {
    const places = placesOf(keyframes, duration);
    const group = new Set(indexes);
    let [low, high] = [-Infinity, Infinity];
    for (const i of group) {
        const before = i === 0 ? 0 : group.has(i - 1) ? -Infinity : places[i - 1] + least;
        const after = i + 1 === places.length ? 1 : group.has(i + 1) ? Infinity : places[i + 1] - least;
        low = Math.max(low, before - places[i]);
        high = Math.min(high, after - places[i]);
    }
    const way = Math.max(Math.min(low, 0), Math.min(Math.max(high, 0), by));
    const isRatio = from > 0 && to > 0 && indexes.every((i) => keyframes[i].speed > 0);
    const speedOf = (/** @type {number} */ speed) =>
        roundSpeed(Math.min(LARGEST_SPEED, isRatio ? speed * (to / from) : speed + to - from));
    return keyframes.map((keyframe, i) => {
        if (!group.has(i)) return keyframe;
        const unit = parseAt(keyframe.at)?.unit ?? "percent";
        return {
            ...keyframe,
            ...(way === 0 ? {} : { at: printAt(Math.max(0, Math.min(1, places[i] + way)), unit, duration) }),
            ...(to === from ? {} : { speed: speedOf(keyframe.speed) }),
        };
    });
}

/** @type {(list: Keyframe[], indexes: number[]) => Keyframe[]} without some; the same list if too few would be left */
export function withoutAll(keyframes, indexes) {
    const rest = keyframes.filter((_, i) => !indexes.includes(i));
    return rest.length < 2 ? keyframes : rest;
}

/**
 * Keyframes as text for the clipboard: a curve file's, with seconds from the first of them.
 * @type {(keyframes: Keyframe[], indexes: number[], duration: number) => string}
 */
export function copiedText(keyframes, indexes, duration) {
    const places = placesOf(keyframes, duration);
    const sorted = [...indexes].sort((a, b) => a - b);
    return JSON.stringify({
        keyframes: sorted.map((i) => ({
            ...keyframes[i], at: printAt(((places[i] - places[sorted[0]])), "seconds", duration),
        })),
    });
}

/**
 * The keyframes in a text from the clipboard, with seconds from the first of them; null if it has none.
 *
 * @param {string} text
 * @param {number} duration of the axis, for places that aren't in seconds
 * @returns {Copy[] | null}
 */
export function keyframesIn(text, duration) {
    let list;
    try {
        list = JSON.parse(text)?.keyframes;
    } catch {
        return null;
    }
    if (!Array.isArray(list) || list.length === 0) return null;
    const whole = { share: duration, percent: duration / 100, seconds: 1 };
    const found = list.flatMap((each) => {
        const { at, speed, easing = "smooth" } = each ?? {};
        const place = parseAt(at);
        const isGood = place && Number.isFinite(speed) && Math.abs(speed) <= LARGEST_SPEED && parseEasing(easing);
        return isGood ? [{ seconds: place.value * whole[place.unit], speed, easing }] : [];
    });
    if (found.length < list.length) return null;
    const first = Math.min(...found.map(({ seconds }) => seconds));
    return found.map((each) => ({ ...each, seconds: each.seconds - first }))
        .sort((a, b) => a.seconds - b.seconds);
}

/**
 * Adds copied keyframes, the first of them at a place. They replace keyframes at the same places; those that would be
 * beyond the end are left out.
 *
 * @param {Keyframe[]} keyframes
 * @param {Copy[]} copies
 * @param {number} place
 * @param {Axis} axis
 * @returns {{ keyframes: Keyframe[], indexes: number[] }} the numbers of the added keyframes
 */
export function pasted(keyframes, copies, place, { duration, least }) {
    const places = placesOf(keyframes, duration);
    const unit = parseAt(keyframes[0]?.at)?.unit ?? "percent";
    const added = copies.map(({ seconds, speed, easing }) => ({
        place: place + seconds / duration, keyframe: { at: "", speed, easing },
    })).filter((each) => each.place <= 1 + 1e-9);
    for (const each of added) each.keyframe.at = printAt(Math.min(1, each.place), unit, duration);
    const kept = keyframes.map((keyframe, i) => ({ place: places[i], keyframe })).filter((old) =>
        added.every((each) => Math.abs(each.place - old.place) >= least - 1e-9));
    const all = [...kept, ...added].sort((a, b) => a.place - b.place);
    return {
        keyframes: all.map(({ keyframe }) => keyframe),
        indexes: added.map((each) => all.indexOf(each)),
    };
}
