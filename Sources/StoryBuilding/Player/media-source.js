// One Media Source timeline. Segments are appended to it one after the other while it plays.
//
//   piece      first                       first + frames
//   ───────────┼───────────────────────────┼───────────────────────────┼──▶ frames
//              prologue                    door (appended at lock-in)
//
// A piece is one segment on the timeline, from one file or, where it dissolves, from two. Its start is counted in frames and divided by the frame
// rate once, so rounding errors don't add up.

import { partsOf } from "./manifest.js";
import { bytesOf } from "./segment-store.js";

/** Seconds. Browsers round times to microseconds; an append window must not drop a frame for that. */
const SLACK = 4e-6;
/** How many seconds are appended ahead of the current time, at least. */
const AHEAD = 30;
/** How many frames after the presented one a segment is left at once: the next one may be on the screen already. */
const SOON = 2;
/**
 * How many frames of nothing come before the first piece, at most, and the seconds that browsers pass over at the start.
 * Decoding begins before the first presentation where frames refer to later ones, and GStreamer (WebKitGTK) can't handle
 * decoding times below zero. No seek is needed for so short a gap; WebKit's limit is the lowest.
 */
const FIRST = 2, PASSED_OVER = 2002 / 24000;
/** The samples in a frame of AAC: a browser may drop a frame of sound that isn't wholly inside of the append window. */
const CODED_SAMPLES = 1024;
/** Milliseconds after which a seek to what has been appended won't end any more. */
const LONGEST_SEEK = 1500;
/** A duration in seconds that is longer than any story. A finite one shows that it isn't a live stream. */
const LONGEST = 604800;

/** Phones have only the second: the browser decides what it keeps of what was appended. */
const SOURCES = [globalThis.MediaSource, globalThis.ManagedMediaSource];
const sourceFor = (type) => SOURCES.find((each) => each?.isTypeSupported(type));

export class MediaSourceTimeline {
    pieces = [];
    isCrossing = false;
    /** Resolves when the video may be played. */
    ready = Promise.resolve();
    /** The time of the last presented frame. `Playback` sets it. */
    shown = 0;
    #buffer = null;
    #source = null;
    #isConcluded = false;
    /** Whether the video is still to seek to a piece that was begun: what is reported then wasn't seen. */
    #isJumping = false;
    #work = Promise.resolve();

    /** Whether this browser has Media Source and supports the codecs. */
    static canPlay(type) {
        return sourceFor(type) !== undefined;
    }

    /** @param onError called with the error if the browser can't play the media */
    constructor(video, manifest, store, onError) {
        Object.assign(this, { video, manifest, store, onError });
        this.frameRate = manifest.media.frameRate;
    }

