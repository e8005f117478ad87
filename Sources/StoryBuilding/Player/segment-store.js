// The segments' bytes: fetched ahead of need, kept while they may follow, and fetched again when
// the network fails.

import { FragmentCutter } from "./fragments.js";

const PAUSES = [400, 1200, 3000]; // ms before the second, third and fourth try

const pass = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));

/** Tries again and again, and throws the last error; `isOver` says when trying is pointless. */
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

async function request(url, signal) {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return response;
}

/** All bytes of a small file. */
export function bytesOf(url) {
    return persistently(() => false, async () =>
        new Uint8Array(await (await request(url)).arrayBuffer()));
}

/** The text of a small file. */
export function textOf(url) {
    return persistently(() => false, async () => (await request(url)).text());
}

/** One segment's file, as far as it has come. */
class Download {
    fragments = [];
    /** waiting, running, whole or failed */
    phase = "waiting";
    readers = 0;
    #abort = new AbortController();
    #waiting = new Set();

    constructor(url) {
        this.url = url;
    }

    /** Fetches the file, and throws where that fails for good. */
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
            // A second try begins with the first byte again.
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

    /** @returns the fragment with this index, null after the last, or undefined if let go of */
    async fragment(index, signal) {
        this.readers += 1;
        const onAbort = () => this.#tell();
        signal.addEventListener("abort", onAbort);
        while (index >= this.fragments.length && this.phase !== "whole" && !signal.aborted) {
            await new Promise((resume) => this.#waiting.add(resume));
        }
        signal.removeEventListener("abort", onAbort);
        this.readers -= 1;
        return signal.aborted ? undefined : this.fragments[index] ?? null;
    }

    cancel() {
        this.#abort.abort();
    }
}

export class SegmentStore {
    #downloads = new Map();

    /** @param onFailure called with `retry` when somebody waits for bytes that don't come */
    constructor(manifest, onFailure) {
        this.manifest = manifest;
        this.onFailure = onFailure;
    }

    /** The names of the segments that are kept, on their way, or to be fetched. */
    get names() {
        return [...this.#downloads.keys()];
    }

    /** Keeps these segments, fetching one after the other, and lets go of all others. */
    keep(names) {
        const before = this.#downloads;
        this.#downloads = new Map();
        for (const name of new Set(names)) {
            this.#downloads.set(name, before.get(name) ?? this.#newDownload(name));
        }
        for (const [name, download] of before) {
            if (this.#downloads.has(name)) continue;
            if (download.readers > 0) this.#downloads.set(name, download);
            else download.cancel();
        }
        this.#fetchNext();
    }

    /** See `Download.fragment`. What somebody waits for is fetched at once. */
    fragment(name, index, signal) {
        const download = this.#downloads.get(name) ?? this.#newDownload(name);
        this.#downloads.set(name, download);
        const bytes = download.fragment(index, signal);
        if (download.phase === "waiting" || download.phase === "failed") this.#fetch(download);
        return bytes;
    }

    #newDownload(name) {
        return new Download(this.manifest.segments[name].file);
    }

    #fetchNext() {
        const downloads = [...this.#downloads.values()];
        if (downloads.some(({ phase }) => phase === "running")) return;
        const next = downloads.find(({ phase }) => phase === "waiting");
        if (next) this.#fetch(next);
    }

    async #fetch(download) {
        try {
            await download.run();
        } catch {
            if (download.readers > 0) this.onFailure(() => this.#fetch(download));
        }
        this.#fetchNext();
    }
}
