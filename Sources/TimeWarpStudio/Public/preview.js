// What a player has to do so that a clip is seen through a time map: decisions without a player.
//
// A clock runs through the output. While the map rises at a rate that browsers can play, the video
// plays, its rate set anew every time; everything else (freezes, backwards, faster or slower than
// browsers go) is done by seeking. The clock waits for the video, so that what is seen is always
// what the map says for the clock's time.

import { outputsOf, sourceAt, speedAt } from "./plot-map.js";

const SLOWEST = 1 / 16, FASTEST = 16;
/** Seconds from setting a rate until it is heard and seen. */
const LEAD = 0.03;
/** Seconds in which a small drift is made up for, and the most that the rate may change for it. */
const EASE = 0.35, MOST_EASING = 0.25;
/** Frames that may be wrong before a seek; before the clock heeds the video; while seeking. */
const DRIFT = 2, REACH = 1, SEEK_REACH = 1.5;
/** What is further off than so many frames or seconds of play isn't slowness but a cut in the map. */
const CUT = 6, FAST_CUT = 0.15;
/** Seconds of play that a drift may amount to: a fast video moves far between two looks at it. */
const FAST_DRIFT = 0.05;
/** Seconds that a video may take to start moving before it is thought to be moving. */
const LONGEST_START = 0.4;
/** The longest step of the clock: after a pause of the page it goes on where it was. */
const LONGEST_STEP = 0.1;

/**
 * @typedef {import("./plot-map.js").TimeMap} TimeMap
 * @typedef {{ output: number, now: number, mode: "play" | "seek" | null, landed: number,
 *     awaits: { source: number, since: number } | null }} PreviewState
 * `landed`: the source time that is on the screen while seeking. `awaits`: the video was told to
 * play from there and hasn't moved yet.
 * @typedef {{ now: number, map: TimeMap, pace: number, source: number, isSeeking: boolean,
 *     isShowing: boolean, canPlay: boolean, frame: number, latency: number, loop: boolean }} PreviewInput
 * Times in seconds; `source` counts from the start of the range, `pace` is output seconds a second
 * (negative for a shuttle backwards), `latency` how long seeks take; `isShowing` whether a picture has
 * come since the video was told to play.
 * @typedef {{ rate: number, paused: boolean, seekTo: number | null, isOver: boolean }} PreviewAct
 */

/**
 * @param {number} output where to begin
 * @param {number} now
 * @returns {PreviewState}
 */
export function freshPreview(output, now) {
    return { output, now, mode: null, landed: NaN, awaits: null };
}

/**
 * Whether a video can be played at a rate.
 * @param {number} rate
 */
const isPlayable = (rate) => rate >= SLOWEST && rate <= FASTEST;

/**
 * One look at the clock and the video.
 * @param {PreviewState} state
 * @param {PreviewInput} input
 * @returns {{ state: PreviewState, act: PreviewAct }}
 */
export function previewStep(state, input) {
    const elapsed = Math.min(LONGEST_STEP, Math.max(0, input.now - state.now));
    const rate = speedAt(input.map, state.output) * input.pace;
    const moved = isPlayable(rate)
        ? playOn({ ...state, now: input.now }, input, elapsed)
        : seekOn({ ...state, now: input.now }, input, elapsed, rate);
    return atTheEnd(moved, input);
}

function playOn(state, input, elapsed) {
    const { map, pace, source, frame, isSeeking, isShowing, canPlay, now } = input;
    const starts = state.mode !== "play";
    let awaits = starts ? { source, since: now } : state.awaits;
    const hasMoved = awaits && isShowing && Math.abs(source - awaits.source) > 1e-4;
    if (hasMoved || now - awaits?.since > LONGEST_START) awaits = null;
    if (isSeeking && awaits) awaits = { source, since: now };
    const isHeld = isSeeking || !canPlay || awaits !== null;
    const output = isHeld ? state.output : heeding(state.output, input, elapsed);
    const target = sourceAt(map, output);
    const drift = target - source;
    const rate = speedAt(map, clamped(output + LEAD * pace, 0, endOf(map))) * pace;
    const allowed = Math.max(DRIFT * frame, Math.abs(rate) * FAST_DRIFT);
    // What stood still before was left at most a frame from here; it is to begin exactly.
    const mustSeek = !isSeeking && Math.abs(drift) > (starts ? frame / 2 : allowed);
    if (mustSeek) awaits = { source: target, since: now };
    return {
        state: { ...state, output, mode: "play", awaits },
        act: {
            rate: eased(rate, isHeld ? 0 : drift, frame), paused: false,
            seekTo: mustSeek ? target : null, isOver: false,
        },
    };
}

