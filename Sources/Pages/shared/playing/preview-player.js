// Controls a video element as preview.js decides.

import { FrameTally } from "./frame-tally.js";
import { carriedOver, endOf, freshPreview, isPlayable, needsImages, previewStep } from "./preview.js";
import { sourceAt, speedAt } from "./plot-map.js";
import { seekVideo } from "./seek.js";

/** Playback rates that differ by less than this are treated as equal, because setting one is slow. */
const SAME_RATE = 0.002;
/** Seconds by which the frame on the screen is ahead of `currentTime`: browsers prepare frames ahead. */
const AHEAD = 0.01;
/** The tolerance, in seconds, of the browser's reports of shown frames. */
const REPORT = 1 / 60;
/** After this many seconds without a report, frames may have been shown without a report. */
const UNREPORTED = 0.12;
/** The assumed duration of a seek before any was measured, and the weight of each measurement. */
const USUAL_SEEK = 0.04, LEARNING = 0.3;
/** How many seconds ahead of their use small frames are fetched. */
const FETCH_AHEAD = 1.5;

/**
 * @typedef {import("./plot-map.js").TimeMap} TimeMap
 * @typedef {{ start: number, frame: number }} Place where in the clip a map's source begins, and how long a frame lasts
 */

export class PreviewPlayer {
    /** @type {TimeMap | null} the time map that is followed */
    map = null;
    /** @type {import("./frame-images.js").FrameImages | null} the clip's small frames */
    images = null;
    #start = 0;
    #frame = 1 / 30;
    #state = freshPreview(0, 0);
    #latency = USUAL_SEEK;
    #soughtAt = 0;
    /** @type {{ mediaTime: number, now: number } | null} the frame shown last while playing, since a seek, and when */
    #shown = null;
    #last = NaN;
    /** The video's time at the last step, and since when it has been the same. */
    #moved = { time: NaN, now: -Infinity };
    #isWatching = false;
    #tally = new FrameTally();
    /** @type {number | null} how many frames the browser had shown at its last report; null before the first one */
    #presented = null;
    /** @type {ImageBitmap | null} */
    #image = null;
    /** @type {(error: Error) => void} called if the video doesn't play although it was told to */
    onStop = () => {};

