// A SourceBuffer. Its changes happen in order, one at a time, and what doesn't fit yet is appended later.

/** Seconds. Browsers round times to microseconds; an append window must not drop a frame for that. */
const SLACK = 4e-6;
/** How many seconds are appended ahead of the current time, at least. */
const AHEAD = 30;

/** Phones have only the second: the browser decides what it keeps of what was appended. */
const SOURCES = [globalThis.MediaSource, globalThis.ManagedMediaSource];

/** @type {(type: string) => typeof MediaSource | undefined} what plays a type of media; nothing, if the browser can't */
export const sourceFor = (type) => SOURCES.find((each) => each?.isTypeSupported(type));

/**
 * Gives a video a Media Source for a type of media that the browser plays, and waits until it has opened.
 * @type {(video: HTMLVideoElement, type: string) => Promise<MediaSource>}
 */
export async function attachSource(video, type) {
    const source = new (/** @type {typeof MediaSource} */ (sourceFor(type)))();
    // Without this, a ManagedMediaSource opens only if there is an alternative source for
    // AirPlay.
    video.disableRemotePlayback = true;
    const address = URL.createObjectURL(source);
    video.src = address;
    const over = new AbortController();
    await new Promise((resume, refuse) => {
        source.addEventListener("sourceopen", resume, { signal: over.signal });
        // WebKit refuses sources of pages from the disk.
        video.addEventListener("error", () => refuse(video.error), { signal: over.signal });
    });
    over.abort();
    URL.revokeObjectURL(address);
    return source;
}

export class MediaBuffer {
    #buffer;
    #work = Promise.resolve();

    /**
     * @param {HTMLVideoElement} video
     * @param {MediaSource} source
     * @param {string} type
     * @param {{ onError(error: unknown): void, onRemoved(start: number, end: number): void }} listeners a task failed;
     *     something was removed, by a task or by the browser
     */
    constructor(video, source, type, listeners) {
        this.video = video;
        this.source = source;
        this.listeners = listeners;
        this.#buffer = source.addSourceBuffer(type);
        // Only the buffer of a ManagedMediaSource has this event.
        this.#buffer.addEventListener("bufferedchange", ({ removedRanges }) => {
            for (let range = 0; range < removedRanges.length; range += 1) {
                listeners.onRemoved(removedRanges.start(range), removedRanges.end(range));
            }
        });
    }

    /** @type {(task: () => void | Promise<void>) => void} runs tasks in order, one at a time */
    queue(task) {
        this.#work = this.#work.then(task).catch((error) => this.listeners.onError(error));
    }

    // The rest is for tasks.

    /** @returns whether the stream had been ended */
    reopen() {
        // Any change of the buffer reopens the source. Its duration was shortened by then, and follows what is appended.
        // WebKitGTK would report a longer one as the current time.
        const wasEnded = this.source.readyState === "ended";
        this.#buffer.timestampOffset = this.#buffer.timestampOffset;
        return wasEnded;
    }

    /** Forgets what was appended in part: what comes next is the beginning of something. */
    forgetRest() {
        if (this.source.readyState === "open") this.#buffer.abort();
    }

    /**
     * What is appended from now on is moved by `offset`, and cut. All in seconds.
     * @param {number} start
     * @param {number} end
     * @param {number} offset
     * @param {number} sound how much sound before the start isn't cut
     */
    setWindow(start, end, offset, sound) {
        this.#buffer.timestampOffset = offset;
        // The window must not be empty at any time, because browsers refuse that.
        this.#buffer.appendWindowStart = 0;
        this.#buffer.appendWindowEnd = end + SLACK;
        this.#buffer.appendWindowStart = Math.max(0, start - sound - SLACK);
    }

    /** @param {Uint8Array} bytes */
    append(bytes) {
        return this.#change(() => this.#buffer.appendBuffer(bytes));
    }

    /** @type {(bytes: Uint8Array, signal: AbortSignal) => Promise<void>} appends as soon as the browser has room */
    async appendPatiently(bytes, signal) {
        while (!signal.aborted) {
            try {
                await this.append(bytes);
                return;
            } catch (error) {
                if (/** @type {Error} */ (error).name !== "QuotaExceededError") throw error;
                await this.#whileItPlays(signal);
            }
        }
    }

    /** @type {(start: number, end: number) => Promise<void>} removes what is between, up to the frame at `end` */
    async remove(start, end) {
        const [first, last] = [Math.max(0, start - SLACK), end - SLACK];
        if (last <= first || this.#buffer.buffered.length === 0) return;
        await this.#change(() => this.#buffer.remove(first, last));
    }

    /** @type {(signal: AbortSignal) => Promise<void>} waits until more is needed than there is */
    async room(signal) {
        while (!signal.aborted && this.#end - this.video.currentTime > AHEAD) {
            await this.#whileItPlays(signal);
        }
    }

    /** @type {(time: number) => boolean} whether there is something at a time */
    has(time) {
        const { buffered } = this.#buffer;
        for (let range = 0; range < buffered.length; range += 1) {
            if (buffered.start(range) <= time && time < buffered.end(range)) return true;
        }
        return false;
    }

    get #end() {
        const { buffered } = this.#buffer;
        return buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
    }

    /** @type {(signal: AbortSignal) => Promise<void>} */
    #whileItPlays(signal) {
        return new Promise((resume) => {
            const over = new AbortController();
            const end = () => {
                over.abort();
                resume();
            };
            this.video.addEventListener("timeupdate", end, { signal: over.signal });
            signal.addEventListener("abort", end, { signal: over.signal });
        });
    }

    /** @type {(begin: () => void) => Promise<void>} */
    #change(begin) {
        return new Promise((resume, fail) => {
            const over = new AbortController();
            /** @type {(event: string, act: () => void) => void} */
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
