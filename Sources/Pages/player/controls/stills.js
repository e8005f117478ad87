// A small picture of each scene that was played, for the lists of scenes. They are taken from the video while it plays.

/** CSS pixels. */
const STILL_WIDTH = 160;
/** More would take too much memory. */
const MOST_STILLS = 200;

export class Stills {
    /** @type {Map<string, ImageBitmap | null>} */
    #stills = new Map();

    /**
     * @param {() => HTMLVideoElement} video gives the element that shows the film
     * @param {import("../types.js").Manifest} manifest
     */
    constructor(video, manifest) {
        this.video = video;
        this.manifest = manifest;
    }

    /**
     * Takes a picture of a segment once, some time after its start.
     * @type {(name: string, time: number) => Promise<void>}
     */
    async update(name, time) {
        const { duration } = this.manifest.segments[name];
        if (time < Math.min(0.3, duration / 2) || this.#stills.has(name)) return;
        if (this.#stills.size >= MOST_STILLS || this.video().readyState < 2) return;
        this.#stills.set(name, null);
        const { width, height } = this.manifest.media;
        try {
            this.#stills.set(name, await createImageBitmap(this.video(), {
                resizeWidth: STILL_WIDTH, resizeHeight: Math.round(STILL_WIDTH * height / width),
            }));
        } catch {
            // This browser can't; the list shows an empty frame.
        }
    }

    /** @type {(name: string) => HTMLElement} an element with the picture of a segment */
    draw(name) {
        const canvas = document.createElement("canvas");
        canvas.className = "still";
        canvas.setAttribute("aria-hidden", "true");
        const still = this.#stills.get(name);
        if (still) {
            Object.assign(canvas, { width: still.width, height: still.height });
            canvas.getContext("2d")?.drawImage(still, 0, 0);
        }
        return canvas;
    }
}
