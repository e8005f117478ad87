// Shows a running render: the frame that is being written, and the progress.

import { announceProgress } from "../../shared/elements/announce.js";
import { make } from "../../shared/elements/view.js";
import { short } from "../../shared/format-numbers.js";
import { remainingText } from "../../shared/times.js";

/** @typedef {import("../../shared/server").Events} Events */

export class RenderingView {
    /** @type {string | null} */
    #id = null;
    /** @type {(fraction: number) => void} */
    #say = () => {};

    /**
     * @param {HTMLElement} host
     * @param {(id: string) => void} cancel
     */
    constructor(host, cancel) {
        this.host = host;
        this.image = make("img", { class: "thumbnail", alt: "", hidden: true });
        this.bar = make("progress", { max: 1, value: 0, "aria-label": "Render progress" });
        this.percent = make("strong", { class: "percent" });
        this.detail = make("span", { class: "detail" });
        host.append(this.image, make(
            "div", { class: "rendering-text" },
            make("p", { class: "percent-line" }, this.percent, this.detail),
            this.bar,
            make("button", {
                type: "button", class: "small", onclick: () => this.#id && cancel(this.#id),
            }, "Cancel")));
    }

    /**
     * @param {import("../../shared/types").Render | undefined} render the running render
     * @param {boolean} isAside whether the player is playing a result, so that this view is hidden
     */
    show(render, isAside) {
        this.host.hidden = !render || isAside;
        if (!render || render.id === this.#id) return;
        this.#id = render.id;
        this.image.hidden = true;
        this.#say = announceProgress((tenths) => `Rendering, ${10 * tenths} percent.`);
        this.progress({ fraction: 0, ...render.progress, id: render.id });
    }

    /** @param {Pick<Events["progress"], "id" | "fraction"> & Partial<Events["progress"]>} progress */
    progress({ id, fraction, framesPerSecond = 0, remainingSeconds = NaN }) {
        if (id !== this.#id) return;
        this.bar.value = fraction;
        this.percent.textContent = `${Math.floor(100 * fraction)} %`;
        const parts = [
            framesPerSecond > 0 ? `${short(Math.round(framesPerSecond))} frames/s` : null,
            Number.isFinite(remainingSeconds) ? `${remainingText(remainingSeconds)} left` : null,
        ];
        this.detail.textContent = parts.filter(Boolean).join(" · ");
        this.#say(fraction);
    }

    preview(/** @type {Events["preview"]} */ { id, image }) {
        if (id !== this.#id) return;
        this.image.src = image;
        this.image.hidden = false;
    }
}
