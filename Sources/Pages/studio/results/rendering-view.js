// Shows a running render: the frame that is being written, and the progress.

import { announceProgress } from "../../shared/elements/announce.js";
import { make } from "../../shared/elements/dom.js";
import { short } from "../../shared/format-numbers.js";
import { remainingText } from "../../shared/times.js";

export class RenderingView {
    #id = null;
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
     * @param {object | undefined} render the running render
     * @param {boolean} isAside whether the player is playing a result, so that this view is hidden
     */
    show(render, isAside) {
        this.host.hidden = !render || isAside;
        if (!render || render.id === this.#id) return;
        this.#id = render.id;
        this.image.hidden = true;
        this.#say = announceProgress((tenths) => `Rendering, ${10 * tenths} percent.`);
        this.progress(render.progress ?? { id: render.id, fraction: 0 });
    }

    /** @param {object} progress the content of a `progress` event */
    progress({ id = this.#id, fraction, framesPerSecond, remainingSeconds }) {
        if (id !== this.#id) return;
        this.bar.value = fraction;
        this.percent.textContent = `${Math.floor(100 * fraction)} %`;
        const parts = [
            framesPerSecond > 0 ? `${short(Math.round(framesPerSecond))} frames/s` : null,
            Number.isFinite(remainingSeconds ?? NaN)
                ? `${remainingText(remainingSeconds)} left` : null,
        ];
        this.detail.textContent = parts.filter(Boolean).join(" · ");
        this.#say(fraction);
    }

    /** @param {object} preview the content of a `preview` event */
    preview({ id, image }) {
        if (id !== this.#id) return;
        this.image.src = image;
        this.image.hidden = false;
    }
}
