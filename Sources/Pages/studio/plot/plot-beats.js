// The lane with beats and onsets under the curve, and the lines of the beats through the plot.

import { timesOnAxis } from "./beat-times.js";
import { pointIn, setAll, setShown, svg } from "../../shared/elements/plot-dom.js";
import { make } from "../../shared/elements/view.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { fromX, toX } from "./plot-geometry.js";
import { prepared } from "./plot-lanes.js";

/** The height of the lane, in em. */
const HEIGHT = 1.3;
/** Lines that are nearer than this would only make the plot grey, in pixels. */
const LEAST_DISTANCE = 7;

/**
 * @typedef {import("./types").Axes} Axes
 * @typedef {import("./types").Layout} Layout
 */

/** The lane of one plot. */
export class BeatLane {
    #canvas = make("canvas", { class: "plot-beats-canvas", "aria-hidden": "true" });
    #lines = svg("path", { class: "plot-beat-lines" });
    /** @type {{ axes: Axes, layout: Layout } | null} */
    #state = null;
    /** @type {unknown[]} */
    #drawn = [];
    /** @type {number[]} */
    #places = [];
    #colour = "";

    /** @param {{ onSeek: import("./types").Seek }} actions `onSeek` in seconds of the axis */
    constructor({ onSeek }) {
        this.element = make("div", { class: "plot-beats", hidden: "" }, this.#canvas);
        this.lines = svg("g", { class: "plot-beat-group" }, this.#lines);
        onDrag(this.#canvas, {
            atOnce: true,
            begin: () => (this.#state ? { last: 0 } : null),
            move: (drag, event) => {
                if (!this.#state) return;
                const { axes, layout: { box } } = this.#state;
                drag.last = fromX(axes, box, box.x + pointIn(this.#canvas, event).x);
                onSeek(drag.last, { final: false });
            },
            end: ({ last }) => onSeek(last, { final: true }),
            cancel: ({ last }) => onSeek(last, { final: true }),
        });
    }

    /** The beats in the visible part of the axis, in seconds of the axis. */
    get places() {
        return this.#places;
    }

    /** @type {(state: import("./types").PlotState, axes: Axes, layout: Layout) => void} */
    show({ beats, evaluation }, axes, layout) {
        const isShown = beats !== null && evaluation !== null;
        setShown(this.element, isShown);
        this.#state = isShown ? { axes, layout } : null;
        const { box, em, width, height } = layout;
        const key = [isShown, beats, evaluation?.map, evaluation?.sourceStart, axes.over, axes.from,
            axes.to, em, width, height, this.#colour, window.devicePixelRatio];
        if (key.every((each, i) => each === this.#drawn[i])) return;
        this.#drawn = key;
        const on = (/** @type {number[]} */ times) =>
            (isShown ? timesOnAxis(times, beats.over, evaluation, axes.over, axes) : []);
        this.#places = on(beats?.beats ?? []);
        const xs = this.#places.map((seconds) => toX(axes, box, seconds));
        const isAiry = xs.length < 2 || (xs[xs.length - 1] - xs[0]) / (xs.length - 1) >= LEAST_DISTANCE;
        setAll(this.#lines, {
            d: isAiry ? xs.map((x) => `M${x.toFixed(2)} ${box.y}v${box.height}`).join("") : "",
        });
        if (isShown) this.#paint(xs, on(beats.onsets).map((seconds) => toX(axes, box, seconds)), layout);
    }

    /** Reads the colours again after a change between light and dark mode. */
    recolour() {
        this.#colour = getComputedStyle(this.element).color;
    }

    /** @type {(beats: number[], onsets: number[], layout: Layout) => void} onsets are short and faint, beats tall */
    #paint(beats, onsets, { em, box }) {
        const height = HEIGHT * em;
        this.#canvas.style.height = `${height}px`;
        const context = prepared(this.#canvas, box.width, height);
        context.fillStyle = this.#colour;
        context.globalAlpha = 0.45;
        for (const x of onsets) context.fillRect(x - box.x - 0.5, height * 0.62, 1, height * 0.38);
        context.globalAlpha = 1;
        for (const x of beats) context.fillRect(x - box.x - 0.75, height * 0.12, 1.5, height * 0.88);
    }
}
