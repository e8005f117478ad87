// The plot of a speed curve, with the playing position, the lanes of the clip, and draggable keyframes.

import { place, pointIn, setShown } from "../../shared/elements/plot-dom.js";
import { make } from "../../shared/elements/view.js";
import { nearestTime } from "./beat-times.js";
import { axesOf, overOf } from "./plot-axes.js";
import { BeatLane } from "./plot-beats.js";
import { ClipLanes } from "./plot-clip.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { Drawing } from "./plot-drawing.js";
import { dotPosition, fromX, heightAt, isAcross } from "./plot-geometry.js";
import { HoverLabel } from "./plot-hover.js";
import { KeyframeHandles } from "../keyframes/plot-keyframes.js";
import { layoutOf } from "./plot-layout.js";
import { curveLength, outputOf, sourceAt } from "../../shared/playing/plot-map.js";
import { PartOfAxis } from "./plot-part.js";
import { onGesture, onPinch, onWheel } from "./plot-scroll.js";
import { shortest } from "./plot-window.js";

/**
 * @typedef {import("./types").Evaluation} Evaluation
 * @typedef {import("./types").Final} Final
 * @typedef {import("../keyframes/types").Grip} Grip
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("./types").PlotState} PlotState
 * @typedef {import("./types").Point} Point
 * @typedef {import("./types").Position} Position
 */

/** @type {PlotState} */
export const EMPTY = {
    evaluation: null, view: "scale", keyframes: null, flip: false, fit: false, snap: true, clip: null, strip: null,
    waveform: null, beats: null, tiles: null,
};

/** The number of plots made so far. */
let plots = 0;

/** One plot in an empty element; plot.js tells its state and actions. */
export class Plot {
    #host;
    #actions;
    #state = EMPTY;
    #layout = layoutOf(0, 0, 1);
    #axes = axesOf(null, "scale");
    /** @type {import("./types").Axes | null} the axes when the present drag began; null if there is no drag */
    #kept = null;
    /** @type {Position | null} */
    #position = null;
    /** @type {Point | null} */
    #pointer = null;
    #drawing = new Drawing();
    #hover = new HoverLabel();
    #line = make("div", { class: "plot-line-now", hidden: "", "aria-hidden": "true" });
    #dot = make("div", { class: "plot-dot", hidden: "", "aria-hidden": "true" });

