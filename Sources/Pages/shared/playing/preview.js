// Decides what a player must do to show a clip through a time map (time remapping). Pure functions.
//
// A clock runs through the output. While the map rises at a rate that browsers support, the video
// plays, and its playback rate is adjusted at every step. Backwards, and faster than browsers support, it is
// shown by small frames where there are some; everything else (freezes, slower than browsers support) by
// seeking. The clock waits for the video or the small frames, so that the frame on the screen always matches
// the clock's time.

import { clamped } from "../numbers.js";
import { outputsOf, sourceAt, speedAt } from "./plot-map.js";

const SLOWEST = 1 / 16, FASTEST = 16;
/** Seconds from setting a playback rate until it takes effect. */
const LEAD = 0.03;
/** Seconds in which a small drift is corrected, and the largest change of the rate for that. */
const EASE = 0.35, MOST_EASING = 0.25;
/** The tolerated drift in frames: before a seek, before the clock waits for the video, and while seeking. */
const DRIFT = 2, REACH = 1, SEEK_REACH = 1.5;
/** A drift of more than so many frames or seconds of playing is a cut in the map, not a slow video. */
const CUT = 6, FAST_CUT = 0.15;
/** The tolerated drift in seconds of playing: a fast video moves far between two steps. */
const FAST_DRIFT = 0.05;
/** After this many seconds a video that was told to play is assumed to be moving. */
const LONGEST_START = 0.4;
/** The longest step of the clock in seconds: after a pause of the page, the clock continues where it was. */
const LONGEST_STEP = 0.1;

/**
 * @typedef {import("./plot-map.js").TimeMap} TimeMap
 * @typedef {{ output: number, now: number, mode: "play" | "seek" | "show" | null, landed: number,
 *     awaits: { source: number, since: number } | null }} PreviewState
 * `landed`: the source time that is on the screen while seeking. `awaits`: where and since when the
 * video was told to play, while it hasn't moved yet.
 * @typedef {{ now: number, map: TimeMap, pace: number, source: number, isSeeking: boolean,
 *     isShowing: boolean, canPlay: boolean, frame: number, latency: number, loop: boolean,
 *     hasImage: ((source: number) => boolean) | null }} PreviewInput
 * Times are in seconds. `source` counts from the start of the range; `pace` is output seconds per second
 * (negative for a shuttle backwards); `latency` is the duration of a seek; `isShowing`: whether a frame
 * has been shown since the video was told to play; `hasImage`: whether the small frame of a source time is
 * here, null if the clip has none.
 * @typedef {{ state: PreviewState, act: PreviewAct }} Step
 * @typedef {{ rate: number, paused: boolean, seekTo: number | null, show: number | null, isOver: boolean
 *     }} PreviewAct
 * `show`: the source time whose small frame is shown; null where the video itself is shown
 */

/**
 * @param {number} output the output time to start at
 * @param {number} now
 * @returns {PreviewState}
 */
export function freshPreview(output, now) {
    return { output, now, mode: null, landed: NaN, awaits: null };
}

/**
 * Whether browsers can play a video at a rate.
 * @param {number} rate
 */
export const isPlayable = (rate) => rate >= SLOWEST && rate <= FASTEST;

/**
 * Whether small frames are better than seeking. In freezes and very slow motion, few seeks show full frames.
 * @param {number} rate
 */
export const needsImages = (rate) => rate < 0 || rate > FASTEST;

/**
 * One step of the clock: compares the clock with the video and decides what to do.
 * @param {PreviewState} state
 * @param {PreviewInput} input
 * @returns {Step}
 */
export function previewStep(state, input) {
    const elapsed = Math.min(LONGEST_STEP, Math.max(0, input.now - state.now));
    const rate = speedAt(input.map, state.output) * input.pace;
    const before = { ...state, now: input.now };
    if (isPlayable(rate)) return atTheEnd(playOn(before, input, elapsed), input);
    return atTheEnd(input.hasImage && needsImages(rate)
        ? showOn(before, input, elapsed) : seekOn(before, input, elapsed, rate), input);
}

/** @type {(state: PreviewState, input: PreviewInput, elapsed: number) => Step} */
const playOn = (state, input, elapsed) => {
    const { map, pace, source, frame, isSeeking, isShowing, canPlay, now } = input;
    const starts = state.mode !== "play";
    let awaits = starts ? { source, since: now } : state.awaits;
    const hasMoved = awaits && isShowing && Math.abs(source - awaits.source) > 1e-4;
    const begins = awaits !== null && !isSeeking && (hasMoved || now - awaits.since > LONGEST_START);
    const before = begins && awaits ? whereBegun(state.output, input, now - awaits.since) : state.output;
    if (begins) awaits = null;
    if (isSeeking && awaits) awaits = { source, since: now };
    const isHeld = isSeeking || !canPlay || awaits !== null;
    const output = isHeld ? state.output : heeding(before, input, elapsed);
    const target = sourceAt(map, output);
    const drift = target - source;
    const rate = speedAt(map, clamped(output + LEAD * pace, 0, endOf(map))) * pace;
    const allowed = Math.max(DRIFT * frame, Math.abs(rate) * FAST_DRIFT);
    // After seeking, the video may be up to a frame off; playing must start at the exact place. A video that has been
    // told to play may count time before it shows anything, which is no drift.
    const isOff = starts ? Math.abs(drift) > frame / 2 : awaits === null && Math.abs(drift) > allowed;
    const mustSeek = !isSeeking && isOff;
    if (mustSeek) awaits = { source: target, since: now };
    return {
        state: { ...state, output, mode: "play", awaits },
        act: {
            rate: eased(rate, isHeld ? 0 : drift, frame), paused: false,
            seekTo: mustSeek ? target : null, show: null, isOver: false,
        },
    };
};

