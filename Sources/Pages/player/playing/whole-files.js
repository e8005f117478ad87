// For browsers without Media Source, and after an error of Media Source: each piece is a video file of its own in
// memory. While one plays, the element on standby has already decoded the beginning of the next.
//
//   on the screen  ──────────────── piece ───────────────┤
//   on standby                prepared      play() ──▶ ├─── next piece ───
//                                           └─ delay ──┘

import { partsOf } from "./manifest.js";
import { leavePictureInPicture } from "../controls/picture-in-picture.js";
import { Seeks } from "./seeks.js";
import { bytesOf } from "./segment-store.js";
import { wholeFile } from "./whole-file.js";

/** @typedef {import("../types.js").FilePiece} FilePiece */

/** Seconds from `play()` until a prepared video moves, before that was measured, and at most. */
const USUAL_DELAY = 0.03, LONGEST_DELAY = 0.25;
/** After this many seconds of playing the start is measured; and the weight of each measurement. */
const SETTLED = 0.2, LEARNING = 0.5;

export class WholeFilesTimeline {
    /** @type {FilePiece[]} */
    pieces = [];
    /** Whether the next piece is about to be on the screen. */
    isCrossing = false;
    ready = Promise.resolve();
    /** The time of the last presented frame. `Playback` sets it. */
    shown = 0;
    #startDelay = USUAL_DELAY;
    #init = new Uint8Array();
    /** @type {Map<HTMLVideoElement, { address: string, piece: FilePiece }>} the file of each element */
    #files = new Map();
    #closing = new AbortController();
    #seeks;

    /** @type {(video: HTMLVideoElement, type: string) => boolean} */
    static canPlay(video, type) {
        return video.canPlayType(type) !== "";
    }

