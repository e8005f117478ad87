// Feeds a video element with a film: the render itself, streamed from any instant on. It is fetched a few seconds ahead, and
// what was played stays for a while.

import { FragmentCutter } from "../../player/playing/fragments.js";
import { attachSource, MediaBuffer, sourceFor } from "../../player/playing/media-buffer.js";
import { runsOf, tracksOf } from "../../player/playing/samples.js";

/** By how many seconds all times in a stream are later than the output's: `RenderStream.lead`. */
const LEAD = 1;
/** Seconds that are fetched ahead at normal speed, and that are kept on either side of what is shown. */
const AHEAD = 4, KEPT = 30;
/** After this many milliseconds of a pause the connection is let go, if nothing more is needed: browsers have few of them. */
const RELEASE = 1500, LOOK = 200;
/** A place this many seconds after what is here comes soon enough to wait for. */
const SOON = 0.5;
/** Seconds that are fetched at a time while it plays backwards. */
const BACK = 3;
/** Seconds after a frame's start that are surely within it; and how much sound goes before a frame where two parts meet. */
const INSIDE = 2e-5, SOUND = 0.05;
/** A stream that ends this many seconds before its film does is broken. */
const BROKEN = 0.5;

/** What a stream usually is. */
const TYPE = 'video/mp4; codecs="avc1.640028, mp4a.40.2"';
const UNPLAYABLE = "This browser doesn't play streams of H.264 and AAC.";

/**
 * @typedef {{ key: string, length: number, frameRate: number | null,
 *     open: (from: number, size: number, signal: AbortSignal) => Promise<Response> }} Film
 *     `key`: another one for another film; `length` in seconds; `open` asks for the stream from an instant on, in frames
 *     whose shorter side has `size` pixels at most
 */

export class FilmFeed {
    /** @type {Film | null} */
    film = null;
    /** How many pixels the shorter side of a frame has at most. */
    size = 720;
    /** How many times faster than normal it plays. */
    haste = 1;
    /** Whether the end of the film is here. */
    isComplete = false;
    /** @type {{ start: number, end: number }[]} the frames that are here, in order */
    frames = [];
    #fetching = new AbortController();
    #isFetching = false;
    #isBackwards = false;
    /** Whether nothing of what was asked for last is here yet. */
    isStarting = false;
    /** @type {number | null} where to start next, once something is here */
    #next = null;
    /** @type {Promise<MediaSource>} */
    #source;
    /** @type {MediaBuffer | null} */
    #buffer = null;
    #type = "";
    /** What is here was asked for from this place on. */
    #from = 0;
    /** Looks at once whether more is needed. */
    #look = () => {};

    /**
     * @param {HTMLVideoElement} video
     * @param {{ onStart: () => void, onFailure: (message: string) => void }} listeners `onStart`: something is here of what
     *     was asked for last
     */
    constructor(video, listeners) {
        this.video = video;
        this.on = listeners;
        this.#source = this.#attach();
    }

    /** Shows another film. */
    load(/** @type {Film | null} */ film, /** @type {number} */ at) {
        this.film = film;
        if (film) this.#start(at);
        else this.#clear();
    }

