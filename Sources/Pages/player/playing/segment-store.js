// The media of segments: fetched in advance, kept while the segments may follow, and fetched again
// when the network fails.

import { FragmentCutter } from "./fragments.js";

const PAUSES = [400, 1200, 3000]; // ms before the second, third and fourth try

const pass = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));

/** Repeats a failing attempt a few times, then throws the last error. Stops early if `isOver()`. */
async function persistently(isOver, attempt) {
    for (const pause of [...PAUSES, null]) {
        try {
            return await attempt();
        } catch (error) {
            if (pause === null || isOver()) throw error;
            await pass(pause);
        }
    }
}

/** The file can't be fetched, now. */
export class NetworkError extends Error {}

async function request(url, signal) {
    let response;
    try {
        response = await fetch(url, { signal });
    } catch (error) {
        throw new NetworkError(error.message);
    }
    if (!response.ok) throw new NetworkError(`${response.status} ${response.statusText}`);
    return response;
}

/** The bytes of a small file. */
export function bytesOf(url) {
    return persistently(() => false, async () =>
        new Uint8Array(await (await request(url)).arrayBuffer()));
}

/** The text of a small file. */
export function textOf(url) {
    return persistently(() => false, async () => (await request(url)).text());
}

/** The download of one segment's file, with the fragments that have arrived. */
class Download {
    fragments = [];
    /** "waiting", "running", "whole" or "failed" */
    phase = "waiting";
    readers = 0;
    #abort = new AbortController();
    #waiting = new Set();

    /** @param onRelease called when nobody waits for it any more */
    constructor(url, onRelease) {
        Object.assign(this, { url, onRelease });
    }

    /** Whether somebody waits for it in vain. */
    get isStuck() {
        return this.phase === "failed" && this.readers > 0;
    }

    /** Fetches the file; throws if that fails after all attempts. */
    async run() {
        this.phase = "running";
        try {
            await persistently(() => this.#abort.signal.aborted, () => this.#read());
            this.phase = "whole";
            this.#tell();
        } catch (error) {
            this.phase = "failed";
            throw error;
        }
    }

    async #read() {
        const { body } = await request(this.url, this.#abort.signal);
        const cutter = new FragmentCutter();
        let count = 0;
        const take = (fragments) => {
            // A repeated attempt begins with the first byte again.
            this.fragments.push(...fragments.slice(Math.max(0, this.fragments.length - count)));
            count += fragments.length;
            this.#tell();
        };
        const reader = body.getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
            take(cutter.push(part.value));
        }
        take(cutter.finish());
    }

    #tell() {
        for (const resume of this.#waiting) resume();
        this.#waiting.clear();
    }

    /** @returns the fragment with this index, null after the last, or undefined if aborted */
    async fragment(index, signal) {
        this.readers += 1;
        const onAbort = () => this.#tell();
        signal.addEventListener("abort", onAbort);
        while (index >= this.fragments.length && this.phase !== "whole" && !signal.aborted) {
            await new Promise((resume) => this.#waiting.add(resume));
        }
        signal.removeEventListener("abort", onAbort);
        this.readers -= 1;
        if (this.readers === 0) this.onRelease();
        return signal.aborted ? undefined : this.fragments[index] ?? null;
    }

    cancel() {
        this.#abort.abort();
    }
}

export class SegmentStore {
    #downloads = new Map();
    #isStuck = false;

    /** @param onStuck called with true when needed bytes can't be fetched, and with false when that is over */
    constructor(onStuck) {
        this.onStuck = onStuck;
    }

    /** Fetches again what is needed and couldn't be fetched. */
    retry() {
        for (const download of this.#downloads.values()) {
            if (download.isStuck) this.#fetch(download);
        }
    }

    #notice() {
        const isStuck = [...this.#downloads.values()].some((download) => download.isStuck);
        if (isStuck === this.#isStuck) return;
        this.#isStuck = isStuck;
        this.onStuck(isStuck);
    }

    /** Whether a file is fetched, being fetched, or to be fetched. */
    has(file) {
        return this.#downloads.has(file);
    }

    #download(file) {
        return new Download(file, () => this.#notice());
    }

    /** Keeps these files, fetching one after the other, and drops all others. */
    keep(files) {
        const before = this.#downloads;
        this.#downloads = new Map();
        for (const file of new Set(files)) {
            this.#downloads.set(file, before.get(file) ?? this.#download(file));
        }
        for (const [file, download] of before) {
            if (this.#downloads.has(file)) continue;
            if (download.readers > 0) this.#downloads.set(file, download);
            else download.cancel();
        }
        this.#fetchNext();
    }

    /** See `Download.fragment`. A file that isn't being fetched yet is fetched at once. */
    fragment(file, index, signal) {
        const download = this.#downloads.get(file) ?? this.#download(file);
        this.#downloads.set(file, download);
        const bytes = download.fragment(index, signal);
        if (download.phase === "waiting" || download.phase === "failed") this.#fetch(download);
        return bytes;
    }

    #fetchNext() {
        const downloads = [...this.#downloads.values()];
        if (downloads.some(({ phase }) => phase === "running")) return;
        const next = downloads.find(({ phase }) => phase === "waiting");
        if (next) this.#fetch(next);
    }

    async #fetch(download) {
        const running = download.run();
        this.#notice();
        try {
            await running;
        } catch (error) {
            console.warn("A part of the video can't be fetched.", error);
        }
        this.#notice();
        this.#fetchNext();
    }
}
