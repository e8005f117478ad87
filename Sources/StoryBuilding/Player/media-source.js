// One timeline of Media Source; segments are laid on it one after the other while it plays.
//
//   piece      first                       first + frames
//   ───────────┼───────────────────────────┼───────────────────────────┼──▶ pictures
//              prologue                    door (appended at lock-in)
//
// Where a piece begins is counted in pictures and divided by their rate once, so nothing adds up.

import { bytesOf } from "./segment-store.js";

/** Times reach the browser as whole microseconds; a window must not cut off what is rounded. */
const SLACK = 4e-6;
/** Seconds of film that are appended ahead of what is shown, at least. */
const AHEAD = 30;
/** Longer than any story: with an end in sight, the browser doesn't take it for a live one. */
const LONGEST = 604800;

const Source = globalThis.MediaSource ?? globalThis.ManagedMediaSource;

export class MediaSourceTimeline {
    pieces = [];
    isCrossing = false;
    /** Settles when the video may be told to play. */
    ready = Promise.resolve();
    /** The time of the picture that was presented last; set by who watches them. */
    shown = 0;
    #buffer = null;
    #source = null;
    #isConcluded = false;
    #work = Promise.resolve();

    /** Whether this browser has Media Source, and knows the codecs. */
    static canPlay(type) {
        return Boolean(Source?.isTypeSupported(type));
    }

    /** @param onError called with what the browser couldn't do */
    constructor(video, manifest, store, onError) {
        Object.assign(this, { video, manifest, store, onError });
        this.frameRate = manifest.media.frameRate;
    }

    async open() {
        const { media } = this.manifest;
        const init = bytesOf(media.init);
        this.#source = new Source();
        // Without this, a managed source waits for another one that can be sent to a television.
        this.video.disableRemotePlayback = true;
        this.video.src = URL.createObjectURL(this.#source);
        await new Promise((resume) => {
            this.#source.addEventListener("sourceopen", resume, { once: true });
        });
        URL.revokeObjectURL(this.video.src);
        this.#buffer = this.#source.addSourceBuffer(media.type);
        await this.#append(await init);
        this.#source.duration = LONGEST;
    }

    /** Drops everything, and goes on with this segment from its start. */
    begin(name) {
        const last = this.pieces.at(-1);
        const end = last ? last.first + last.frames + Math.ceil(this.frameRate) : 0;
        for (const piece of this.pieces) piece.dropped.abort();
        this.pieces = [];
        this.#isConcluded = false;
        this.ready = this.#then(async () => {
            await this.#remove(0, Infinity);
            this.#reopen();
            this.video.currentTime = end / this.frameRate + this.#inside;
            this.shown = 0;
        });
        return this.#add(name, end);
    }

    /** Lays a segment behind the last one. */
    append(name) {
        const piece = this.#add(name, this.#end);
        if (this.#isConcluded) {
            // A film that is at its end would begin again, if it were told to play now.
            this.ready = new Promise((resume) => { piece.onLaid = resume; });
            this.#isConcluded = false;
        }
        return piece;
    }

    #add(name, first) {
        const { frames, start } = this.manifest.segments[name];
        const piece = { name, first, frames, start, dropped: new AbortController() };
        this.pieces.push(piece);
        this.#then(async () => {
            await this.#lay(piece);
            piece.onLaid?.();
        });
        return piece;
    }

    /**
     * Says that nothing follows the last piece, as far as is known: only then do decoders hand out
     * the last pictures that they hold back.
     */
    conclude() {
        const piece = this.pieces.at(-1);
        this.#isConcluded = true;
        this.#then(() => {
            if (piece !== this.pieces.at(-1) || this.#source.readyState !== "open") return;
            this.#source.endOfStream();
        });
    }

    /** @returns whether the source had been concluded */
    #reopen() {
        // Any change of the buffer opens the source; the film's end was brought near by then.
        this.#buffer.timestampOffset = this.#buffer.timestampOffset;
        const wasConcluded = this.#source.duration < LONGEST;
        if (wasConcluded) this.#source.duration = LONGEST;
        return wasConcluded;
    }

    /** Takes back what was laid behind a piece; decoders that have it already are emptied. */
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

    /**
     * Seeks to the picture after the one that is shown: that one may be on the screen already before
     * the browser says so, and a film never goes back. No further than to the join, because what was
     * concluded says that it is at its end, wherever that is now.
     */
    #emptyDecoders(join) {
        const next = join / this.frameRate + this.#inside;
        const ahead = this.video.paused ? 0 : 1 / this.frameRate;
        const here = Math.max(this.video.currentTime, this.shown + this.#inside) + ahead;
        // What lies before a piece that was jumped to is about to be forgotten.
        const hasJumped = this.pieces[0]?.first === join;
        this.video.currentTime = hasJumped ? next : Math.min(here, next);
    }

    /** Forgets what lies before a piece; called when that has begun to play. */
    forgetBefore(piece) {
        this.pieces = this.pieces.slice(this.pieces.indexOf(piece));
        // No further than to a picture that needs none before it: what depends on one goes with it.
        const end = piece.first / this.frameRate - SLACK;
        if (end > 0) this.#then(() => this.#remove(0, end));
    }

    /** Which piece and picture is shown at a time of the video element; null between pieces. */
    at(mediaTime) {
        const tick = Math.round(mediaTime * this.frameRate);
        const piece = this.pieces.find(
            ({ first, frames }) => tick >= first && tick < first + frames);
        return piece ? { piece, frame: tick - piece.first } : null;
    }

    /** Seconds of a piece that are still to come. */
    remaining(piece) {
        return (piece.first + piece.frames) / this.frameRate - this.video.currentTime;
    }

    /** What was laid behind a piece. */
    after(piece) {
        return this.pieces[this.pieces.indexOf(piece) + 1] ?? null;
    }

    /** The browser goes over a join by itself. */
    cross() {}

    /** A little into a picture, whichever way its time is rounded. */
    get #inside() {
        return Math.min(1e-3, 0.2 / this.frameRate);
    }

    get #end() {
        const last = this.pieces.at(-1);
        return last ? last.first + last.frames : 0;
    }

    /** Work on the buffer is done in order, one thing at a time. */
    #then(task) {
        this.#work = this.#work.then(task).catch((error) => this.onError(error));
        return this.#work;
    }

    async #lay(piece) {
        const { signal } = piece.dropped;
        for (let index = 0; !signal.aborted; index += 1) {
            const fragment = await this.store.fragment(piece.name, index, signal);
            if (!fragment) return;
            await this.#room(piece, index, signal);
            if (signal.aborted) return;
            const wasConcluded = this.#reopen();
            this.#setWindow(piece);
            piece.isLaid = true;
            await this.#appendPatiently(fragment, signal);
            // Decoders that have given everything away take more only after a seek.
            if (wasConcluded) this.#emptyDecoders(piece.first);
            piece.onLaid?.();
        }
    }

    #setWindow({ first, frames, start }) {
        const join = first / this.frameRate;
        const end = (first + frames) / this.frameRate;
        this.#buffer.timestampOffset = join - start;
        // The window is never empty on the way, which would be refused.
        this.#buffer.appendWindowStart = 0;
        this.#buffer.appendWindowEnd = end + SLACK;
        this.#buffer.appendWindowStart = Math.max(0, join - SLACK);
    }

    /** Waits until it is time for the next fragment; the first is never kept waiting. */
    async #room(piece, index, signal) {
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

    async #remove(start, end) {
        if (this.#buffer.buffered.length === 0) return;
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
