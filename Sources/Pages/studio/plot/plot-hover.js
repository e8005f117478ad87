// A dot on the curve at the pointer, and a small label with times, speed and scale.

import { place, setShown } from "../../shared/elements/plot-dom.js";
import { make } from "../../shared/elements/view.js";
import { inside, reading, speedToY, toX, toY } from "./plot-geometry.js";
import { runningTime, scaleText, speedText } from "../../shared/plot-format.js";

const ROWS = ["Source", "Output", "Speed", "Scale"];

/** The label and the dot; both are hidden from screen readers. */
export class HoverLabel {
    #values = ROWS.map(() => make("dd"));
    #picture = make("canvas", { hidden: "" });
    #label = make("div", { class: "plot-label", hidden: "" }, this.#picture,
        make("dl", {}, ...ROWS.flatMap((name, i) => [make("dt", {}, name), this.#values[i]])));
    #dot = make("div", { class: "plot-hover-dot", hidden: "" });

    constructor() {
        this.elements = [this.#dot, this.#label].map((element) => {
            element.setAttribute("aria-hidden", "true");
            return element;
        });
    }

    /**
     * Shows the label for a place of the horizontal axis, in seconds.
     * @param {import("./types").Evaluation} evaluation
     * @param {import("./types").Axes} axes
     * @param {import("./types").Layout} layout
     * @param {number} seconds
     * @param {import("./types").Picture | null} picture the clip's frame there
     */
    show(evaluation, axes, { box, width }, seconds, picture) {
        const found = reading(evaluation, axes, seconds);
        const texts = [
            runningTime(evaluation.sourceStart + found.source),
            found.output === null ? "not shown" : runningTime(found.output),
            speedText(found.speed), scaleText(found.speed === 0 ? null : 1 / found.speed),
        ];
        texts.forEach((text, i) => {
            if (this.#values[i].textContent !== text) this.#values[i].textContent = text;
        });
        this.#show(picture);
        const x = toX(axes, box, seconds);
        const y = axes.view === "time" ? toY(axes, box, found.output ?? 0) : speedToY(axes, box, found.speed);
        place(this.#dot, x, inside(box, y));
        const isRight = x > width / 2;
        const isLow = inside(box, y) > box.y + box.height / 2;
        // The label is placed beside the dot, towards the middle of the plot.
        this.#label.style.transform = `translate(${x.toFixed(1)}px, ${inside(box, y).toFixed(1)}px) `
            + `translate(${isRight ? "calc(-100% - 0.9em)" : "0.9em"}, `
            + `${isLow ? "calc(-100% - 0.9em)" : "0.9em"})`;
        setShown(this.#label, true);
        setShown(this.#dot, found.output !== null);
    }

    #show(/** @type {import("./types").Picture | null} */ picture) {
        setShown(this.#picture, picture !== null);
        if (!picture) return;
        const { image, x, width, height } = picture;
        if (this.#picture.width !== width || this.#picture.height !== height) Object.assign(this.#picture, { width, height });
        this.#picture.getContext("2d")?.drawImage(image, x, 0, width, height, 0, 0, width, height);
    }

    hide() {
        setShown(this.#label, false);
        setShown(this.#dot, false);
    }
}