/** The clock's next time: it neither runs ahead of a video that is slow nor lets a fast one go. */
function heeding(before, { map, pace, source, frame }, elapsed) {
    const output = before + elapsed * pace;
    const drift = sourceAt(map, output) - source;
    const excess = Math.abs(drift) - REACH * frame;
    const rate = Math.max(SLOWEST, speedAt(map, clamped(output, 0, endOf(map))) * pace);
    if (excess <= 0 || excess > Math.max(CUT * frame, FAST_CUT * rate)) return output;
    // Back at most to where it was, on at most by as much again.
    const amend = Math.min(elapsed, excess / rate);
    return output - Math.sign(drift) * amend * pace;
}

/** A rate that makes up for a drift; one of a third of a frame is none. */
function eased(rate, drift, frame) {
    const base = clamped(rate, SLOWEST, FASTEST);
    if (Math.abs(drift) < frame / 3) return base;
    const most = MOST_EASING * base;
    return clamped(base + clamped(drift / EASE, -most, most), SLOWEST, FASTEST);
}

function seekOn(state, input, elapsed, rate) {
    const { map, pace, source, frame, isSeeking, latency } = input;
    const reach = SEEK_REACH * frame;
    const isFar = (place, other) => Math.abs(place - other) > reach;
    const landed = isSeeking && !Number.isNaN(state.landed) ? state.landed : source;
    // No further in one step than may be wrong, and not while something wrong is seen.
    const step = Math.min(elapsed, rate === 0 ? elapsed : reach / Math.abs(rate));
    const next = state.output + step * pace;
    const isHeld = isFar(sourceAt(map, isSeeking ? next : state.output), landed);
    const output = isHeld ? state.output : next;
    const here = sourceAt(map, clamped(output, 0, endOf(map)));
    // A seek takes its time: it aims at where the clock will be then, unless that lies elsewhere.
    const lead = rate === 0 ? 0 : Math.min(latency, reach / Math.abs(rate));
    const ahead = sourceAt(map, clamped(output + lead * pace, 0, endOf(map)));
    const target = isHeld || isFar(ahead, here) ? here : ahead;
    const mustSeek = !isSeeking && Math.abs(target - landed) > frame / 2;
    return {
        state: { ...state, output, mode: "seek", landed, awaits: null },
        act: { rate: 1, paused: true, seekTo: mustSeek ? target : null, isOver: false },
    };
}

/** Beyond the end it begins again, or is over. */
function atTheEnd({ state, act }, { map, pace, loop }) {
    const end = endOf(map);
    const isOver = pace > 0 ? state.output >= end : state.output <= 0;
    if (!isOver) return { state, act };
    const output = (pace > 0) !== loop ? end : 0;
    if (!loop) return { state: { ...state, output }, act: { ...act, paused: true, isOver } };
    return {
        state: { ...state, output, mode: null, awaits: null },
        act: { ...act, paused: true, seekTo: sourceAt(map, output) },
    };
}

/**
 * Where the clock goes on when the map changes: at the same source place, and of several output
 * times at the one nearest to where it was.
 * @param {PreviewState} state
 * @param {TimeMap} before
 * @param {TimeMap} after
 * @param {number} shift how much later the new range starts in the clip
 * @returns {PreviewState}
 */
export function carriedOver(state, before, after, shift = 0) {
    const source = sourceAt(before, state.output) - shift;
    const expected = state.output / (endOf(before) || 1) * endOf(after);
    const places = outputsOf(after, insideOf(after, source));
    const nearest = places.reduce(
        (best, each) => (Math.abs(each - expected) < Math.abs(best - expected) ? each : best),
        places[0] ?? clamped(expected, 0, endOf(after)));
    return { ...state, output: nearest };
}

/** How long the output is that a map makes. */
export const endOf = (map) => map.output.at(-1);

/** A map that changes nothing, for playing a clip backwards as it is. */
export const plainMap = (duration) => ({ output: [0, duration], source: [0, duration] });

/** The source place that a map shows which is nearest to a place. */
export function insideOf({ source }, place) {
    const lowest = source.reduce((least, each) => Math.min(least, each), Infinity);
    const highest = source.reduce((most, each) => Math.max(most, each), -Infinity);
    return clamped(place, lowest, highest);
}

const clamped = (value, low, high) => Math.min(high, Math.max(low, value));