    /**
     * @param {HTMLVideoElement} video
     * @param {HTMLCanvasElement | null} canvas over the video, for small frames
     */
    constructor(video, canvas) {
        this.video = video;
        this.canvas = canvas;
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
     * @param {TimeMap} map
     * @param {Place} clip
     * @param {number} output the output time to start at
     */
    follow(map, { start, frame }, output) {
        this.map = map;
        this.#start = start;
        this.#frame = frame;
        this.#state = freshPreview(output, performance.now() / 1000);
        this.#watch();
    }

    /** Follows which frames are shown, in browsers that report it. */
    #watch() {
        /** @type {VideoFrameRequestCallback} */
        const next = (now, { mediaTime, presentedFrames }) => {
            this.#isWatching = this.map !== null;
            if (!this.#isWatching) return;
            if (this.#presented !== null) this.#tally.show(presentedFrames - this.#presented, now / 1000);
            this.#presented = presentedFrames;
            const isFresh = !this.video.paused && !this.video.seeking;
            // The first report after a start may be the frame that was on the screen before.
            const isNew = this.#shown !== null || mediaTime !== this.#last;
            this.#shown = isFresh && isNew ? { mediaTime, now } : null;
            this.#last = mediaTime;
            this.video.requestVideoFrameCallback(next);
        };
        if (!this.#isWatching) {
            this.#presented = null;
            this.video.requestVideoFrameCallback?.(next);
        }
        this.#isWatching = true;
    }

    /** Whether the video is moving, as far as the browser reports it. */
    get #isShowing() {
        const { video } = this;
        return this.#shown !== null || video.videoWidth === 0 || !video.requestVideoFrameCallback;
    }

    /** Whether the video's time has changed lately. On a busy machine WebKit says that it lacks data while it plays. */
    #isMoving(/** @type {number} */ now) {
        const { currentTime: time } = this.video;
        if (time !== this.#moved.time) this.#moved = { time, now };
        return now - this.#moved.now < UNREPORTED;
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
        // A busy machine shows frames later than `currentTime` says; what is shown counts.
        const earliest = this.#shown.mediaTime - REPORT * rate;
        return Math.min(Math.max(expected, earliest), earliest + this.#frame + 1.5 * REPORT * rate);
    }

    /**
     * Changes the map, and continues at the same place of the clip.
     * @param {TimeMap} map
     * @param {Place} clip
     */
    change(map, { start, frame }) {
        this.#state = carriedOver(this.#state, this.#map, map, start - this.#start);
        this.map = map;
        this.#start = start;
        this.#frame = frame;
    }

    leave() {
        this.map = null;
        this.showVideo();
        delete this.video.dataset.output;
    }

    /** How many frames a second are shown and should be, while too few are shown; else null. */
    get shortage() {
        return this.map && this.#tally.shortage;
    }

    /** The map, while one is followed. */
    get #map() {
        return /** @type {TimeMap} */ (this.map);
    }

    /** The present output time in seconds. */
    get output() {
        return this.#state.output;
    }

    /** The place in the clip that the map gives for `output`. */
    get place() {
        return this.#start + sourceAt(this.#map, this.output);
    }

    /** Jumps to an output time. @returns {number} the place in the clip to show */
    jump(/** @type {number} */ output) {
        this.#state = freshPreview(output, performance.now() / 1000);
        this.#tell();
        return this.place;
    }

    /**
     * Call this when the user has pressed something to play. Browsers that let a video play only at a press remember
     * this one.
     * @param {number} pace output seconds per second
     * @returns {Promise<void>} rejected if the browser refuses
     */
    begin(pace) {
        this.#tally.restart();
        // The time while the clock was stopped doesn't count.
        this.#state = freshPreview(this.output, performance.now() / 1000);
        const started = this.video.play();
        if (!isPlayable(speedAt(this.#map, this.output) * pace)) this.video.pause();
        return started;
    }

    /**
     * Call this in every animation frame while playing.
     * @param {number} pace output seconds per second
     * @param {boolean} loop
     * @returns {boolean} whether the end was reached
     */
    tick(pace, loop) {
        const { video } = this;
        const now = performance.now() / 1000;
        this.#fetchImages(pace);
        const { state, act } = previewStep(this.#state, {
            hasImage: this.canvas && this.images?.isUsable
                ? (source) => this.#imageAt(source) !== null : null,
            now, map: this.#map, pace, loop,
            source: this.#seen - this.#start, isSeeking: video.seeking,
            isShowing: this.#isShowing,
            canPlay: video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA || video.ended || this.#isMoving(now),
            frame: this.#frame, latency: this.#latency,
        });
        this.#state = state;
        this.#tally.step(now, Math.abs(speedAt(this.#map, this.output) * pace) / this.#frame);
        if (act.paused) {
            video.pause();
            this.#shown = null;
        }
        if (act.seekTo !== null) {
            this.#soughtAt = performance.now() / 1000;
            seekVideo(video, this.#start + act.seekTo);
        }
        if (!act.paused) {
            if (Math.abs(video.playbackRate / act.rate - 1) > SAME_RATE) {
                video.playbackRate = act.rate;
            }
            // `play` would restart a video that has ended, which is already where it should be.
            if (video.paused && !video.ended) video.play().catch(this.onStop);
        }
        this.#showImage(act);
        this.#tell();
        return act.isOver;
    }

    // Small frames

    /** Fetches the small frames that are shown now or soon. */
    #fetchImages(/** @type {number} */ pace) {
        if (!this.images || !this.canvas) return;
        for (const ahead of [0, FETCH_AHEAD]) {
            const output = Math.min(Math.max(0, this.output + ahead * pace), endOf(this.#map));
            const rate = speedAt(this.#map, output) * pace;
            if (!needsImages(rate)) continue;
            this.images.want(this.#start + sourceAt(this.#map, output), rate < 0 ? -1 : 1);
            return;
        }
    }

    #imageAt(/** @type {number} */ source) {
        return this.images?.at(this.#start + source) ?? null;
    }

    #showImage(/** @type {import("./preview.js").PreviewAct} */ { show }) {
        const { canvas } = this;
        if (!canvas) return;
        const image = show === null ? null : this.#imageAt(show);
        if (image) {
            if (image !== this.#image) this.#tally.show(1, performance.now() / 1000);
            this.#image = image;
            if (canvas.width !== image.width || canvas.height !== image.height) {
                Object.assign(canvas, { width: image.width, height: image.height });
            }
            canvas.getContext("2d")?.drawImage(image, 0, 0);
            canvas.hidden = false;
        } else if (show === null && !this.video.seeking && this.#state.awaits === null) {
            this.showVideo();
        }
    }

    /** Whether a small frame covers the video. */
    get isShowingImage() {
        return this.canvas?.hidden === false;
    }

    /** Shows the video again where a small frame was. */
    showVideo() {
        if (this.canvas) this.canvas.hidden = true;
    }

    #tell() {
        this.video.dataset.output = this.output.toFixed(4);
    }
}
