// Finer film strips and waveforms of parts of a clip, which are fetched while the plot is zoomed in.
//
// Level 0 is the whole clip, which the plot has already. At level n the clip is divided into 2ⁿ tiles of one length,
// each with as many frames and columns as the whole clip has at level 0.

/** The largest number of tiles that are kept. */
const MOST = 60;
/** The largest number of tiles that are fetched at a time. */
const AT_ONCE = 2;
/** Deeper than this no clip needs to be divided. */
const DEEPEST = 24;

/** The server makes no waveform of a longer part, in seconds: its sound would take too long to decode. */
export const LONGEST_SOUND = 600;

/**
 * The first level at which steps of a clip aren't longer than `step` seconds, if level 0 has `count` steps, and its tiles not
 * longer than `longest`.
 * @type {(duration: number, count: number, step: number, longest?: number) => number}
 */
export function levelFor(duration, count, step, longest = Infinity) {
    const level = Math.ceil(Math.log2(duration / count / step) - 1e-6);
    return level > 0 ? Math.min(DEEPEST, Math.max(level, Math.ceil(Math.log2(duration / longest)))) : 0;
}

/**
 * The tiles of one kind: film strips or waveforms.
 * @template Value
 */
export class Tiles {
    /** @type {Map<string, Value | null>} null while it is fetched, or if there is none */
    #kept = new Map();
    /** @type {[level: number, tile: number][]} */
    #wanted = [];
    #running = 0;
    /** @type {string | null} */
    #key = null;
    /** @type {(level: number, tile: number) => Promise<Value | null>} */
    #load = async () => null;
    #duration = 1;

    /** @param {() => void} onLoad called when a tile has arrived */
    constructor(onLoad) {
        this.onLoad = onLoad;
    }

    /**
     * @param {string | null} key of the clip; a change forgets all tiles
     * @param {(level: number, tile: number) => Promise<Value | null>} load its value is null if there is no such tile
     * @param {number} duration of the clip
     */
    use(key, load, duration) {
        if (key !== this.#key) {
            this.#kept.clear();
            this.#wanted = [];
        }
        this.#key = key;
        this.#load = load;
        this.#duration = duration;
    }

    /**
     * Fetches the tiles of a level from one time to another; those that were wanted before no longer are.
     * @type {(level: number, from: number, to: number) => void}
     */
    want(level, from, to) {
        this.#wanted = [];
        if (level <= 0 || this.#key === null) return;
        const last = 2 ** level - 1;
        const tileAt = (/** @type {number} */ time) =>
            Math.max(0, Math.min(last, Math.floor((time / this.#duration) * 2 ** level)));
        for (let tile = tileAt(from); tile <= tileAt(to); tile += 1) {
            if (!this.#kept.has(`${level} ${tile}`)) this.#wanted.push([level, tile]);
        }
        this.#run();
    }

    /** The finest tile that is there for a time, at a level or coarser. */
    at(/** @type {number} */ time, /** @type {number} */ level) {
        for (let each = level; each > 0; each -= 1) {
            const span = this.#duration / 2 ** each;
            const tile = Math.max(0, Math.min(2 ** each - 1, Math.floor(time / span)));
            const value = this.#kept.get(`${each} ${tile}`);
            if (value) return { value, start: tile * span, end: (tile + 1) * span };
        }
        return null;
    }

    async #run() {
        const next = this.#running < AT_ONCE && this.#wanted.shift();
        if (!next) return;
        const [level, tile] = next;
        const [key, name] = [this.#key, `${level} ${tile}`];
        this.#running += 1;
        this.#kept.set(name, null);
        const value = await this.#load(level, tile);
        this.#running -= 1;
        if (key === this.#key) {
            this.#kept.delete(name);
            this.#kept.set(name, value);
            while (this.#kept.size > MOST) this.#kept.delete(this.#kept.keys().next().value);
            if (value) this.onLoad();
        }
        this.#run();
    }
}

/** @type {(url: string) => Promise<HTMLImageElement | null>} a loaded image; null if it can't be loaded */
export function imageAt(url) {
    const image = new Image();
    return new Promise((resolve) => {
        image.addEventListener("load", () => resolve(image));
        image.addEventListener("error", () => resolve(null));
        image.src = url;
    });
}
