// Carries out on a video what preview.js decides.

import { carriedOver, freshPreview, previewStep } from "./preview.js";
import { sourceAt } from "./plot-map.js";

/** A rate that differs by less than this is the same: setting one costs the browser something. */
const SAME_RATE = 0.002;
/** Seconds by which the picture on the screen is ahead of `currentTime`: it is made for what comes. */
const AHEAD = 0.01;
/** Seconds for which a picture may lie between the browser's reports of what it shows. */
const REPORT = 1 / 60;
/** Seconds without a report after which pictures may have been shown that nobody told of. */
const UNREPORTED = 0.12;
/** How long a seek takes, before any was measured; and how fast what is measured counts. */
const USUAL_SEEK = 0.04, LEARNING = 0.3;

export class PreviewPlayer {
    /** The map that is followed; null: none is. */
    map = null;
    #start = 0;
    #frame = 1 / 30;
    #state = null;
    #latency = USUAL_SEEK;
    #soughtAt = 0;
    /** The picture that was shown last while playing, and when; null: none was since a seek. */
    #shown = null;
    #last = NaN;
    #isWatching = false;

    /** @param {HTMLVideoElement} video */
    constructor(video) {
        this.video = video;
        video.addEventListener("seeking", () => {
            this.#shown = null;
        });
        video.addEventListener("seeked", () => {
            if (this.#soughtAt === 0) return;
            const taken = Math.min(0.5, performance.now() / 1000 - this.#soughtAt);
            this.#latency += LEARNING * (taken - this.#latency);
            this.#soughtAt = 0;
        });
    }

    /**
     * @param {import("./preview.js").TimeMap} map
     * @param {{ start: number, frame: number }} clip where in the clip the map's source begins, and
     *     how long a frame lasts
     * @param {number} output where to begin
     */
    follow(map, { start, frame }, output) {
        this.map = map;
        this.#start = start;
        this.#frame = frame;
        this.#state = freshPreview(output, performance.now() / 1000);
        this.#watch();
    }

    /** Is told of every picture that is shown, where browsers tell. */
    #watch() {
        const next = (now, { mediaTime }) => {
            this.#isWatching = this.map !== null;
            if (!this.#isWatching) return;
            const isFresh = !this.video.paused && !this.video.seeking;
            // The first picture after a start is the one that stood there before.
            const isNew = this.#shown !== null || mediaTime !== this.#last;
            this.#shown = isFresh && isNew ? { mediaTime, now } : null;
            this.#last = mediaTime;
            this.video.requestVideoFrameCallback(next);
        };
        if (!this.#isWatching) this.video.requestVideoFrameCallback?.(next);
        this.#isWatching = true;
    }

    /** Whether the picture moves, as far as the browser says. */
    get #isShowing() {
        const { video } = this;
        return this.#shown !== null || video.videoWidth === 0 || !video.requestVideoFrameCallback;
    }

    /** The place in the clip that is on the screen. */
    get #seen() {
        const { video } = this;
        if (video.paused) return video.currentTime;
        const { playbackRate: rate } = video;
        const expected = video.currentTime + AHEAD * rate;
        if (this.#shown === null) return this.#isShowing ? expected : video.currentTime;
        const age = (performance.now() - this.#shown.now) / 1000;
        if (age > Math.max(UNREPORTED, 2 * this.#frame / rate)) return expected;
        // A busy machine shows pictures later than it says; what is seen is what counts.
        const earliest = this.#shown.mediaTime - REPORT * rate;
        return Math.min(Math.max(expected, earliest), earliest + this.#frame + 1.5 * REPORT * rate);
    }

    /** Another map instead, at the same place of the clip. */
    change(map, { start, frame }) {
        this.#state = carriedOver(this.#state, this.map, map, start - this.#start);
        this.map = map;
        this.#start = start;
        this.#frame = frame;
    }

    leave() {
        this.map = this.#state = null;
        delete this.video.dataset.output;
    }

    /** Seconds of the output. */
    get output() {
        return this.#state.output;
    }

    /** The place in the clip that the map gives for `output`. */
    get place() {
        return this.#start + sourceAt(this.map, this.output);
    }

    /** Goes to an output time. @returns {number} the place in the clip to be shown */
    jump(output) {
        this.#state = freshPreview(output, performance.now() / 1000);
        this.#tell();
        return this.place;
    }

    /** The clock goes on from now, not from when it was stopped. */
    resume() {
        this.#state = freshPreview(this.output, performance.now() / 1000);
    }

    /**
     * To be called for every picture of the page while it plays.
     * @param {number} pace output seconds a second
     * @returns {boolean} whether it is over
     */
    tick(pace, loop) {
        const { video } = this;
        const { state, act } = previewStep(this.#state, {
            now: performance.now() / 1000, map: this.map, pace, loop,
            source: this.#seen - this.#start, isSeeking: video.seeking,
            isShowing: this.#isShowing,
            canPlay: video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA || video.ended,
            frame: this.#frame, latency: this.#latency,
        });
        this.#state = state;
        if (act.paused) {
            video.pause();
            this.#shown = null;
        }
        if (act.seekTo !== null) {
            this.#soughtAt = performance.now() / 1000;
            video.currentTime = Math.max(0, this.#start + act.seekTo);
        }
        if (!act.paused) {
            if (Math.abs(video.playbackRate / act.rate - 1) > SAME_RATE) {
                video.playbackRate = act.rate;
            }
            // One that has ended would begin anew; it is where it is to be.
            if (video.paused && !video.ended) video.play().catch(() => {});
        }
        this.#tell();
        return act.isOver;
    }

    #tell() {
        this.video.dataset.output = this.output.toFixed(4);
    }
}
