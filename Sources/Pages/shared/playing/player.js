// A video player with stepping and shuttling, for films that are rendered while they play.

import { FilmFeed } from "./film-feed.js";
import { clamped } from "../numbers.js";
import { frameAt, frameLength } from "../times.js";

const FASTEST_SHUTTLE = 8;
/** The longest step of the clock that runs backwards, in seconds: after a pause of the page, it goes on where it was. */
const LONGEST_STEP = 0.1;
/** Times within this many seconds of each other are the same. */
const SAME = 1e-3;
/** A frame that begins further from a multiple of a frame's length than this share of it isn't one of even frames. */
const OFF_GRID = 0.05;
/** How many pixels the shorter side of a frame may have. */
const SIZES = [240, 360, 540, 720, 1080];
/** For this many milliseconds an instant is heard while a slider is dragged. */
const GRAIN = 80;
/** A film that has played for this many seconds, and stalls then, is too large for the machine. */
const STEADY = 1;

/** @typedef {import("./film-feed.js").Film} Film */

export class Player {
    /** Seconds of the film that are played per second; 0 while paused. */
    pace = 0;
    loop = false;
    isMuted = false;
    /** Whether another player is heard in its place. */
    isSilent = false;
    /** @type {{ start: number, end: number } | null} the part that is looped; null for the whole film */
    bounds = null;
    /** What is to be said of how it plays, and why nothing can be shown; empty if nothing. */
    note = "";
    failure = "";
    /** @type {number | null} the place that was sought last, until it is shown */
    #wanted = null;
    /** The largest size that the machine is quick enough for. */
    #largest = SIZES[SIZES.length - 1];
    #startedAt = Infinity;
    /** Whether a slider is dragged while nothing plays. */
    #isScrubbing = false;
    #grain = 0;
    /** @type {number | null} the place that was heard last */
    #heard = null;
    #clock = 0;
    #request = 0;