    /**
     * @param {import("./screen.js").Screen} screen
     * @param {import("../types.js").Manifest} manifest
     * @param {import("./segment-store.js").SegmentStore} store
     * @param {(error: unknown) => void} onError
     */
    constructor(screen, manifest, store, onError) {
        this.screen = screen;
        this.manifest = manifest;
        this.store = store;
        this.onError = onError;
        this.frameRate = manifest.media.frameRate;
        const { signal } = this.#closing;
        this.#seeks = new Seeks(screen.video, () => this.#place, signal);
        // The small window would go on showing the element that was left.
        leavePictureInPicture(screen.active);
        for (const video of screen.videos) {
            video.disablePictureInPicture = true;
            video.addEventListener("play", () => this.#measure(video, performance.now()), { signal });
            video.addEventListener("error", () => this.#onMediaError(video), { signal });
        }
    }

    async open() {
        this.#init = await bytesOf(this.manifest.media.init);
    }

    /** Ends everything that is going on. The last frame stays on the screen. */
    close() {
        this.#closing.abort();
        for (const piece of this.pieces) piece.dropped.abort();
        for (const { address } of this.#files.values()) URL.revokeObjectURL(address);
    }

    /** @param {unknown} error */
    #report(error) {
        if (!this.#closing.signal.aborted) this.onError(error);
    }

    /** @param {HTMLVideoElement} video */
    #onMediaError(video) {
        const file = this.#files.get(video);
        // Until it gets a file of this timeline, an element has what another one has left there.
        if (file && video.src === file.address && !file.piece.dropped.signal.aborted) this.#report(video.error);
    }

    /**
     * Drops everything and plays this segment from one of its frames.
     * @param {string} name
     */
    begin(name, frame = 0) {
        this.#withdraw(this.pieces);
        this.pieces = [this.#piece(name, null)];
        this.ready = this.#enter(this.pieces[0], frame);
        return this.pieces[0];
    }

    /** @param {string} name */
    append(name) {
        const last = this.pieces[this.pieces.length - 1];
        const piece = this.#piece(name, last.isLeft ? null : last.name);
        this.pieces.push(piece);
        this.#prepare(piece, last);
        return piece;
    }

    /** Does nothing: each piece is a file with an end. */
    conclude() {}

    /** @param {FilePiece} piece */
    withdrawAfter(piece) {
        this.#withdraw(this.pieces.splice(this.pieces.indexOf(piece) + 1));
    }

    /** @type {(piece: FilePiece) => void} forgets what follows a piece, which `cross` leaves at once */
    leave(piece) {
        piece.isLeft = true;
        this.withdrawAfter(piece);
    }

    /** @type {(piece: FilePiece) => void} goes to a piece, unless it is already on the screen */
    forgetBefore(piece) {
        if (this.pieces.indexOf(piece) < 1) return;
        this.pieces = this.pieces.slice(this.pieces.indexOf(piece));
        this.ready = this.#enter(piece, 0);
    }

    /** @type {(piece: FilePiece) => FilePiece | null} */
    after(piece) {
        return this.pieces[this.pieces.indexOf(piece) + 1] ?? null;
    }

    /**
     * The frame of the first piece at a time: only that one is on the screen.
     * @param {number} mediaTime
     */
    at(mediaTime) {
        const piece = this.pieces[0];
        if (!piece?.isShown || this.#seeks.isGoingBack) return null;
        const frame = Math.round((mediaTime - piece.zero) * this.frameRate);
        return frame >= 0 && frame < piece.frames ? { piece, frame } : null;
    }

    /** The time of the frame that is on the screen; null if there is none. */
    get #place() {
        const [piece] = this.pieces;
        return piece?.isShown ? Math.max(0, this.shown - piece.zero) + 0.5 / this.frameRate : null;
    }

    /** @type {(piece: FilePiece) => number} how many seconds it takes, at the speed of now, until `cross` is due */
    untilCrossing(piece) {
        return this.#remaining(piece) - this.#startDelay;
    }

    /** Whether the time to cross has come: within half a frame, because clocks differ. */
    get #isDue() {
        const [piece] = this.pieces;
        const frameDuration = 1 / this.frameRate / this.screen.active.playbackRate;
        return piece.isLeft || this.untilCrossing(piece) < 0.5 * frameDuration;
    }

    /** @type {(piece: FilePiece) => number} how many seconds it takes, at the speed of now, until a piece ends */
    #remaining(piece) {
        const { active } = this.screen;
        if (!piece.isShown) return Infinity;
        if (active.ended) return 0;
        return Math.max(0, piece.frames / this.frameRate - active.currentTime) / active.playbackRate;
    }

    /**
     * Goes to the next piece; called shortly before this one's end, or when it is left.
     * @param {() => boolean} goesOn says whether the viewer still wants the video to play
     * @param {(error: Error) => void} onError called if the browser doesn't let it play
     */
    cross(goesOn, onError) {
        const next = this.pieces[1];
        if (this.isCrossing || !next || !this.#isDue) return;
        this.isCrossing = true;
        this.#crossTo(next, goesOn, onError);
    }

    /** @type {(next: FilePiece, goesOn: () => boolean, onError: (error: Error) => void) => Promise<void>} */
    async #crossTo(next, goesOn, onError) {
        await next.prepared;
        if (next.dropped.signal.aborted) return;
        // After a pause, `cross` is called again.
        if (!goesOn()) {
            this.isCrossing = false;
            return;
        }
        const { standby } = this.screen;
        const [last] = this.pieces;
        const wait = last.isLeft ? this.#startDelay : Math.min(this.#startDelay, this.#remaining(last));
        standby.play().catch(onError);
        await new Promise((resume) => setTimeout(resume, 1000 * wait));
        if (next.dropped.signal.aborted || next.isShown) return;
        this.pieces = this.pieces.slice(this.pieces.indexOf(next));
        this.#show(next);
        if (!goesOn()) this.screen.active.pause();
    }

    /** @type {(piece: FilePiece, frame: number) => Promise<void>} shows a piece as soon as it is prepared */
    async #enter(piece, frame) {
        this.isCrossing = true;
        await (piece.prepared ?? this.#prepare(piece, null));
        if (piece.dropped.signal.aborted) return;
        if (frame > 0) await this.#seek(frame);
        if (!piece.dropped.signal.aborted) this.#show(piece, frame);
    }

    /** @param {number} frame */
    #seek(frame) {
        const { standby } = this.screen;
        standby.currentTime = (frame + 0.5) / this.frameRate;
        return new Promise((resume) => standby.addEventListener("seeked", resume, { once: true }));
    }

