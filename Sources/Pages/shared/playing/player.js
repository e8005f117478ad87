// A video player with stepping and shuttling, which plays the clip as it is or through a time map.

import { outputOf } from "./plot-map.js";
import { FrameImages } from "./frame-images.js";
import { clamped } from "../numbers.js";
import { endOf, insideOf, plainMap } from "./preview.js";
import { PreviewPlayer } from "./preview-player.js";
import { seekVideo } from "./seek.js";
import { frameAt } from "../times.js";

/** The frame rate for stepping through clips without video. */
const NO_FRAMES = 25;
const FASTEST_SHUTTLE = 8;

/**
 * @typedef {{ key: string, url: string, duration: number, frameRate: number | null,
 *     fetchFrames?: ((second: number, isBackwards: boolean) => Promise<ArrayBuffer | null>) | null }} Clip
 *     `fetchFrames`: fetches small frames, see frame-images.js
 * @typedef {{ map: import("./preview.js").TimeMap, start: number, mode: string }} Preview
 */
export class Player {
    /** @type {Clip | null} */
    clip = null;
    /** Seconds of the clip, or of the preview's output, that are played per second; 0 while paused. */
    pace = 0;
    loop = false;
    isMuted = false;
    /** @type {{ start: number, end: number } | null} the part that is looped; null for the whole clip */
    bounds = null;
    /** @type {Preview | null} */
    preview = null;
    /** Whether another player leads this one, and moves its video. */
    isLed = false;
    /** @type {number | null} the place to seek to */
    #wanted = null;
    /** @type {number | null} the place of the last seek of the video */
    #sent = null;

    /**
     * @param {HTMLVideoElement} video
     * @param {{ onTime: () => void, onState: () => void, onFailure: (error: MediaError | null) => void,
     *     onRefusal?: () => void }} listeners `onRefusal`: the browser lets nothing play that the user hasn't started
     * @param {HTMLCanvasElement | null} canvas over the video, for small frames
     */
    constructor(video, listeners, canvas = null) {
        this.video = video;
        this.on = listeners;
        this.follower = new PreviewPlayer(video, canvas);
        video.addEventListener("seeked", () => this.#onSeeked());
        video.addEventListener("loadedmetadata", () => this.on.onTime());
        video.addEventListener("ended", () => this.#onEnded());
        video.addEventListener("error", () => this.clip && this.on.onFailure(video.error));
        this.follower.onStop = (error) => this.#onStop(error);
        document.addEventListener("visibilitychange", () => document.hidden && this.pause());
    }

    /** @param {Clip | null} clip */
    load(clip) {
        if (clip?.key === this.clip?.key && clip?.url === this.clip?.url) {
            this.clip = clip;
            return;
        }
        this.pause();
        this.follower.leave();
        this.preview = this.#wanted = this.#sent = null;
        this.clip = clip;
        this.follower.images?.close();
        this.follower.images = clip?.url && clip.fetchFrames
            ? new FrameImages(clip.fetchFrames, clip.duration) : null;
        if (clip?.url) this.video.src = clip.url;
        else this.video.removeAttribute("src");
        this.video.load();
        this.on.onState();
        this.on.onTime();
    }

    get canPlay() {
        return Boolean(this.clip?.url);
    }

    get isPlaying() {
        return this.pace !== 0;
    }

    /** How many frames a second are shown and should be, while a preview shows too few; else null. */
    get shortage() {
        return this.preview && this.follower.shortage;
    }

    /** The duration of a frame in seconds. */
    get frame() {
        return 1 / (this.clip?.frameRate || NO_FRAMES);
    }

    /** The place in the clip. */
    get time() {
        if (this.preview || this.follower.isShowingImage) return this.follower.place;
        return this.#wanted ?? this.video.currentTime;
    }

    /** The place in what is played: in the output during a preview, else in the clip. */
    get position() {
        return this.preview ? this.follower.output : this.time;
    }

    get length() {
        return this.preview ? endOf(this.preview.map) : this.clip?.duration ?? 0;
    }

    // Playing

    play(pace = 1) {
        if (!this.canPlay) return;
        const isAtEnd = this.position >= this.length - this.frame / 2;
        if (pace > 0 && isAtEnd) this.seekPosition(0);
        this.pace = pace;
        this.#drive();
        this.on.onState();
        this.#schedule();
    }

    pause() {
        if (!this.isPlaying) return;
        const { time } = this;
        const isSmall = this.follower.isShowingImage;
        this.pace = 0;
        this.video.pause();
        // The small frame stays until the video shows the same one.
        if (isSmall) this.#seekVideo(time);
        else if (!this.preview && this.follower.map) this.follower.leave();
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

    /** Starts playing: by the video itself if it can, else by the follower, which seeks. */
    #drive() {
        const { video, follower, pace } = this;
        // Before the video is told to play, so that nothing is heard of it that shouldn't be.
        this.applySound();
        if (this.preview) {
            follower.begin(pace).catch(follower.onStop);
        } else if (pace < 0 && this.clip) {
            const { time, frame } = this;
            video.pause();
            follower.follow(plainMap(this.clip.duration), { start: 0, frame }, time);
        } else {
            follower.leave();
            video.playbackRate = pace;
            video.play().catch(follower.onStop);
        }
    }

    /** A browser may refuse to play what no press of the user has started. */
    #onStop(/** @type {Error} */ error) {
        if (error.name !== "NotAllowedError") return;
        this.pause();
        this.on.onRefusal?.();
    }

    #request = 0;

    #schedule() {
        cancelAnimationFrame(this.#request);
        this.#request = requestAnimationFrame(this.#tick);
    }

    #tick = () => {
        if (!this.isPlaying) return;
        this.#schedule();
        const isOver = this.follower.map && this.follower.tick(this.pace, this.loop);
        if (!this.preview && this.loop && this.bounds && this.time >= this.bounds.end) {
            this.seek(this.bounds.start);
        }
        this.on.onTime();
        if (isOver) this.pause();
    };