    async open() {
        const { media } = this.manifest;
        const init = bytesOf(media.init);
        this.#source = new (sourceFor(media.type))();
        // Without this, a ManagedMediaSource opens only if there is an alternative source for
        // AirPlay.
        this.video.disableRemotePlayback = true;
        this.video.src = URL.createObjectURL(this.#source);
        await new Promise((resume, refuse) => {
            this.#source.addEventListener("sourceopen", resume, { once: true });
            // WebKit refuses sources of pages from the disk.
            this.video.addEventListener("error", () => refuse(this.video.error), { once: true });
        });
        URL.revokeObjectURL(this.video.src);
        this.#buffer = this.#source.addSourceBuffer(media.type);
        await this.#append(await init);
        this.#source.duration = LONGEST;
    }

    /** Drops everything and plays this segment from its start. */
    begin(name) {
        const last = this.pieces.at(-1);
        const first = last ? last.first + last.frames + Math.ceil(this.frameRate) : this.#first;
        for (const piece of this.pieces) piece.dropped.abort();
        this.pieces = [];
        this.#isConcluded = false;
        this.#then(() => {
            this.#reopen();
            this.shown = 0;
        });
        const piece = this.#add(name, first, null);
        piece.isBegun = true;
        this.#isJumping = last !== undefined;
        // WebKitGTK hangs or fails after a seek to a place without data, so the data comes first.
        this.#whenLaid(piece, () => {
            if (last) this.#seekTo(piece);
        });
        return piece;
    }

    /** Appends a segment after the last one. */
    append(name) {
        const last = this.pieces.at(-1);
        const piece = this.#add(name, this.#end, last.isLeft ? null : last.name);
        if (this.#isConcluded) {
            // If the video is at its end, playing it now would start it from the beginning.
            this.#whenLaid(piece);
            this.#isConcluded = false;
        }
        return piece;
    }

    /** @param before the name of the segment that is played to its end before; null for none */
    #add(name, first, before) {
        const { frames } = this.manifest.segments[name];
        const parts = partsOf(this.manifest, name, before);
        const piece = { name, first, frames, parts, dropped: new AbortController() };
        this.pieces.push(piece);
        this.#then(async () => {
            await this.#lay(piece);
            piece.onLaid?.();
        });
        return piece;
    }

    /** The video may be played when the first fragment of a piece has been appended and `act` been called. */
    #whenLaid(piece, act = () => {}) {
        this.ready = new Promise((resume) => {
            piece.onLaid = () => {
                piece.onLaid = null;
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
        this.#then(() => {
            if (piece !== this.pieces.at(-1) || this.#source.readyState !== "open") return;
            this.#source.endOfStream();
        });
    }

    /** @returns whether the stream had been ended by `conclude` */
    #reopen() {
        // Any change of the buffer reopens the source. Its duration was shortened by then, and follows what is appended.
        // WebKitGTK would report a longer one as the current time.
        const wasConcluded = this.#source.readyState === "ended";
        this.#buffer.timestampOffset = this.#buffer.timestampOffset;
        return wasConcluded;
    }

    /** Removes the pieces after a piece. Decoders that may already have their frames are flushed. */
    withdrawAfter(piece) {
        const later = this.pieces.splice(this.pieces.indexOf(piece) + 1);
        if (later.length === 0) return;
        for (const each of later) each.dropped.abort();
        const join = later[0].first;
        this.#then(async () => {
            await this.#remove(join / this.frameRate - SLACK, Infinity);
            if (later.some((each) => each.isLaid)) this.#emptyDecoders(join);
        });
    }

    /** Ends a piece soon after one of its frames, so that what is appended next follows there. */
    leave(piece, frame) {
        const frames = Math.min(piece.frames, frame + SOON);
        const later = this.pieces.splice(this.pieces.indexOf(piece) + 1);
        if (frames === piece.frames && later.length === 0) return;
        piece.frames = frames;
        piece.isLeft = true;
        for (const each of [piece, ...later]) each.dropped.abort();
        const join = piece.first + frames;
        this.#then(async () => {
            await this.#remove(join / this.frameRate - SLACK, Infinity);
            this.#emptyDecoders(join);
        });
    }

    /**
     * Flushes the decoders by seeking. The target is the frame after the presented one, because that
     * one may already be on the screen before the browser reports it, and the video must never go back.
     * It is at most the join, because an ended stream reports its end as the current time.
     */
    #emptyDecoders(join) {
        const next = join / this.frameRate + this.#inside;
        const ahead = this.video.paused ? 0 : 1 / this.frameRate;
        const here = Math.max(this.video.currentTime, this.shown + this.#inside) + ahead;
        // After a jump, the frames before the piece are about to be removed.
        const hasJumped = this.pieces[0]?.first === join;
        this.video.currentTime = hasJumped ? next : Math.min(here, next);
    }

    /** Removes everything before a piece; called when that piece has begun to play. */
    forgetBefore(piece) {
        this.pieces = this.pieces.slice(this.pieces.indexOf(piece));
        // Removal must end at a keyframe: frames that depend on a removed one are removed with it.
        const end = piece.first / this.frameRate - SLACK;
        if (end > 0) this.#then(() => this.#remove(0, end));
    }

    /** The piece and frame at a time of the video element; null between pieces. */
    at(mediaTime) {
        if (this.#isJumping) return null;
        const tick = Math.round(mediaTime * this.frameRate);
        const piece = this.pieces.find(
            ({ first, frames }) => tick >= first && tick < first + frames);
        return piece ? { piece, frame: tick - piece.first } : null;
    }

    /** Seconds until the presentation of a piece ends. If it isn't known which frame is on the screen, it is null. */
    untilCrossing(piece, frame) {
        if (frame !== null) return (piece.frames - frame) / this.frameRate;
        // Until the seek ends, WebKitGTK may report an ended stream's end as the current time.
        if (this.#isJumping) return Infinity;
        const played = this.video.currentTime - piece.first / this.frameRate;
        // The frame at the current time may be presented a little later.
        return Math.max(0, piece.frames / this.frameRate - played) + 1 / this.frameRate;
    }

    /** The piece after a piece, or null. */
    after(piece) {
        return this.pieces[this.pieces.indexOf(piece) + 1] ?? null;
    }

    /** Does nothing: the browser plays across a join by itself. */
    cross() {}

    /** An offset in seconds that lies within a frame even if its time is rounded. */
    get #inside() {
        return Math.min(1e-3, 0.2 / this.frameRate);
    }

    /** The number of the first frame. */
    get #first() {
        return Math.min(FIRST, Math.floor(PASSED_OVER * this.frameRate + 1e-6));
    }

    get #end() {
        const last = this.pieces.at(-1);
        return last ? last.first + last.frames : 0;
    }

    /** Runs tasks on the buffer in order, one at a time. */
    #then(task) {
        this.#work = this.#work.then(task).catch((error) => this.onError(error));
        return this.#work;
    }

    async #lay(piece) {
        for (const part of piece.parts) await this.#layPart(piece, part);
    }

    async #layPart(piece, part) {
        const { signal } = piece.dropped;
        for (let index = 0; !signal.aborted; index += 1) {
            const fragment = await this.store.fragment(part.file, index, signal);
            if (!fragment) return;
            await this.#room(part.first + index, signal);
            if (signal.aborted) return;
            const wasConcluded = this.#reopen();
            this.#setWindow(piece, part);
            piece.isLaid = true;
            await this.#appendPatiently(fragment, signal);
            // After the end of a stream, decoders accept more only after a seek.
            if (wasConcluded) this.#emptyDecoders(piece.first);
            piece.onLaid?.();
            // Only now: after the end of a stream, WebKitGTK never plays again if there is nothing left.
            if (piece.isBegun && index === 0) await this.#remove(0, this.#pause(piece));
        }
    }

    #setWindow(piece, { first, frames, start }) {
        const join = (piece.first + first) / this.frameRate;
        const end = (piece.first + first + frames) / this.frameRate;
        this.#buffer.timestampOffset = join - start;
        // The window must not be empty at any time, because browsers refuse that.
        this.#buffer.appendWindowStart = 0;
        this.#buffer.appendWindowEnd = end + SLACK;
        // Sound of less than a coded frame before the first frame is better than none at that frame.
        const isFirst = first === 0 && piece.isBegun;
        const sound = isFirst ? CODED_SAMPLES / this.manifest.media.sampleRate : 0;
        this.#buffer.appendWindowStart = Math.max(0, join - sound - SLACK);
    }

    /** Waits until the next fragment is needed; the first fragment of a piece never waits. */
    async #room(index, signal) {
        if (index === 0) return;
        while (!signal.aborted && this.#buffered() - this.video.currentTime > AHEAD) {
            await this.#whileItPlays(signal);
        }
    }

    #buffered() {
        const { buffered } = this.#buffer;
        return buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
    }

    async #appendPatiently(bytes, signal) {
        while (!signal.aborted) {
            try {
                await this.#append(bytes);
                return;
            } catch (error) {
                if (error.name !== "QuotaExceededError") throw error;
                await this.#whileItPlays(signal);
            }
        }
    }

    #whileItPlays(signal) {
        return new Promise((resume) => {
            this.video.addEventListener("timeupdate", resume, { once: true });
            signal.addEventListener("abort", resume, { once: true });
        });
    }

    #append(bytes) {
        return this.#change(() => this.#buffer.appendBuffer(bytes));
    }

    /** WebKitGTK may never end a seek where a video waited for data; then there is another way to play. */
    #seekTo(piece) {
        const { video } = this;
        video.currentTime = piece.first / this.frameRate + this.#inside;
        const stuck = setTimeout(() => this.onError(new Error("a seek never ended")), LONGEST_SEEK);
        video.addEventListener("seeked", () => {
            clearTimeout(stuck);
            this.#isJumping = false;
        }, { once: true });
    }

    /** A time in the pause of a second before a piece that was begun. */
    #pause(piece) {
        return piece.first / this.frameRate - 0.5;
    }

    async #remove(start, end) {
        if (end <= start || this.#buffer.buffered.length === 0) return;
        await this.#change(() => this.#buffer.remove(start, end));
    }

    #change(begin) {
        return new Promise((resume, fail) => {
            const over = new AbortController();
            const listen = (event, act) => this.#buffer.addEventListener(event, () => {
                over.abort();
                act();
            }, { signal: over.signal });
            listen("error", () => fail(new Error("the browser can't read this segment")));
            listen("updateend", resume);
            try {
                begin();
            } catch (error) {
                over.abort();
                fail(error);
            }
        });
    }
}
