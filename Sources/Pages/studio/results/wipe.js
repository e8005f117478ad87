// The wipe: one frame over another, with a divider between them that is dragged or moved by keys.

import { make } from "../../shared/elements/view.js";
import { onDrag } from "../../shared/elements/plot-drag.js";

/** The widest copy of the picture that is drawn, in pixels. */
const WIDEST = 1280;
/** How far the arrow keys move the divider, alone and with Shift, in percent. */
const STEP = 1, LEAP = 10;

export class Wipe {
    isOn = false;
    #isShown = true;
    #share = 50;
    #isWatching = false;

    /**
     * @param {HTMLElement} screen over which the frame is laid
     * @param {HTMLVideoElement} video whose frame is shown left of the divider
     */
    constructor(screen, video) {
        this.video = video;
        this.canvas = make("canvas", { class: "wipe-picture", "aria-hidden": true });
        this.divider = make("div", {
            class: "wipe-divider", role: "slider", tabindex: 0, "aria-label": "Wipe",
            "aria-orientation": "horizontal", "aria-valuemin": 0, "aria-valuemax": 100,
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.#onKey(event),
            onclick: (/** @type {Event} */ event) => event.stopPropagation(),
        });
        onDrag(this.divider, {
            begin: (event) => {
                event.preventDefault();
                this.divider.focus();
                return { share: this.#share };
            },
            move: (_, { clientX }) => {
                const { left, width } = screen.getBoundingClientRect();
                this.#move(100 * (clientX - left) / width);
            },
            end: () => {},
            cancel: ({ share }) => this.#move(share),
        });
        this.layer = make("div", { class: "wipe", hidden: true }, this.canvas, this.divider,
            make("span", { class: "wipe-name", "aria-hidden": true }, "Source"),
            make("span", { class: "wipe-name", "aria-hidden": true }, "Result"));
        screen.querySelector("video")?.after(this.layer);
        for (const event of ["seeked", "loadeddata", "timeupdate"]) {
            video.addEventListener(event, () => this.draw());
        }
        this.#place();
    }

    set(/** @type {boolean} */ isOn) {
        this.isOn = isOn;
        this.#show();
    }

    /** Hides the wipe while there is nothing to compare. */
    setShown(/** @type {boolean} */ isShown) {
        this.#isShown = isShown;
        this.#show();
    }

    #show() {
        this.layer.hidden = !this.isOn || !this.#isShown;
        if (this.layer.hidden) return;
        this.draw();
        this.#watch();
    }

    /** Draws every frame that the video shows, in browsers that report it. */
    #watch() {
        if (this.#isWatching || !this.video.requestVideoFrameCallback) return;
        this.#isWatching = true;
        const next = () => {
            this.#isWatching = !this.layer.hidden;
            if (!this.#isWatching) return;
            this.draw();
            this.video.requestVideoFrameCallback(next);
        };
        this.video.requestVideoFrameCallback(next);
    }

    draw() {
        const { video, canvas, layer } = this;
        if (layer.hidden || video.videoWidth === 0 || video.readyState < 2) return;
        const scale = Math.min(1, WIDEST / video.videoWidth);
        const width = Math.round(video.videoWidth * scale);
        const height = Math.round(video.videoHeight * scale);
        if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
        canvas.getContext("2d")?.drawImage(video, 0, 0, width, height);
    }

    #place() {
        const share = Math.round(this.#share);
        this.layer.style.setProperty("--wipe", `${this.#share}%`);
        this.divider.setAttribute("aria-valuenow", String(share));
        this.divider.setAttribute("aria-valuetext", `source ${share} %, result ${100 - share} %`);
    }

    #move(/** @type {number} */ share) {
        this.#share = Math.min(100, Math.max(0, share));
        this.#place();
    }

    #onKey(/** @type {KeyboardEvent} */ event) {
        const step = event.shiftKey ? LEAP : STEP;
        const share = /** @type {Record<string, number | undefined>} */ ({
            ArrowLeft: this.#share - step, ArrowDown: this.#share - step,
            ArrowRight: this.#share + step, ArrowUp: this.#share + step,
            PageDown: this.#share - LEAP, PageUp: this.#share + LEAP, Home: 0, End: 100,
        })[event.key];
        if (share === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        this.#move(share);
    }
}