    #onEnded() {
        if (this.follower.map || !this.isPlaying) return;
        if (!this.loop) {
            this.pause();
            return;
        }
        this.video.currentTime = this.bounds?.start ?? 0;
        this.video.play().catch(this.follower.onStop);
    }

    // Places

    /** Seeks to a place of the clip. */
    seek(/** @type {number} */ seconds) {
        if (!this.clip) return;
        const place = clamped(seconds, 0, this.clip.duration);
        if (this.preview) this.#seekPreview(this.preview, place);
        else this.#seekVideo(place);
        this.on.onTime();
    }

    /** @type {(preview: Preview, place: number) => void} */
    #seekPreview = ({ map, start }, place) => {
        const output = outputOf(map, insideOf(map, place - start)) ?? 0;
        this.#seekVideo(this.follower.jump(output));
    };

    /** Seeks to a place of what is played (see `position`). */
    seekPosition(/** @type {number} */ position) {
        if (!this.clip) return;
        if (this.preview) {
            const output = clamped(position, 0, this.length);
            this.#seekVideo(this.follower.jump(output));
            this.on.onTime();
        } else {
            this.seek(position);
        }
    }

    /** Seeks the video. During a seek only the latest place is remembered, or no seek would ever end. */
    #seekVideo(/** @type {number} */ place) {
        this.#wanted = place;
        if (!this.preview && this.follower.map) this.follower.jump(place);
        if (!this.video.seeking) this.#send(place);
    }

    #send(/** @type {number} */ place) {
        this.#sent = place;
        seekVideo(this.video, place);
    }

    #onSeeked() {
        if (this.#wanted !== null && this.#wanted !== this.#sent) {
            this.#send(this.#wanted);
            return;
        }
        this.#wanted = this.#sent = null;
        if (this.isPlaying || this.isLed) return;
        if (this.preview) this.follower.showVideo();
        else this.follower.leave();
        this.on.onTime();
    }

    /** Steps by frames, to the middle of a frame, so that rounding doesn't show its neighbour. */
    step(/** @type {number} */ frames) {
        if (!this.clip) return;
        this.pause();
        if (this.preview) {
            this.seekPosition(this.position + frames * this.frame);
            return;
        }
        const last = Math.max(0, Math.ceil(this.clip.duration / this.frame - 1e-3) - 1);
        const number = Math.min(last, frameAt(this.time, 1 / this.frame)) + frames;
        this.seek((clamped(number, 0, last) + 0.5) * this.frame);
    }

    /** The start of the frame that is shown. */
    get frameStart() {
        return frameAt(this.time, 1 / this.frame) * this.frame;
    }

    // Preview

    /**
     * Plays through a time map from now on, continuing at the same place of the clip.
     * @param {Preview | null} preview
     */
    setPreview(preview) {
        const place = this.time;
        const wasOn = this.preview !== null;
        this.preview = preview;
        const { frame } = this;
        if (!preview) {
            this.follower.leave();
            this.#seekVideo(place);
            if (this.isPlaying) this.play(this.pace);
        } else if (wasOn) {
            this.follower.change(preview.map, { start: preview.start, frame });
            if (!this.isPlaying) this.#seekVideo(this.follower.place);
        } else {
            this.follower.follow(preview.map, { start: preview.start, frame }, 0);
            this.#seekPreview(preview, place);
        }
        this.applySound();
        this.on.onState();
        this.on.onTime();
    }

    // Sound

    /** @param {boolean} isMuted */
    setMuted(isMuted) {
        this.isMuted = isMuted;
        this.applySound();
        this.on.onState();
    }

    /** Applies the sound mode. With "keep", sound and video have different speeds, so the preview is silent. */
    applySound() {
        const mode = this.preview?.mode;
        this.video.preservesPitch = mode !== "varispeed";
        this.video.muted = this.isMuted || mode === "mute" || mode === "keep";
    }
}
