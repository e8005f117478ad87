// The media of segments: fetched in advance, kept while the segments may follow, and fetched again
// when the network fails.

import { FragmentCutter } from "./fragments.js";

const PAUSES = [400, 1200, 3000]; // ms before the second, third and fourth try

const pass = (/** @type {number} */ milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));

/**
 * Repeats a failing attempt a few times, then throws the last error. Stops early if `isOver()`.
 * @type {<Value>(isOver: () => boolean, attempt: () => Promise<Value>) => Promise<Value>}
 */
async function persistently(isOver, attempt) {
    for (const pause of PAUSES) {
        try {
            return await attempt();
        } catch (error) {
            if (isOver()) throw error;
            await pass(pause);
        }
    }
    return attempt();
}

/** The file can't be fetched, now. */
export class NetworkError extends Error {}

/** @param {string} url @param {AbortSignal} [signal] */
async function request(url, signal) {
    let response;
    try {
        response = await fetch(url, { signal });
    } catch (error) {
        throw new NetworkError(/** @type {Error} */ (error).message);
    }
    if (!response.ok) throw new NetworkError(`${response.status} ${response.statusText}`);
    return response;
}

/** @type {(url: string) => Promise<Uint8Array>} the bytes of a small file */
export function bytesOf(url) {
    return persistently(() => false, async () =>
        new Uint8Array(await (await request(url)).arrayBuffer()));
}

/** @type {(url: string) => Promise<string>} the text of a small file */
export function textOf(url) {
    return persistently(() => false, async () => (await request(url)).text());
}

/** The download of one segment's file, with the fragments that have arrived. */
class Download {
    /** @type {Uint8Array[]} */
    fragments = [];
    /** @type {"waiting" | "running" | "whole" | "failed"} */
    phase = "waiting";
    readers = 0;
    #abort = new AbortController();
    /** @type {Set<(value?: unknown) => void>} */
    #waiting = new Set();

    /** @param {string} url @param {() => void} onRelease called when nobody waits for it any more */
    constructor(url, onRelease) {
        this.url = url;
        this.onRelease = onRelease;
    }

    /** Whether somebody waits for it, and it can't be fetched. */
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
        const response = await request(this.url, this.#abort.signal);
        const cutter = new FragmentCutter();
        let count = 0;
        const take = (/** @type {Uint8Array[]} */ fragments) => {
            // A repeated attempt begins with the first byte again.
            this.fragments.push(...fragments.slice(Math.max(0, this.fragments.length - count)));
            count += fragments.length;
            this.#tell();
        };
        const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
            take(cutter.push(part.value));
        }
        take(cutter.finish());
    }

    #tell() {
        for (const resume of this.#waiting) resume();
        this.#waiting.clear();
    }

    /**
     * The fragment with this index, null after the last, or undefined if aborted.
     * @type {(index: number, signal: AbortSignal) => Promise<Uint8Array | null | undefined>}
     */
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
    /** @type {Map<string, Download>} by file */
    #downloads = new Map();
    #isStuck = false;

    /** @param {(isStuck: boolean) => void} onStuck tells that needed bytes can't be fetched, and when that is over */
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

    /** @type {(file: string) => boolean} whether a file is fetched, being fetched, or to be fetched */
    has(file) {
        return this.#downloads.has(file);
    }

    /** @param {string} file */
    #download(file) {
        return new Download(file, () => this.#notice());
    }

    /** @type {(files: string[]) => void} keeps these files, fetching one after the other, and drops all others */
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

    /**
     * See `Download.fragment`. A file that isn't being fetched yet is fetched at once.
     * @type {(file: string, index: number, signal: AbortSignal) => Promise<Uint8Array | null | undefined>}
     */
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

    /** @param {Download} download */
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
