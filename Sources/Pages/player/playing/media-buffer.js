// A SourceBuffer. Its changes happen in order, one at a time, and what doesn't fit yet is appended later.

/** Seconds. Browsers round times to microseconds; an append window must not drop a frame for that. */
const SLACK = 4e-6;
/** How many seconds are appended ahead of the current time, at least. */
const AHEAD = 30;

export class MediaBuffer {
    #buffer;
    #work = Promise.resolve();

    /**
     * @param listeners `{ onError(error), onRemoved(start, end) }`: a task failed; something was removed, by a task or by the
     *     browser
     */
    constructor(video, source, type, listeners) {
        Object.assign(this, { video, source, ...listeners });
        this.#buffer = source.addSourceBuffer(type);
        // Only the buffer of a ManagedMediaSource has this event.
        this.#buffer.addEventListener("bufferedchange", ({ removedRanges }) => {
            for (let range = 0; range < removedRanges.length; range += 1) {
                this.onRemoved(removedRanges.start(range), removedRanges.end(range));
            }
        });
    }

    /** Runs tasks in order, one at a time. */
    then(task) {
        this.#work = this.#work.then(task).catch((error) => this.onError(error));
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

    /**
     * What is appended from now on is moved by `offset`, and cut. All in seconds.
     * @param sound how much sound before the start isn't cut
     */
    setWindow(start, end, offset, sound) {
        this.#buffer.timestampOffset = offset;
        // The window must not be empty at any time, because browsers refuse that.
        this.#buffer.appendWindowStart = 0;
        this.#buffer.appendWindowEnd = end + SLACK;
        this.#buffer.appendWindowStart = Math.max(0, start - sound - SLACK);
    }

    append(bytes) {
        return this.#change(() => this.#buffer.appendBuffer(bytes));
    }

    /** Appends bytes, as soon as the browser has room for them. */
    async appendPatiently(bytes, signal) {
        while (!signal.aborted) {
            try {
                await this.append(bytes);
                return;
            } catch (error) {
                if (error.name !== "QuotaExceededError") throw error;
                await this.#whileItPlays(signal);
            }
        }
    }

    /** Removes what is between two times, up to the frame at the second one. */
    async remove(start, end) {
        const [first, last] = [Math.max(0, start - SLACK), end - SLACK];
        if (last <= first || this.#buffer.buffered.length === 0) return;
        await this.#change(() => this.#buffer.remove(first, last));
    }

    /** Waits until more is needed than there is. */
    async room(signal) {
        while (!signal.aborted && this.#end - this.video.currentTime > AHEAD) {
            await this.#whileItPlays(signal);
        }
    }

    /** Whether there is something at a time. */
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