/**
 * The clock's time when the video begins to move: it may have counted time before it showed anything.
 * @type {(output: number, input: PreviewInput, elapsed: number) => number}
 */
const whereBegun = (output, { map, pace, source }, elapsed) => {
    const way = Math.sign(pace);
    const ahead = outputsOf(map, source).map((each) => way * (each - output))
        .filter((each) => each >= 0 && each <= 2 * Math.abs(pace) * elapsed);
    return output + way * (ahead.length > 0 ? Math.min(...ahead) : 0);
};

/**
 * Shows small frames. The clock waits while the next one isn't here.
 * @type {(state: PreviewState, input: PreviewInput, elapsed: number) => Step}
 */
const showOn = (state, { map, pace, hasImage }, elapsed) => {
    const next = clamped(state.output + elapsed * pace, 0, endOf(map));
    const output = hasImage?.(sourceAt(map, next)) ? next : state.output;
    return {
        state: { ...state, output, mode: "show", landed: NaN, awaits: null },
        act: { rate: 1, paused: true, seekTo: null, show: sourceAt(map, output), isOver: false },
    };
};

/**
 * The clock's next time: it waits for a slow video and catches up with a fast one.
 * @type {(before: number, input: PreviewInput, elapsed: number) => number}
 */
const heeding = (before, { map, pace, source, frame }, elapsed) => {
    const output = before + elapsed * pace;
    const drift = sourceAt(map, output) - source;
    const excess = Math.abs(drift) - REACH * frame;
    const rate = Math.max(SLOWEST, speedAt(map, clamped(output, 0, endOf(map))) * pace);
    if (excess <= 0 || excess > Math.max(CUT * frame, FAST_CUT * rate)) return output;
    // The correction is limited to one step, so that the clock neither goes back nor leaps ahead.
    const amend = Math.min(elapsed, excess / rate);
    return output - Math.sign(drift) * amend * pace;
};

/**
 * A rate that corrects a drift. Drifts below a third of a frame are ignored.
 * @type {(rate: number, drift: number, frame: number) => number}
 */
const eased = (rate, drift, frame) => {
    const base = clamped(rate, SLOWEST, FASTEST);
    if (Math.abs(drift) < frame / 3) return base;
    const most = MOST_EASING * base;
    return clamped(base + clamped(drift / EASE, -most, most), SLOWEST, FASTEST);
};

/** @type {(state: PreviewState, input: PreviewInput, elapsed: number, rate: number) => Step} */
const seekOn = (state, input, elapsed, rate) => {
    const { map, pace, source, frame, isSeeking, latency } = input;
    const reach = SEEK_REACH * frame;
    const isFar = (/** @type {number} */ place, /** @type {number} */ other) => Math.abs(place - other) > reach;
    const landed = isSeeking && !Number.isNaN(state.landed) ? state.landed : source;
    // The clock goes no further in one step than the tolerated drift, and waits while the shown frame is
    // too far off.
    const step = Math.min(elapsed, rate === 0 ? elapsed : reach / Math.abs(rate));
    const next = state.output + step * pace;
    const isHeld = isFar(sourceAt(map, isSeeking ? next : state.output), landed);
    const output = isHeld ? state.output : next;
    const here = sourceAt(map, clamped(output, 0, endOf(map)));
    // A seek takes time, so it aims at where the clock will be after it, unless there is a cut in between.
    const lead = rate === 0 ? 0 : Math.min(latency, reach / Math.abs(rate));
    const ahead = sourceAt(map, clamped(output + lead * pace, 0, endOf(map)));
    const target = isHeld || isFar(ahead, here) ? here : ahead;
    const mustSeek = !isSeeking && Math.abs(target - landed) > frame / 2;
    return {
        state: { ...state, output, mode: "seek", landed, awaits: null },
        act: { rate: 1, paused: true, seekTo: mustSeek ? target : null, show: null, isOver: false },
    };
};

/**
 * At the end, starts again when looping, else stops.
 * @type {(step: Step, input: PreviewInput) => Step}
 */
const atTheEnd = ({ state, act }, { map, pace, loop }) => {
    const end = endOf(map);
    const isOver = pace > 0 ? state.output >= end : state.output <= 0;
    if (!isOver) return { state, act };
    const output = (pace > 0) !== loop ? end : 0;
    if (!loop) return { state: { ...state, output }, act: { ...act, paused: true, isOver } };
    return {
        state: { ...state, output, mode: null, awaits: null },
        act: { ...act, paused: true, seekTo: sourceAt(map, output) },
    };
};

/**
 * Where the clock continues when the map changes: at the same source time. If that is shown at several
 * output times, the one nearest to the old place is used.
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

/** The duration of a map's output. */
export const endOf = (/** @type {TimeMap} */ map) => map.output[map.output.length - 1];

/** The identity map, for playing a clip backwards at normal speed. */
export const plainMap = (/** @type {number} */ duration) => ({ output: [0, duration], source: [0, duration] });

/** @type {(map: TimeMap, place: number) => number} the nearest source time that a map shows */
export const insideOf = ({ source }, place) => {
    const lowest = source.reduce((least, each) => Math.min(least, each), Infinity);
    const highest = source.reduce((most, each) => Math.max(most, each), -Infinity);
    return clamped(place, lowest, highest);
};
