// The plot of a speed curve, with the playing position, the lanes of the clip, and draggable keyframes.

import { html, place, pointIn, setShown } from "./plot-dom.js";
import { ClipLanes } from "./plot-clip.js";
import { onDrag } from "./plot-drag.js";
import { Drawing } from "./plot-drawing.js";
import { axesOf, dotPosition, fromX, heightAt } from "./plot-geometry.js";
import { HoverLabel } from "./plot-hover.js";
import { KeyframeHandles } from "./plot-keyframes.js";
import { layoutOf } from "./plot-layout.js";
import { curveLength, outputOf, sourceAt } from "./plot-map.js";

/**
 * @typedef {import("./keyframe-edits.js").Keyframe} Keyframe
 * @typedef {{
 *     evaluation: object | null, view: "scale" | "speed" | "time", keyframes: Keyframe[] | null,
 *     flip?: boolean, snap: boolean,
 *     clip: { duration: number, frameRate: number | null,
 *         range: { start: number, end: number } | null } | null,
 *     strip: { url: string, count: number, width: number, height: number } | null,
 *     waveform: { minimum: number[], maximum: number[] } | null,
 * }} PlotState `flip`: whether the keyframes' curve is mirrored
 */

const EMPTY = {
    evaluation: null, view: "scale", keyframes: null, flip: false, snap: true, clip: null, strip: null,
    waveform: null,
};

/**
 * Creates a plot in an empty element.
 *
 * When a drag is cancelled, the last call has the state from before the drag, and `final` is true.
 *
 * @param {HTMLElement} host
 * @param {{
 *     onKeyframes?: (keyframes: Keyframe[], options: { final: boolean }) => void,
 *     onSeek?: (sourceSeconds: number, options: { final: boolean }) => void,
 *     onRange?: (range: { start: number, end: number }, options: { final: boolean }) => void,
 *     onSelect?: (index: number | null) => void,
 * }} [actions]
 */
export function createPlot(host, actions = {}) {
    const plot = new Plot(host, actions);
    return {
        /** @param {PlotState} state */
        show: (state) => plot.show(state),
        /** @param {{ source?: number | null, output?: number | null } | null} position */
        moveDot: (position) => plot.moveDot(position),
        /** @param {number | null} index */
        select: (index) => plot.select(index),
        destroy: () => plot.destroy(),
    };
}

class Plot {
    #host;
    #actions;
    #state = EMPTY;
    #layout = null;
    #axes = null;
    /** The axes when the present drag began; null if there is no drag. */
    #kept = null;
    #position = null;
    #pointer = null;
    #drawing = new Drawing();
    #hover = new HoverLabel();
    #line = html("div", "plot-line-now", { hidden: "", "aria-hidden": "true" });
    #dot = html("div", "plot-dot", { hidden: "", "aria-hidden": "true" });