    /** @param {FilePiece} piece */
    #show(piece, frame = 0) {
        this.screen.swap();
        this.#seeks.forget();
        this.shown = piece.zero + frame / this.frameRate;
        piece.isShown = true;
        piece.onShown();
        this.isCrossing = false;
    }

    /**
     * @param {string} name
     * @param {string | null} before the name of the segment that is played to its end before; null for none
     * @returns {FilePiece}
     */
    #piece(name, before) {
        const { frames } = this.manifest.segments[name];
        const parts = partsOf(this.manifest, name, before);
        const dropped = new AbortController();
        let onShown = () => {};
        /** @type {Promise<void>} */
        const settled = new Promise((resume) => {
            onShown = resume;
            dropped.signal.addEventListener("abort", () => resume());
        });
        return { name, frames, parts, zero: 0, isShown: false, dropped, settled, onShown };
    }

    /** @param {FilePiece[]} pieces */
    #withdraw(pieces) {
        for (const piece of pieces) piece.dropped.abort();
        if (pieces.length === 0) return;
        this.isCrossing = false;
        this.screen.standby.pause();
    }

    /**
     * Has the element on standby decode the beginning of a piece. The promise stays open if that fails.
     * @param {FilePiece} piece
     * @param {FilePiece | null} before the piece before, for which that element is until it is on the screen
     */
    #prepare(piece, before) {
        piece.prepared = this.#load(piece, before).catch((error) => {
            this.#report(error);
            return new Promise(() => {});
        });
        return piece.prepared;
    }

    /** @type {(piece: FilePiece, before: FilePiece | null) => Promise<void>} */
    async #load(piece, before) {
        const { signal } = piece.dropped;
        const parts = [];
        for (const part of piece.parts) {
            const fragments = await this.#fragments(part.file, signal);
            parts.push({ fragments, start: part.start, seconds: part.frames / this.frameRate });
        }
        await before?.settled;
        if (signal.aborted) return;
        const { standby } = this.screen;
        URL.revokeObjectURL(this.#files.get(standby)?.address ?? "");
        const address = URL.createObjectURL(wholeFile(this.#init, parts));
        this.#files.set(standby, { address, piece });
        standby.src = address;
        this.screen.dress();
        this.#watchZero(standby, piece);
        await new Promise((resume) => {
            standby.addEventListener("canplay", resume, { once: true, signal });
            signal.addEventListener("abort", resume);
        });
    }

    /** @type {(file: string, signal: AbortSignal) => Promise<Uint8Array[]>} */
    async #fragments(file, signal) {
        const fragments = [];
        for (let index = 0; !signal.aborted; index += 1) {
            const fragment = await this.store.fragment(file, index, signal);
            if (!fragment) break;
            fragments.push(fragment);
        }
        return fragments;
    }

    /**
     * Learns the time that is reported with the file's first frame: WebKitGTK's times don't heed the edit list.
     * @type {(video: HTMLVideoElement, piece: FilePiece) => void}
     */
    #watchZero(video, piece) {
        video.requestVideoFrameCallback?.((_, { mediaTime }) => {
            if (video.currentTime === 0) piece.zero = mediaTime;
        });
    }

    /** @type {(video: HTMLVideoElement, begun: number) => void} learns how long a video takes until it moves */
    #measure(video, begun) {
        const from = video.currentTime;
        const next = () => {
            const played = video.currentTime - from;
            if (video.paused || played < 0) return;
            // At first the reported time may run ahead of what is seen and heard.
            if (played < SETTLED) {
                requestAnimationFrame(next);
                return;
            }
            const taken = (performance.now() - begun) / 1000 - played / video.playbackRate;
            const delay = Math.min(LONGEST_DELAY, Math.max(0, taken));
            this.#startDelay += LEARNING * (delay - this.#startDelay);
        };
        requestAnimationFrame(next);
    }
}
