// One Media Source timeline. Segments are appended to it one after the other while it plays.
//
//   piece      first                       first + frames
//   ───────────┼───────────────────────────┼───────────────────────────┼──▶ frames
//              prologue                    door (appended at lock-in)
//
// A piece is one segment on the timeline, from one file or, where it dissolves, from two. Its start is counted in frames
// and divided by the frame rate once, so rounding errors don't add up.

import { partsOf } from "./manifest.js";
import { attachSource, MediaBuffer, sourceFor } from "./media-buffer.js";
import { frameCount, tracksOf } from "./samples.js";
import { LONGEST_GAP, Seeks } from "./seeks.js";
import { bytesOf } from "./segment-store.js";

/** @typedef {import("../types.js").StreamPiece} StreamPiece */
/** @typedef {import("../types.js").Part} Part */

/** How many frames after the presented one a segment is left at once: the next one may be on the screen already. */
const SOON = 2;
/**
 * The first piece begins two frames after time zero: where frames refer to later ones, decoding begins before the first
 * presentation, and GStreamer (WebKitGTK) can't handle decoding times below zero. Browsers play on over so short a gap.
 * The longest gap that WebKit plays over is shorter than two frames at low frame rates.
 */
const FIRST = 2;
/** The samples in a frame of AAC: a browser may drop a frame of sound that isn't wholly inside of the append window. */
const CODED_SAMPLES = 1024;
/** This many seconds before its end, an appended piece is buffered in every browser, however it cuts the sound. */
const SURELY_BUFFERED = 0.25;
/** A duration in seconds that is longer than any story. A finite one shows that it isn't a live stream. */
const LONGEST = 604800;

export class MediaSourceTimeline {
    /** @type {StreamPiece[]} */
    pieces = [];
    isCrossing = false;
    /** Resolves when the video may be played. */
    ready = Promise.resolve();
    /** The time of the last presented frame. `Playback` sets it. */
    shown = 0;
    /** @type {MediaBuffer} from `open` on */
    #buffer = /** @type {never} */ (null);
    /** @type {import("../types.js").Track[]} */
    #tracks = [];
    #isConcluded = false;
    /** Whether the seek to a piece that was begun hasn't ended: frames that are reported until then are those before. */
    #isJumping = false;
    #closing = new AbortController();
    #seeks;

    /** @type {(type: string) => boolean} whether this browser has Media Source and supports the codecs */
    static canPlay(type) {
        return sourceFor(type) !== undefined;
    }

    /**
     * @param {HTMLVideoElement} video
     * @param {import("../types.js").Manifest} manifest
     * @param {import("./segment-store.js").SegmentStore} store
     * @param {(error: unknown) => void} onError called with the error if the browser can't play the media
     * @param {boolean} isLastWay whether there is no other way to play
     */
    constructor(video, manifest, store, onError, isLastWay = false) {
        this.video = video;
        this.manifest = manifest;
        this.store = store;
        this.onError = onError;
        this.frameRate = manifest.media.frameRate;
        const onStuck = () => this.#report(new Error("a seek never ended"));
        this.#seeks = new Seeks(
            video, () => this.#place, this.#closing.signal, onStuck, isLastWay);
    }