    /**
     * @param {HTMLElement} host
     * @param {import("./types").PlotActions} actions
     */
    constructor(host, actions) {
        this.#host = host;
        this.#actions = actions;
        this.keyframes = new KeyframeHandles({
            onKeyframes: (keyframes, options) => this.#edit(keyframes, options),
            onSelect: (index, all) => actions.onSelect?.(index, all),
            onDragging: (isDragging) => this.#keepAxes(isDragging),
            onGuides: (guides) => this.#drawing.drawGuides(guides, this.#layout.box),
            onStalks: (pairs) => this.#drawing.drawStalks(pairs),
            onBeat: (index, beat) => actions.onBeat?.(index, beat),
            onReveal: (point) => this.#reveal(point),
            onPicture: (seconds, options) => {
                const { evaluation } = this.#state;
                if (evaluation) actions.onPicture?.(evaluation.sourceStart + seconds, options);
            },
        });
        /** @type {import("./types").Seek} */
        const seek = (seconds, options) => actions.onSeek?.(seconds, options);
        this.clip = new ClipLanes({
            onSeek: seek, onRange: (range, options) => actions.onRange?.(range, options),
        }, () => this.#showHover());
        this.beats = new BeatLane({
            onSeek: (seconds, options) => {
                const { evaluation } = this.#state;
                if (evaluation) seek(this.#clipTime(evaluation, seconds), options);
            },
        });
        this.#drawing.behind.append(this.beats.lines);
        plots += 1;
        const id = `plot-stage-${plots}`;
        this.part = new PartOfAxis(id, {
            onPart: (part) => actions.onPart?.(part), onChange: () => this.#draw(),
        });
        this.surface = make("div", { class: "plot-surface" });
        this.stage = make("div", { class: "plot-stage", id }, this.#drawing.element, this.surface,
            this.#line, this.#dot, this.keyframes.element, ...this.#hover.elements);
        host.classList.add("plot");
        host.replaceChildren(this.stage, this.part.element, this.beats.element, ...this.clip.elements);
        this.#listen();
        this.observer = new ResizeObserver(() => this.#resize());
        this.observer.observe(this.stage);
        this.darkness = matchMedia("(prefers-color-scheme: dark)");
        this.darkness.addEventListener("change", this.#redraw);
        this.#resize();
    }

    destroy() {
        this.observer.disconnect();
        this.keyframes.clipboard.destroy();
        this.darkness.removeEventListener("change", this.#redraw);
        this.#host.replaceChildren();
        this.#host.classList.remove("plot");
    }

    show(/** @type {PlotState} */ state) {
        // During a drag, the response to an earlier move may arrive with older keyframes.
        const keyframes = this.#kept && state.keyframes ? this.#state.keyframes : state.keyframes;
        this.#state = { ...state, keyframes };
        this.#draw();
    }

    zoom(/** @type {number} */ factor) {
        const { from, to } = this.#axes;
        const dot = this.#dotSeconds(this.#axes.over === "output");
        this.part.zoom(factor, dot !== null && dot >= from && dot <= to ? dot : (from + to) / 2);
    }

    fit() {
        this.part.fit();
    }

    select(/** @type {number | null} */ index, /** @type {number[]} */ all) {
        this.keyframes.select(index, all);
    }

    step(/** @type {number} */ way) {
        this.keyframes.step(way);
    }

    moveDot(/** @type {Position | null} */ position) {
        this.#position = position;
        if (!this.#kept) this.part.follow(this.#dotSeconds(this.#axes.over === "output"));
        this.#placeDot();
    }

    #placeDot() {
        const position = this.#position;
        const { evaluation } = this.#state;
        const found = position && evaluation
            ? dotPosition(evaluation, this.#axes, this.#layout.box, position) : null;
        const point = found && isAcross(this.#layout.box, found) ? found : null;
        setShown(this.#dot, point !== null);
        setShown(this.#line, point !== null);
        if (point) {
            place(this.#dot, point.x, point.y);
            place(this.#line, point.x, this.#layout.box.y);
        }
        this.clip.moveHead(position?.source ?? null);
    }

    // Drawing

    #redraw = () => {
        this.clip.recolour();
        this.beats.recolour();
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
        this.part.of([overOf(evaluation, view), clip?.duration, range?.start, range?.end].join());
        this.#axes = axesOf(evaluation, view, {
            speeds: keyframes?.map(({ speed }) => speed) ?? null,
            duration: range ? range.end - range.start : clip?.duration ?? 10,
            keep: this.#kept?.view === view ? this.#kept : null, part: this.part.shown,
        });
        this.part.draw(this.#axes, this.#layout.box.width, shortest(this.#axes.length, clip?.frameRate));
        this.#host.classList.toggle("is-part", this.#axes.to - this.#axes.from < this.#axes.length);
        this.stage.classList.toggle("is-edited", keyframes !== null);
        this.#drawing.draw(evaluation, this.#axes, this.#layout);
        this.beats.show(this.#state, this.#axes, this.#layout);
        this.clip.show(this.#state, this.#axes, this.#layout);
        this.keyframes.show(keyframes && this.#scene(keyframes));
        this.#placeDot();
        this.#showHover();
    }

    /** Shows a keyframe that isn't in the part that is shown. */
    #reveal(/** @type {Point} */ point) {
        const { box } = this.#layout;
        if (!isAcross(box, point)) {
            this.part.show(this.#axes.across.value((point.x - box.x) / box.width));
        }
    }

    /** @returns {import("../keyframes/types").Scene} */
    #scene(/** @type {Keyframe[]} */ keyframes) {
        const { evaluation, flip, fit, snap, clip } = this.#state;
        const axes = this.#axes;
        const isOutput = evaluation?.curve.over === "output";
        const length = evaluation ? curveLength(evaluation) : axes.length;
        return {
            keyframes, evaluation, axes, layout: this.#layout, snap, fit,
            turned: (share) => (flip ? 1 - share : share),
            duration: axes.view === "time" ? length : axes.length,
            frameRate: (isOutput ? evaluation.averageFrameRate : clip?.frameRate) ?? 0,
            offset: isOutput ? 0 : evaluation?.sourceStart ?? 0,
            dot: () => this.#dotSeconds(isOutput),
            beats: axes.view === "time" ? [] : this.beats.places,
            outputBeats: this.#state.beats?.over === "output" ? this.#state.beats.beats : [],
            beatAt: (seconds) => this.#beatAt(seconds),
        };
    }

    /** The time in the output of the beat at a place of the axis, if moving a keyframe moves the beat. */
    #beatAt(/** @type {number} */ seconds) {
        const { beats, evaluation } = this.#state;
        if (beats?.over !== "output" || this.#axes.over === "output" || !evaluation) return null;
        return nearestTime(beats.beats, outputOf(evaluation.map, seconds) ?? 0);
    }

    #dotSeconds(/** @type {boolean} */ isOutput) {
        const { evaluation } = this.#state;
        if (!evaluation || !this.#position) return null;
        const source = this.#position.source - evaluation.sourceStart;
        const seconds = isOutput ? this.#position.output ?? outputOf(evaluation.map, source) : source;
        return seconds !== null && seconds >= 0 && seconds <= curveLength(evaluation) ? seconds : null;
    }

    // Editing

    /** @type {(keyframes: Keyframe[], options: Final) => void} */
    #edit(keyframes, options) {
        this.#state = { ...this.#state, keyframes };
        this.#draw();
        this.#actions.onKeyframes?.(keyframes, options);
    }

    #keepAxes(/** @type {boolean} */ isDragging) {
        this.#kept = isDragging ? this.#axes : null;
        this.#host.classList.toggle("is-dragging", isDragging);
        if (!isDragging) this.#draw();
    }

    // The pointer

    #listen() {
        const { surface } = this;
        onDrag(surface, {
            atOnce: true,
            begin: (event) => (this.#state.evaluation
                ? { last: 0, grip: this.keyframes.gripAt(pointIn(surface, event)) } : null),
            move: (drag, event) => {
                if (drag.grip && event.type === "pointermove" && this.keyframes.dragGrip(drag.grip, event)) return;
                drag.last = fromX(this.#axes, this.#layout.box, pointIn(surface, event).x);
                this.#seekTo(drag.last, false);
            },
            end: (drag) => this.#letGo(drag, false),
            cancel: (drag) => this.#letGo(drag, true),
        });
        // A double tap is a double click too, because zooming by double tap is disabled here.
        surface.addEventListener("dblclick", (event) => this.#addAt(pointIn(surface, event)));
        this.stage.addEventListener("contextmenu", (event) => this.#onMenu(event));
        for (const element of [this.stage, this.clip.lane, this.beats.element]) {
            const left = () => (element === this.stage ? 0 : this.#layout.box.x);
            this.#listenToZoom(element, left);
        }
        for (const element of /** @type {HTMLElement[]} */ ([surface, this.clip.lane])) {
            const offset = () => (element === surface ? 0 : this.#layout.box.x);
            element.addEventListener("pointermove", (event) => {
                const { x, y } = pointIn(element, event);
                this.#pointer = { x: x + offset(), y };
                this.#showHover();
                if (element === surface && !this.#kept) this.#showGrip(this.keyframes.gripAt(this.#pointer));
            });
            element.addEventListener("pointerleave", () => {
                this.#pointer = null;
                this.#showHover();
            });
        }
    }

    /** A right click on the plot moves the playhead there; one on a keyframe has selected it. */
    #onMenu(/** @type {MouseEvent} */ event) {
        const { evaluation } = this.#state;
        if (!evaluation || !this.#actions.onMenu) return;
        event.preventDefault();
        const { left, bottom } = this.stage.getBoundingClientRect();
        // The key for menus has no place.
        const isOfKey = event.clientX === 0 && event.clientY === 0;
        if (event.target === this.surface && !isOfKey) {
            this.#seekTo(fromX(this.#axes, this.#layout.box, pointIn(this.surface, event).x), true);
        }
        this.#actions.onMenu(isOfKey ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY });
    }

    /** @type {(drag: { last: number, grip: Grip | null }, isCancelled: boolean) => void} */
    #letGo({ last, grip }, isCancelled) {
        if (grip?.isHeld) this.keyframes.endGrip(grip, isCancelled);
        else this.#seekTo(last, true);
    }

    /** @type {(seconds: number, isFinal: boolean) => void} seeks to a place of the horizontal axis */
    #seekTo(seconds, isFinal) {
        const { evaluation } = this.#state;
        if (!evaluation) return;
        // What is shown several times is to be seen where it was asked for.
        const output = this.#axes.over === "output" ? seconds : null;
        this.#actions.onSeek?.(this.#clipTime(evaluation, seconds), { final: isFinal, output });
    }

    /** @type {(element: HTMLElement, left: () => number) => void} `left`: where it begins in the stage, in pixels */
    #listenToZoom(element, left) {
        /** @type {(factor: number, x: number) => void} */
        const zoom = (factor, x) => {
            const isPossible = !this.#kept && this.#state.evaluation;
            if (isPossible) this.part.zoom(factor, fromX(this.#axes, this.#layout.box, x + left()));
        };
        const scroll = (/** @type {number} */ pixels) =>
            this.part.scroll((pixels / this.#layout.box.width) * (this.#axes.to - this.#axes.from));
        onWheel(element, { zoom, scroll });
        onGesture(element, zoom);
        onPinch(element, ({ factor, x, by }) => {
            scroll(-by);
            zoom(factor, x);
        });
    }

    /** @type {(evaluation: Evaluation, seconds: number) => number} the clip's time at a place of the horizontal axis */
    #clipTime(evaluation, seconds) {
        const inRange = this.#axes.over === "output" ? sourceAt(evaluation.map, seconds) : seconds;
        return evaluation.sourceStart + inRange;
    }

    #addAt(/** @type {Point} */ point) {
        if (!this.#state.keyframes || !this.#state.evaluation) return;
        const seconds = fromX(this.#axes, this.#layout.box, point.x);
        this.keyframes.addAt(point, seconds, heightAt(this.#drawing.pieces, point.x));
    }

    /** By the pointer's shape. */
    #showGrip(/** @type {Grip | null} */ grip) {
        this.surface.style.cursor = !grip ? "" : grip.isPlateau ? "ns-resize" : "ew-resize";
    }

    #showHover() {
        const { evaluation } = this.#state;
        if (!evaluation || !this.#pointer || this.#kept) {
            this.#hover.hide();
            return;
        }
        const { box } = this.#layout;
        const isInside = this.#pointer.x >= box.x - 2 && this.#pointer.x <= box.x + box.width + 2;
        if (!isInside) {
            this.#hover.hide();
            return;
        }
        const seconds = fromX(this.#axes, box, this.#pointer.x);
        const picture = this.clip.pictureAt(this.#clipTime(evaluation, seconds));
        this.#hover.show(evaluation, this.#axes, this.#layout, seconds, picture);
    }
}
