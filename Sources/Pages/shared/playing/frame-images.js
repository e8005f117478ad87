// Small frames of a clip, fetched second by second: shown where a video element is too slow (backwards, very fast).

/** How many seconds are fetched ahead, and kept in memory at most. */
const AHEAD = 2, MOST = 6;
/** After a request that broke, frames are fetched again after this many milliseconds. */
const AGAIN = 3000;
/** Times within this many seconds are the same. */
const SAME = 1e-4;

export class FrameImages {
    /** Whether the clip has no frames, or they aren't wanted any more. */
    #isOver = false;
    /** When a request broke last. */
    #brokenAt = -Infinity;
    /** @type {Map<number, { time: number, image: ImageBitmap }[] | null>} by second; null while it is fetched */
    #seconds = new Map();

    /**
     * @param {(second: number, isBackwards: boolean) => Promise<ArrayBuffer | null>} fetchSecond null: there are none;
     *     rejected: the request broke
     * @param {number} duration of the clip in seconds
     */
    constructor(fetchSecond, duration) {
        this.fetchSecond = fetchSecond;
        this.last = Math.max(0, Math.ceil(duration) - 1);
    }

    /** Whether the clip's frames can be shown. Otherwise the video is sought, which shows something everywhere. */
    get isUsable() {
        return !this.#isOver && performance.now() - this.#brokenAt > AGAIN;
    }

    /** The frame that is shown at a time; null if it isn't here. */
    at(/** @type {number} */ time) {
        const place = this.#place(time);
        const here = this.#seconds.get(place);
        if (!here) return null;
        const next = here.findIndex((frame) => frame.time > time + SAME);
        return here[next < 0 ? here.length - 1 : Math.max(0, next - 1)]?.image ?? null;
    }

    /**
     * Fetches the frames around a time, if they aren't here.
     * @param {number} time
     * @param {1 | -1} way where the times after it lead
     */
    want(time, way) {
        if (!this.isUsable) return;
        const place = this.#place(time);
        for (let ahead = 0; ahead <= AHEAD; ahead += 1) {
            const second = place + ahead * way;
            if (second >= 0 && second <= this.last && !this.#seconds.has(second)) this.#fetch(second, way);
        }
        this.#forget(place);
    }

    /** Frees all frames. */
    close() {
        this.#isOver = true;
        for (const second of [...this.#seconds.keys()]) this.#drop(second);
    }

    #place(/** @type {number} */ time) {
        return Math.min(this.last, Math.max(0, Math.floor(time + SAME)));
    }

    async #fetch(/** @type {number} */ second, /** @type {1 | -1} */ way) {
        this.#seconds.set(second, null);
        /** @type {Awaited<ReturnType<typeof imagesIn>>} */
        let frames;
        try {
            const data = await this.fetchSecond(second, way < 0);
            frames = data === null ? [] : await imagesIn(data);
        } catch {
            this.#brokenAt = performance.now();
            this.#seconds.delete(second);
            return;
        }
        // A clip without the frames of one second is sought everywhere.
        if (frames.length === 0) this.#isOver = true;
        if (!this.#isOver && this.#seconds.has(second)) this.#seconds.set(second, frames);
        else frames.forEach(({ image }) => image.close());
    }

    #forget(/** @type {number} */ place) {
        const far = [...this.#seconds.keys()].sort((a, b) => Math.abs(b - place) - Math.abs(a - place));
        for (const second of far.slice(0, Math.max(0, far.length - MOST))) this.#drop(second);
    }

    #drop(/** @type {number} */ second) {
        this.#seconds.get(second)?.forEach(({ image }) => image.close());
        this.#seconds.delete(second);
    }
}

/**
 * The frames in a response: their number, times and sizes, then the images. Those that can't be read are left out.
 * @param {ArrayBuffer} data
 */
async function imagesIn(data) {
    const view = new DataView(data);
    const count = view.getUint32(0, true);
    let from = 4 + 12 * count;
    const entries = Array.from({ length: count }, (_, i) => {
        const size = view.getUint32(12 + 12 * i, true);
        const bytes = new Uint8Array(data, from, size);
        from += size;
        return { time: view.getFloat64(4 + 12 * i, true), blob: new Blob([bytes], { type: "image/jpeg" }) };
    });
    const made = await Promise.all(entries.map(({ time, blob }) => (
        createImageBitmap(blob).then((image) => [{ time, image }], () => []))));
    return made.flat();
}