    /**
     * @param {HTMLVideoElement} video
     * @param {{ onTime: () => void, onState: () => void, onRefusal: () => void }} listeners `onRefusal`: the browser lets
     *     nothing play that the user hasn't started
     */
    constructor(video, listeners) {
        this.video = video;
        this.on = listeners;
        this.feed = new FilmFeed(video, {
            onStart: () => this.#onShown(), onFailure: (message) => this.#onFailure(message),
        });
        for (const event of ["seeked", "loadeddata"]) video.addEventListener(event, () => this.#onShown());
        video.addEventListener("ended", () => this.#onEnd());
        video.addEventListener("waiting", () => this.#onStall());
        video.addEventListener("playing", () => this.#onPlaying());
        video.addEventListener("error", () => this.#onFailure("This browser can't play the film."));
        document.addEventListener("visibilitychange", () => this.#onVisibility());
        document.addEventListener("fullscreenchange", () => this.#resize());
    }

    get film() {
        return this.feed.film;
    }

    /**
     * Shows a film, which goes on playing if one plays.
     * @param {Film | null} film
     * @param {number} [at] seconds
     */
    load(film, at = 0) {
        if (film?.key === this.film?.key) return;
        if (!film) this.pause();
        this.note = this.failure = "";
        this.feed.size = this.#size;
        this.#wanted = film ? this.#inside(at, film) : null;
        this.feed.load(film, this.#wanted ?? 0);
        this.on.onState();
        this.on.onTime();
    }

    get canPlay() {
        return this.film !== null;
    }

    get isPlaying() {
        return this.pace !== 0;
    }

    /** The duration of a frame in seconds. */
    get frame() {
        return frameLength(this.film?.frameRate);
    }

    /** The place in the film. */
    get time() {
        return this.#wanted ?? this.video.currentTime;
    }

    get length() {
        return this.film?.length ?? 0;
    }

    /**
     * The frame that is shown: when it begins, and its number, which is null if frames are uneven or there are none.
     * @returns {{ start: number, number: number | null }}
     */
    get present() {
        // At its end a film still shows the last frame.
        const time = Math.max(0, Math.min(this.time, this.length - SAME)), rate = this.film?.frameRate;
        if (!rate) return { start: time, number: null };
        const here = this.feed.frames[this.feed.indexAt(time)];
        const number = here ? here.start * rate : frameAt(time, rate), whole = Math.round(number);
        return { start: Math.max(0, here?.start ?? whole / rate), number: Math.abs(number - whole) < OFF_GRID ? whole : null };
    }

    // Playing

    play(pace = 1) {
        if (!this.film) return;
        if (this.failure !== "") this.seek(this.time);
        if (pace > 0 && this.time >= this.length - this.frame / 2) this.seek(0);
        this.pace = pace;
        this.#isScrubbing = false;
        this.applySound();
        if (pace > 0) {
            this.video.playbackRate = this.feed.haste = pace;
            this.video.play().catch((error) => this.#onStop(error));
            this.feed.fill();
        } else {
            this.video.pause();
            this.#clock = performance.now();
        }
        this.on.onState();
        this.#schedule();
    }

    pause() {
        if (!this.isPlaying) return;
        this.pace = 0;
        this.feed.haste = 1;
        this.video.pause();
        this.on.onState();
        this.on.onTime();
    }

    toggle() {
        if (this.isPlaying) this.pause();
        else this.play();
    }

    /** Shuttles (keys J and L): backwards or forwards, twice as fast with each key press. */
    shuttle(/** @type {1 | -1} */ direction) {
        const goesOn = Math.sign(this.pace) === direction;
        const pace = goesOn ? Math.min(FASTEST_SHUTTLE, 2 * Math.abs(this.pace)) : 1;
        this.play(direction * pace);
    }

    /** A browser may refuse to play what no press of the user has started. */
    #onStop(/** @type {Error} */ error) {
        if (error.name !== "NotAllowedError") return;
        this.pause();
        this.on.onRefusal();
    }

    #schedule() {
        cancelAnimationFrame(this.#request);
        this.#request = requestAnimationFrame(this.#tick);
    }

    #tick = () => {
        if (!this.isPlaying) return;
        this.#schedule();
        if (this.pace < 0) this.#goBack();
        else if (this.loop && this.bounds && this.time >= this.bounds.end) this.seek(this.bounds.start);
        else this.feed.fill();
        this.on.onTime();
    };

    /** Shows the frames before, each as soon as the browser has shown the last one. */
    #goBack() {
        if (this.#wanted !== null) return;
        const now = performance.now();
        const elapsed = Math.min(LONGEST_STEP, (now - this.#clock) / 1000);
        const place = this.video.currentTime + this.pace * elapsed;
        this.#clock = now;
        if (place <= 0) {
            this.seek(this.loop ? this.length : 0);
            if (!this.loop) this.pause();
            return;
        }
        this.feed.lookBack(place);
        if (this.feed.has(place)) this.seek(place);
    }

    #onEnd() {
        if (this.pace <= 0) return;
        if (!this.loop) {
            this.pause();
            return;
        }
        this.seek(this.bounds?.start ?? 0);
        this.video.play().catch((error) => this.#onStop(error));
    }

    /** A hidden page keeps no connection: a browser has six of them for all its tabs. */
    #onVisibility() {
        if (document.hidden) {
            this.pause();
            this.feed.rest();
        } else if (this.#wanted !== null) {
            this.feed.seek(this.#wanted);
        }
    }

    // How it plays

    /** The size that fills the screen, as far as the machine is quick enough. */
    get #size() {
        const { clientWidth, clientHeight } = this.video;
        const pixels = Math.min(clientWidth, clientHeight) * devicePixelRatio;
        const enough = SIZES.find((size) => size >= pixels) ?? SIZES[SIZES.length - 1];
        return Math.min(enough, this.#largest);
    }

    #resize() {
        const size = this.#size;
        if (size <= this.feed.size || !this.film) return;
        this.feed.size = size;
        this.feed.again();
    }

    #onPlaying() {
        this.#startedAt = performance.now();
        if (this.note === WAITS) this.#say("");
    }

    /** Goes on in smaller frames if the machine is too slow for these. */
    #onStall() {
        const hasPlayed = performance.now() - this.#startedAt > 1000 * STEADY;
        this.#startedAt = Infinity;
        if (this.pace <= 0 || this.#wanted !== null || this.feed.isComplete || !hasPlayed) return;
        const smaller = SIZES.filter((size) => size < this.feed.size).at(-1);
        if (smaller === undefined) {
            this.#say(WAITS);
            return;
        }
        this.#largest = this.feed.size = smaller;
        this.feed.again();
        this.#say(`Shown at ${smaller} lines, which this machine keeps up with. The render has all.`);
    }

    #say(/** @type {string} */ note) {
        this.note = note;
        this.on.onState();
    }

    #onFailure(/** @type {string} */ message) {
        if (!this.film) return;
        this.#wanted = null;
        this.failure = message;
        this.pause();
        this.on.onState();
    }

    // Places

    #inside(/** @type {number} */ place, film = this.film) {
        // At the end itself no frame is shown.
        return film ? clamped(place, 0, Math.max(0, film.length - frameLength(film.frameRate) / 2)) : 0;
    }

    /** Seeks to a place of the film. */
    seek(/** @type {number} */ seconds) {
        this.#isScrubbing = false;
        this.#go(seconds);
    }

    #go(/** @type {number} */ seconds) {
        if (!this.film) return;
        this.#wanted = this.#inside(seconds);
        if (this.failure !== "") {
            this.failure = "";
            this.on.onState();
        }
        this.feed.seek(this.#wanted);
        this.on.onTime();
    }

    /** Seeks while a slider is dragged: each instant is heard for a moment. */
    scrub(/** @type {number} */ seconds) {
        this.#isScrubbing = !this.isPlaying;
        this.#heard = null;
        this.#go(seconds);
    }

    /** The slider has been let go. */
    settle() {
        if (!this.#isScrubbing) return;
        clearTimeout(this.#grain);
        this.video.pause();
        this.seek(this.time);
    }

    #onShown() {
        if (this.#wanted === null || this.video.seeking || this.feed.isStarting) return;
        if (this.#isScrubbing) {
            this.#hear();
            return;
        }
        this.#wanted = null;
        this.on.onTime();
    }

    /** Lets the instant be heard that is shown, and shows it again. */
    #hear() {
        if (this.#heard === this.#wanted) return;
        this.#heard = this.#wanted;
        clearTimeout(this.#grain);
        this.video.playbackRate = 1;
        // A browser that wants a press first stays silent.
        this.video.play().catch(() => {});
        this.#grain = setTimeout(() => {
            if (!this.#isScrubbing || this.#wanted === null) return;
            this.video.pause();
            this.feed.seek(this.#wanted);
        }, GRAIN);
    }

    /** Steps by frames, to the middle of one, so that rounding doesn't show its neighbour. */
    step(/** @type {number} */ frames) {
        if (!this.film) return;
        this.pause();
        const present = this.feed.indexAt(this.time);
        const next = present < 0 ? undefined : this.feed.frames[present + frames];
        if (next) {
            this.seek((next.start + next.end) / 2);
            return;
        }
        // It isn't here yet: where it is by the frame rate.
        const last = Math.max(0, Math.ceil(this.length / this.frame - SAME) - 1);
        const number = Math.min(last, frameAt(this.time, 1 / this.frame)) + frames;
        this.seek((clamped(number, 0, last) + 0.5) * this.frame);
    }

    // Sound

    /** @param {boolean} isMuted */
    setMuted(isMuted) {
        this.isMuted = isMuted;
        this.applySound();
        this.on.onState();
    }

    applySound() {
        this.video.muted = this.isMuted || this.isSilent;
    }
}

const WAITS = "Waiting for this machine…";