    constructor(host, actions) {
        this.#host = host;
        this.#actions = actions;
        this.keyframes = new KeyframeHandles({
            onKeyframes: (keyframes, options) => this.#edit(keyframes, options),
            onSelect: (index) => actions.onSelect?.(index),
            onDragging: (isDragging) => this.#keepAxes(isDragging),
            onGuides: (guides) => this.#drawing.drawGuides(guides, this.#layout.box),
            onStalks: (pairs) => this.#drawing.drawStalks(pairs),
        });
        const seek = (seconds, options) => actions.onSeek?.(seconds, options);
        this.clip = new ClipLanes({
            onSeek: seek, onRange: (range, options) => actions.onRange?.(range, options),
        });
        this.surface = html("div", "plot-surface");
        this.stage = html("div", "plot-stage", {}, this.#drawing.element, this.surface,
            this.#line, this.#dot, this.keyframes.element, ...this.#hover.elements);
        host.classList.add("plot");
        host.replaceChildren(this.stage, ...this.clip.elements);
        this.#listen(seek);
        this.observer = new ResizeObserver(() => this.#resize());
        this.observer.observe(this.stage);
        this.darkness = matchMedia("(prefers-color-scheme: dark)");
        this.darkness.addEventListener("change", this.#redraw);
        this.#resize();
    }

    destroy() {
        this.observer.disconnect();
        this.darkness.removeEventListener("change", this.#redraw);
        this.#host.replaceChildren();
        this.#host.classList.remove("plot");
    }

    show(state) {
        // During a drag, the response to an earlier move may arrive with older keyframes.
        const keyframes = this.#kept && state.keyframes ? this.#state.keyframes : state.keyframes;
        this.#state = { ...EMPTY, ...state, keyframes: keyframes ?? null, clip: state.clip ?? null };
        this.#draw();
    }

    select(index) {
        this.keyframes.select(index);
    }

    moveDot(position) {
        this.#position = position;
        const { evaluation } = this.#state;
        const point = position && evaluation
            ? dotPosition(evaluation, this.#axes, this.#layout.box, position) : null;
        setShown(this.#dot, point !== null);
        setShown(this.#line, point !== null);
        if (point) {
            place(this.#dot, point.x, point.y);
            place(this.#line, point.x, this.#layout.box.y);
        }
        this.clip.moveHead(this.#sourceOf(position));
    }

    /** The clip's time at a playing position; null if there is none. */
    #sourceOf(position) {
        if (!position) return null;
        if (position.source !== null && position.source !== undefined) return position.source;
        const { evaluation } = this.#state;
        return evaluation ? evaluation.sourceStart + sourceAt(evaluation.map, position.output) : null;
    }

    // Drawing

    #redraw = () => {
        this.clip.recolour();
        this.#draw();
    };

    #resize() {
        const { clientWidth, clientHeight } = this.stage;
        const em = parseFloat(getComputedStyle(this.stage).fontSize);
        this.#layout = layoutOf(clientWidth, clientHeight, em);
        this.#line.style.height = `${this.#layout.box.height}px`;
        this.#redraw();
    }

    #draw() {
        const { evaluation, view, keyframes, clip } = this.#state;
        const range = clip?.range;
        this.#axes = axesOf(evaluation, view, {
            speeds: keyframes?.map(({ speed }) => speed) ?? null,
            duration: range ? range.end - range.start : clip?.duration ?? 10,
            keep: this.#kept?.view === view ? this.#kept : null,
        });
        this.stage.classList.toggle("is-edited", keyframes !== null);
        this.#drawing.draw(evaluation, this.#axes, this.#layout);
        this.clip.show(this.#state, this.#axes, this.#layout);
        this.keyframes.show(keyframes ? this.#scene() : null);
        this.moveDot(this.#position);
        this.#showHover();
    }

    /** @returns {import("./plot-keyframes.js").Scene} */
    #scene() {
        const { evaluation, keyframes, flip, snap, clip } = this.#state;
        const axes = this.#axes;
        const isOutput = evaluation?.curve.over === "output";
        const length = evaluation ? curveLength(evaluation) : axes.length;
        return {
            keyframes, evaluation, axes, layout: this.#layout, snap,
            turned: (share) => (flip ? 1 - share : share),
            duration: axes.view === "time" ? length : axes.length,
            frameRate: (isOutput ? evaluation.averageFrameRate : clip?.frameRate) ?? 0,
            offset: isOutput ? 0 : evaluation?.sourceStart ?? 0,
            dot: () => this.#dotSeconds(isOutput),
        };
    }

    #dotSeconds(isOutput) {
        const { evaluation } = this.#state;
        if (!evaluation || !this.#position) return null;
        const source = this.#sourceOf(this.#position) - evaluation.sourceStart;
        const seconds = isOutput ? this.#position.output ?? outputOf(evaluation.map, source) : source;
        return seconds !== null && seconds >= 0 && seconds <= curveLength(evaluation) ? seconds : null;
    }

    // Editing

    #edit(keyframes, options) {
        this.#state = { ...this.#state, keyframes };
        this.#draw();
        this.#actions.onKeyframes?.(keyframes, options);
    }

    #keepAxes(isDragging) {
        this.#kept = isDragging ? this.#axes : null;
        this.#host.classList.toggle("is-dragging", isDragging);
        if (!isDragging) this.#draw();
    }

    // The pointer

    #listen(seek) {
        const { surface } = this;
        onDrag(surface, {
            atOnce: true,
            begin: () => (this.#state.evaluation ? { last: 0 } : null),
            move: (drag, event) => {
                drag.last = this.#clipTime(fromX(this.#axes, this.#layout.box, pointIn(surface, event).x));
                seek(drag.last, { final: false });
            },
            end: ({ last }) => seek(last, { final: true }),
            cancel: ({ last }) => seek(last, { final: true }),
        });
        // A double tap is a double click too, because zooming by double tap is disabled here.
        surface.addEventListener("dblclick", (event) => this.#addAt(pointIn(surface, event)));
        for (const element of [surface, this.clip.lane]) {
            const offset = () => (element === surface ? 0 : this.#layout.box.x);
            element.addEventListener("pointermove", (event) => {
                const { x, y } = pointIn(element, event);
                this.#pointer = { x: x + offset(), y };
                this.#showHover();
            });
            element.addEventListener("pointerleave", () => {
                this.#pointer = null;
                this.#showHover();
            });
        }
    }

    /** Converts seconds on the horizontal axis to a time of the clip. */
    #clipTime(seconds) {
        const { evaluation } = this.#state;
        const inRange = this.#axes.over === "output" ? sourceAt(evaluation.map, seconds) : seconds;
        return evaluation.sourceStart + inRange;
    }

    #addAt(point) {
        if (!this.#state.keyframes || !this.#state.evaluation) return;
        const seconds = fromX(this.#axes, this.#layout.box, point.x);
        this.keyframes.addAt(point, seconds, heightAt(this.#drawing.pieces, point.x));
    }

    #showHover() {
        const { evaluation } = this.#state;
        if (!evaluation || !this.#pointer || this.#kept) {
            this.#hover.hide();
            return;
        }
        const { box } = this.#layout;
        const isInside = this.#pointer.x >= box.x - 2 && this.#pointer.x <= box.x + box.width + 2;
        if (!isInside) this.#hover.hide();
        else this.#hover.show(evaluation, this.#axes, this.#layout, fromX(this.#axes, box, this.#pointer.x));
    }
}