    /** Shows an instant, at once if it is here. */
    seek(/** @type {number} */ at) {
        const comesSoon = this.#isFetching && at >= this.#end && at - this.#end < SOON;
        // While something starts, what is here is still of before.
        if (this.isStarting || (!this.#rangeAt(at) && !comesSoon)) {
            this.#start(at);
            return;
        }
        this.video.currentTime = at;
        this.#look();
        this.fill();
    }

    /** The place of the frame of an instant among those that are here; -1 if it isn't. */
    indexAt(/** @type {number} */ at) {
        return this.frames.findIndex(({ start, end }) => start <= at && at < end);
    }

    /** Whether an instant is here. */
    has(/** @type {number} */ at) {
        const isShown = this.frames.length === 0 || this.indexAt(at) >= 0;
        return isShown && this.#rangeAt(at) !== null;
    }

    /** Fetches on if little is left. */
    fill() {
        if (!this.film || this.#isFetching || this.isComplete || this.#type === "") return;
        if (this.#end - this.video.currentTime > AHEAD / 2) return;
        const end = this.#end;
        this.#fetch({ from: end + INSIDE, start: end, end: Infinity, sound: SOUND, at: null });
    }

    /** Fetches what comes before an instant, to play backwards. */
    lookBack(/** @type {number} */ at) {
        const range = this.#rangeAt(at) ?? this.#rangeAt(this.video.currentTime);
        if (this.isStarting || (this.#isFetching && this.#isBackwards)) return;
        if (range && (range.start <= INSIDE || at - range.start > BACK / 2)) return;
        // Sound begins a little before the first frame.
        const start = range?.start ?? at;
        const end = this.frames.find((frame) => frame.start >= start - INSIDE)?.start ?? start;
        this.#fetch({ from: Math.max(0, end - BACK), start: 0, end, sound: 0, at: null });
    }

    /** Lets the connection go. What is here stays. */
    rest() {
        this.#fetching.abort();
        this.#isFetching = this.isStarting = false;
        this.#next = null;
    }

    /** Asks for the film again from what is shown on, such as in another size. */
    again() {
        if (this.film) this.#start(this.video.currentTime);
    }

    // Fetching

    #start(/** @type {number} */ at) {
        // While a slider is dragged there is always something new to show: each start is let come to its first frame.
        if (this.isStarting) {
            this.#next = at;
            return;
        }
        this.isStarting = true;
        this.#next = null;
        this.#fetch({ from: at, start: 0, end: Infinity, sound: 0, at });
    }

    #hasStarted(/** @type {Film} */ film) {
        this.isStarting = false;
        const next = this.#next;
        this.#next = null;
        // What was asked for last may have come with it.
        if (next !== null && film === this.film) this.seek(next);
        else if (next !== null) this.#start(next);
        if (!this.isStarting) this.on.onStart();
    }

    /**
     * @typedef {{ from: number, start: number, end: number, sound: number, at: number | null }} Part
     *     `from`: where the stream starts; `start`, `end` and `sound`: what of it is kept, see `MediaBuffer.setWindow`; `at`:
     *     what is shown, in place of all that is here; null to keep that
     */

    async #fetch(/** @type {Part} */ part) {
        this.#fetching.abort();
        const { signal } = this.#fetching = new AbortController();
        this.#isFetching = true;
        this.#isBackwards = part.end < Infinity;
        const film = /** @type {Film} */ (this.film);
        const { from } = part;
        try {
            const response = await film.open(from, this.size, signal);
            if (!response.ok || !response.body) throw new Error(await reasonOf(response));
            const buffer = await this.#bufferFor(response.headers.get("Content-Type") ?? "", signal);
            await this.#do(buffer, signal, () => this.#prepare(buffer, film, part));
            await this.#take(response.body.getReader(), buffer, film, part.end, signal);
        } catch (error) {
            const isLeft = signal.aborted || /** @type {Error} */ (error).name === "AbortError";
            if (!isLeft) this.#fail(/** @type {Error} */ (error), film);
        }
        if (signal === this.#fetching.signal) this.#isFetching = false;
    }

    /** @type {(buffer: MediaBuffer, film: Film, part: Part) => Promise<void>} */
    async #prepare(buffer, film, { from, start, end, sound, at }) {
        buffer.forgetRest();
        buffer.reopen();
        this.#from = at === null ? Math.min(this.#from, from) : from;
        if (at !== null) {
            await buffer.remove(0, Infinity);
            this.frames = [];
            this.isComplete = false;
            (await this.#source).duration = film.length;
            this.video.currentTime = at;
        }
        buffer.setWindow(start, end, -LEAD, sound);
    }

    /**
     * @type {(reader: ReadableStreamDefaultReader<Uint8Array>, buffer: MediaBuffer, film: Film, end: number,
     *     signal: AbortSignal) => Promise<void>}
     */
    async #take(reader, buffer, film, end, signal) {
        const cutter = new FragmentCutter();
        while (!signal.aborted) {
            const { done, value } = await reader.read();
            const isOver = done || this.#note(cutter, cutter.push(value)) >= end;
            if (value) await this.#do(buffer, signal, () => this.#append(buffer, value, signal));
            if (signal.aborted) return;
            if (this.isStarting && (this.#rangeAt(this.video.currentTime) || done)) this.#hasStarted(film);
            if (isOver) {
                reader.cancel().catch(() => {});
                // After the last frame there is nothing: the connection may have been let go just before it was known.
                const last = done && cutter.head ? this.#note(cutter, cutter.finish()) : -Infinity;
                await this.#conclude(buffer, film, last, signal);
                return;
            }
            await this.#room(signal);
        }
    }

    /** @type {(buffer: MediaBuffer, bytes: Uint8Array, signal: AbortSignal) => Promise<void>} */
    async #append(buffer, bytes, signal) {
        const { buffered, currentTime } = this.video;
        const start = buffered.length > 0 ? buffered.start(0) : currentTime;
        if (start < currentTime - 2 * KEPT) await this.#forget(buffer, 0, currentTime - KEPT);
        if (this.#end > currentTime + 2 * KEPT) await this.#forget(buffer, currentTime + KEPT, Infinity);
        await buffer.appendPatiently(bytes, signal);
    }

    /** @type {(buffer: MediaBuffer, start: number, end: number) => Promise<void>} */
    async #forget(buffer, start, end) {
        this.frames = this.frames.filter((frame) => frame.start < start || frame.start >= end);
        this.isComplete = this.isComplete && end < Infinity;
        await buffer.remove(start, end);
    }

    /** Waits until more is needed than there is. */
    async #room(/** @type {AbortSignal} */ signal) {
        let since = performance.now();
        while (!signal.aborted && !this.#isBackwards
            && this.#end - this.video.currentTime > AHEAD * Math.max(1, this.haste)) {
            if (!this.video.paused) since = performance.now();
            if (performance.now() - since > RELEASE) {
                this.rest();
                return;
            }
            await new Promise((/** @type {(value: void) => void} */ resume) => {
                this.#look = resume;
                setTimeout(resume, LOOK);
            });
        }
    }

    /**
     * What was asked for is here. Unless a browser is told that nothing follows, it shows no frame near the end.
     * @type {(buffer: MediaBuffer, film: Film, last: number, signal: AbortSignal) => Promise<void>}
     */
    async #conclude(buffer, film, last, signal) {
        this.isComplete ||= !this.#isBackwards;
        if (this.isComplete) {
            await this.#do(buffer, signal, async () => {
                const source = await this.#source;
                if (source.readyState === "open") source.endOfStream();
            });
        }
        const isBroken = !this.#isBackwards && Math.max(this.#end, last) < film.length - BROKEN;
        if (isBroken) throw new Error("The rest of it can't be read.");
    }

    /**
     * Notes the frames of fragments.
     * @type {(cutter: FragmentCutter, fragments: Uint8Array[]) => number} when the last frame ends
     */
    #note(cutter, fragments) {
        let end = -Infinity;
        if (fragments.length === 0 || !cutter.head) return end;
        const tracks = tracksOf(cutter.head);
        const frames = [...this.frames];
        for (const { track, samples } of fragments.flatMap((fragment) => [...runsOf(fragment, tracks)])) {
            if (!track.isVideo) continue;
            for (const { time, offset, duration } of samples) {
                const start = (time + offset) / track.timescale - LEAD;
                const frame = { start, end: start + duration / track.timescale };
                end = Math.max(end, frame.end);
                frames.push(frame);
            }
        }
        frames.sort((one, other) => one.start - other.start);
        this.frames = frames.filter(({ start }, index) => index === 0 || start - frames[index - 1].start > INSIDE);
        return end;
    }

    #fail(/** @type {Error} */ error, film = this.film) {
        const next = this.#next;
        this.rest();
        // A film that another one has replaced says nothing of that.
        if (next !== null && film !== this.film) this.#start(next);
        else this.on.onFailure(error.message);
    }

    // The buffer

    /** Gives the video a source. Whether it has opened is asked when there is a film. */
    #attach() {
        const opening = this.#open();
        opening.catch(() => {});
        return opening;
    }

    /** @type {() => Promise<MediaSource>} */
    async #open() {
        const { video } = this;
        if (!sourceFor(TYPE)) throw new Error(UNPLAYABLE);
        const wasPlaying = !video.paused;
        const opening = attachSource(video, TYPE);
        // A new source pauses the video.
        if (wasPlaying) video.play().catch(() => {});
        return opening;
    }

    /** @type {(type: string, signal: AbortSignal) => Promise<MediaBuffer>} the buffer for a type of streams */
    async #bufferFor(type, signal) {
        if (this.#buffer && this.#type === type) return this.#buffer;
        if (this.#type !== "") this.#source = this.#attach();
        this.#type = type;
        const source = await this.#source;
        if (!sourceFor(type)) throw new Error(UNPLAYABLE);
        const buffer = new MediaBuffer(this.video, source, type, {
            onError: (error) => !signal.aborted && this.#fail(/** @type {Error} */ (error)),
            onRemoved: () => {},
        });
        this.#buffer = buffer;
        return buffer;
    }

    /** @type {(buffer: MediaBuffer, signal: AbortSignal, task: () => Promise<void>) => Promise<void>} does it in its turn */
    #do(buffer, signal, task) {
        return new Promise((resume, refuse) => {
            buffer.queue(() => (signal.aborted || buffer !== this.#buffer
                ? resume() : task().then(resume, refuse)));
        });
    }

    #clear() {
        this.rest();
        this.frames = [];
        this.isComplete = false;
        this.#type = "";
        this.#buffer = null;
        this.#source = this.#attach();
    }

    /** The end of what is here around the present place; that place if there is nothing. */
    get #end() {
        const { currentTime } = this.video;
        return this.#rangeAt(currentTime)?.end ?? currentTime;
    }

    /**
     * What is here around an instant. It begins with a frame: sound may be here before, and Chromium says of what begins a
     * frame after 0 that it begins there.
     * @type {(time: number) => { start: number, end: number } | null}
     */
    #rangeAt(time) {
        const { buffered, duration } = this.video;
        for (let range = 0; range < buffered.length; range += 1) {
            const from = buffered.start(range), end = buffered.end(range);
            const first = this.frames.find((frame) => frame.end > from + INSIDE);
            const start = Math.min(end, Math.max(from, first?.start ?? this.#from));
            const isLast = this.isComplete && time >= end && time <= duration + 1 && range === buffered.length - 1;
            if (start - INSIDE <= time && (time < end - INSIDE || isLast)) return { start, end };
        }
        return null;
    }
}

/** @type {(response: Response) => Promise<string>} */
async function reasonOf(response) {
    try {
        return (await response.json()).error.message;
    } catch {
        return `The server answered with status ${response.status}.`;
    }
}