    async open() {
        const { media } = this.manifest;
        const [init, source] = await Promise.all([bytesOf(media.init), attachSource(this.video, media.type)]);
        this.#buffer = new MediaBuffer(this.video, source, media.type, {
            onError: (error) => this.#report(error),
            onRemoved: (start, end) => this.#onRemoved(start, end),
        });
        this.#tracks = tracksOf(init);
        await this.#buffer.append(init);
        source.duration = LONGEST;
        this.video.addEventListener(
            "error", () => this.#report(this.video.error), { signal: this.#closing.signal });
    }

    /** Ends everything that is going on. What was appended stays on the screen. */
    close() {
        this.#closing.abort();
        for (const piece of this.pieces) piece.dropped.abort();
    }

    /** @param {unknown} error */
    #report(error) {
        if (!this.#closing.signal.aborted) this.onError(error);
    }

    /**
     * A ManagedMediaSource removes what it likes. Without what is still to be played, the video would wait for ever.
     * @type {(start: number, end: number) => void}
     */
    #onRemoved(start, end) {
        const from = Math.max(start, this.video.currentTime) * this.frameRate;
        const isNeeded = this.pieces.some(({ first, frames, isAppended }) => isAppended
            && Math.min(end * this.frameRate, first + frames) - Math.max(from, first) > 1);
        if (isNeeded) this.#report(new Error("the browser removed what was still to be played"));
    }

    /**
     * Drops everything and plays this segment from one of its frames.
     * @param {string} name
     */
    begin(name, frame = 0) {
        const last = this.pieces.at(-1);
        const first = last ? last.first + last.frames + Math.ceil(this.frameRate) : this.#first;
        for (const piece of this.pieces) piece.dropped.abort();
        this.pieces = [];
        this.#isConcluded = false;
        this.#buffer.queue(() => {
            this.#buffer.reopen();
            this.shown = 0;
        });
        const piece = this.#add(name, first, null);
        Object.assign(piece, { isBegun: true, begin: frame });
        this.#isJumping = last !== undefined || frame > 0;
        // WebKitGTK hangs or fails after a seek to a place without data, so the data comes first.
        const isJumping = this.#isJumping;
        this.#whenAppended(piece, () => {
            if (isJumping) this.#seekTo(piece);
        });
        return piece;
    }

    /** @type {(name: string) => StreamPiece} appends a segment after the last one */
    append(name) {
        const last = this.pieces[this.pieces.length - 1];
        const piece = this.#add(name, last.first + last.frames, last.isLeft ? null : last.name);
        if (this.#isConcluded) {
            // If the video is at its end, playing it now would start it from the beginning.
            this.#whenAppended(piece);
            this.#isConcluded = false;
        }
        return piece;
    }

    /**
     * @param {string} name
     * @param {number} first
     * @param {string | null} before the name of the segment that is played to its end before; null for none
     */
    #add(name, first, before) {
        const { frames } = this.manifest.segments[name];
        const parts = partsOf(this.manifest, name, before);
        /** @type {StreamPiece} */
        const piece = { name, first, frames, parts, begin: 0, dropped: new AbortController() };
        this.pieces.push(piece);
        this.#buffer.queue(async () => {
            await this.#appendPiece(piece);
            this.#requireBuffered(piece);
            piece.onAppended?.();
        });
        return piece;
    }

    /**
     * The video may be played when the first fragment of a piece has been appended and `act` been called.
     * @param {StreamPiece} piece
     */
    #whenAppended(piece, act = () => {}) {
        this.ready = new Promise((resume) => {
            piece.onAppended = () => {
                piece.onAppended = null;
                if (!piece.dropped.signal.aborted) act();
                resume();
            };
        });
    }

    /**
     * Ends the stream after the last piece, as long as nothing else follows it: only then do decoders
     * output the last frames that they hold back.
     */
    conclude() {
        const piece = this.pieces.at(-1);
        this.#isConcluded = true;
        this.#buffer.queue(() => {
            const { source } = this.#buffer;
            if (piece === this.pieces.at(-1) && source.readyState === "open") source.endOfStream();
        });
    }

    /**
     * Removes the pieces after a piece. Decoders that may already have their frames are flushed.
     * @param {StreamPiece} piece
     */
    withdrawAfter(piece) {
        const later = this.pieces.splice(this.pieces.indexOf(piece) + 1);
        if (later.length === 0) return;
        for (const each of later) each.dropped.abort();
        const join = later[0].first;
        this.#buffer.queue(async () => {
            await this.#buffer.remove(join / this.frameRate, Infinity);
            if (later.some((each) => each.isAppended)) this.#emptyDecoders(join);
        });
    }

    /**
     * Ends a piece soon after one of its frames, so that what is appended next follows there.
     * @type {(piece: StreamPiece, frame: number) => void}
     */
    leave(piece, frame) {
        const frames = Math.min(piece.frames, frame + SOON);
        const later = this.pieces.splice(this.pieces.indexOf(piece) + 1);
        if (frames === piece.frames && later.length === 0) return;
        piece.frames = frames;
        piece.isLeft = true;
        for (const each of [piece, ...later]) each.dropped.abort();
        const join = piece.first + frames;
        this.#buffer.queue(async () => {
            await this.#buffer.remove(join / this.frameRate, Infinity);
            this.#emptyDecoders(join);
        });
    }

    /**
     * Flushes the decoders by seeking. The target is the frame after the presented one, because that
     * one may already be on the screen before the browser reports it, and the video must never go back.
     * It is at most the join, because an ended stream reports its end as the current time.
     * @param {number} join
     */
    #emptyDecoders(join) {
        const next = join / this.frameRate + this.#inside;
        const ahead = this.video.paused ? 0 : 1 / this.frameRate;
        const here = Math.max(this.video.currentTime, this.shown + this.#inside) + ahead;
        // After a jump, the frames before the piece are about to be removed.
        const hasJumped = this.pieces[0]?.first === join;
        this.#seeks.to(hasJumped ? next : Math.min(here, next));
    }

    /** @type {(piece: StreamPiece) => void} removes everything before a piece that has begun to play */
    forgetBefore(piece) {
        this.pieces = this.pieces.slice(this.pieces.indexOf(piece));
        // Removal must end at a keyframe: frames that depend on a removed one are removed with it.
        this.#buffer.queue(() => this.#buffer.remove(0, piece.first / this.frameRate));
    }

    /**
     * The piece and frame at a time of the video element; null between pieces.
     * @param {number} mediaTime
     */
    at(mediaTime) {
        if (this.#isJumping || this.#seeks.isGoingBack) return null;
        const tick = Math.round(mediaTime * this.frameRate);
        const piece = this.pieces.find(
            ({ first, frames }) => tick >= first && tick < first + frames);
        return piece ? { piece, frame: tick - piece.first } : null;
    }

    /**
     * How many seconds it takes, at the speed of now, until the presentation of a piece ends.
     * @param {StreamPiece} piece
     * @param {number | null} frame the frame that is on the screen; null if that isn't known
     */
    untilCrossing(piece, frame) {
        // Until the seek ends, WebKitGTK may report an ended stream's end as the current time.
        if (frame === null && this.#isJumping) return Infinity;
        const { currentTime, playbackRate } = this.video;
        // The frame at the current time may be presented a little later.
        const left = frame === null
            ? Math.max(0, piece.first + piece.frames - currentTime * this.frameRate) + 1
            : piece.frames - frame;
        return left / this.frameRate / playbackRate;
    }

    /** @type {(piece: StreamPiece) => StreamPiece | null} the piece after a piece */
    after(piece) {
        return this.pieces[this.pieces.indexOf(piece) + 1] ?? null;
    }

    /** Does nothing: the browser plays across a join by itself. */
    cross() {}

    /** The time of the frame that is on the screen. */
    get #place() {
        return Math.max(this.shown, (this.pieces[0]?.first ?? 0) / this.frameRate) + this.#inside;
    }

    /** An offset in seconds that lies within a frame even if its time is rounded. */
    get #inside() {
        return Math.min(1e-3, 0.2 / this.frameRate);
    }

    /** The number of the first frame. */
    get #first() {
        return Math.min(FIRST, Math.floor(LONGEST_GAP * this.frameRate + 1e-6));
    }

    /** @param {StreamPiece} piece */
    async #appendPiece(piece) {
        for (const part of piece.parts) await this.#appendPart(piece, part);
    }

    /**
     * Firefox passes over damaged bytes without an error, and would wait for frames for ever.
     * @param {StreamPiece} piece
     */
    #requireBuffered(piece) {
        const { first, frames, dropped } = piece;
        const end = (first + frames) / this.frameRate;
        const before = Math.min(SURELY_BUFFERED, frames / this.frameRate / 2);
        if (dropped.signal.aborted || this.#buffer.has(end - before)) return;
        throw new Error("the browser made no frames of this segment");
    }

    /** @type {(piece: StreamPiece, part: Part) => Promise<void>} */
    async #appendPart(piece, part) {
        const { signal } = piece.dropped;
        let end = part.first;
        for (let index = 0; !signal.aborted; index += 1) {
            const fragment = await this.store.fragment(part.file, index, signal);
            if (!fragment) return;
            end += frameCount(fragment, this.#tracks);
            if (end <= piece.begin) continue;
            // The first fragment of a piece never waits.
            if (piece.isAppended) await this.#buffer.room(signal);
            if (signal.aborted) return;
            await this.#appendFragment(piece, part, fragment);
        }
    }

    /** @type {(piece: StreamPiece, part: Part, fragment: Uint8Array) => Promise<void>} */
    async #appendFragment(piece, part, fragment) {
        const isFirst = !piece.isAppended;
        const wasEnded = this.#buffer.reopen();
        this.#setWindow(piece, part);
        piece.isAppended = true;
        await this.#buffer.appendPatiently(fragment, piece.dropped.signal);
        // After the end of a stream, decoders accept more only after a seek.
        if (wasEnded) this.#emptyDecoders(piece.first);
        piece.onAppended?.();
        // Only now: after the end of a stream, WebKitGTK never plays again if there is nothing left.
        if (piece.isBegun && isFirst) await this.#buffer.remove(0, this.#pause(piece));
    }

    /** @type {(piece: StreamPiece, part: Part) => void} */
    #setWindow(piece, { first, frames, start }) {
        const join = (piece.first + first) / this.frameRate;
        const end = (piece.first + first + frames) / this.frameRate;
        // Sound of less than a coded frame before the first frame is better than none at that frame.
        const isFirst = first === 0 && piece.isBegun;
        const sound = isFirst ? CODED_SAMPLES / this.manifest.media.sampleRate : 0;
        this.#buffer.setWindow(join, end, join - start, sound);
    }

    /** @param {StreamPiece} piece */
    #seekTo(piece) {
        this.#seeks.to((piece.first + piece.begin) / this.frameRate + this.#inside);
        this.video.addEventListener(
            "seeked", () => { this.#isJumping = false; }, { once: true, signal: this.#closing.signal });
    }

    /** @type {(piece: StreamPiece) => number} a time in the pause of a second before a piece that was begun */
    #pause(piece) {
        return piece.first / this.frameRate - 0.5;
    }
}
