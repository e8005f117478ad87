// Handles on the curve for dragging, nudging, adding and deleting keyframes.

import { place, pointIn, setAll, setShown } from "../../shared/elements/plot-dom.js";
import { make } from "../../shared/elements/view.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { EasingHandles } from "./plot-easing.js";
import { percentText, runningTime, speedText } from "../../shared/plot-format.js";
import {
    fitRatio, fromY, inside, isAcross, nearest, speedFromY, speedToY, toX, toY,
} from "../plot/plot-geometry.js";
import { frameAt } from "../../shared/times.js";
import { curveLength, curveSpeedAt, outputOf, sourceAt } from "../../shared/playing/plot-map.js";
import { movedTogether, withoutAll } from "./keyframe-groups.js";
import { Clipboard } from "./plot-clipboard.js";
import { decided, gripAt } from "./plot-grips.js";
import { Selection } from "./plot-selection.js";
import { knotsOf, withPicturesHeld } from "./keyframe-pictures.js";
import { draggedTo, movedBySpeed, movedInTime } from "./plot-moves.js";
import {
    added, leastDistance, nudged, placesOf, widestGap,
} from "./keyframe-edits.js";

/** A double click within this distance of the curve, in em, adds a keyframe on the curve. */
const NEAR_CURVE = 1.4;
/** @type {Record<string, { frames?: number, speed?: number, coarse?: boolean }>} */
const ARROWS = {
    ArrowLeft: { frames: -1 }, ArrowRight: { frames: 1 }, ArrowUp: { speed: 1 }, ArrowDown: { speed: -1 },
    PageUp: { speed: 1, coarse: true }, PageDown: { speed: -1, coarse: true },
};

/**
 * @typedef {import("./types").Drag} Drag
 * @typedef {import("./types").EasingScene} EasingScene
 * @typedef {import("./types").Grip} Grip
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("./types").Point} Point
 * @typedef {import("./types").Scene} Scene
 */

/** The handles of one plot. */
export class KeyframeHandles {
    /** @type {HTMLElement[]} */
    #handles = [];
    /** @type {Scene | null} */
    #scene = null;
    #ratio = 1;
    /** @type {Point[]} */
    #points = [];
    #selection = new Selection();
    #value = make("div", { class: "plot-value", hidden: "", "aria-hidden": "true" });

    /** @param {import("./types").KeyframeActions} actions */
    constructor(actions) {
        this.actions = actions;
        this.easing = new EasingHandles({
            ...actions, onSelect: (index) => this.#choose(index),
            onKeyframes: (keyframes, { final }) => this.#change(keyframes, final),
        });
        this.element = make("div", { class: "plot-handles", role: "group", "aria-label": "Keyframes" },
            this.easing.element, this.#value);
        this.clipboard = new Clipboard({
            scene: () => this.#scene && { ...this.#scene, ...axisOf(this.#scene), selected: this.#selection.all },
            onPaste: (keyframes, indexes) => {
                this.#edit(keyframes);
                this.#chooseThese(indexes);
                this.#handles[indexes[0]]?.focus({ preventScroll: true });
            },
            onCut: (keyframes) => this.#change(keyframes),
        });
    }

    /** @param {Scene | null} scene null if no keyframes are edited */
    show(scene) {
        this.#scene = scene;
        setShown(this.element, scene !== null);
        if (!scene) {
            // Also removes the lines to the easing's handles, which another object draws.
            this.easing.show(null);
            return;
        }
        const places = placesOf(scene.keyframes, scene.duration);
        const shown = places.map(scene.turned);
        this.#ratio = fitRatio(scene.evaluation, scene.keyframes, shown) ?? this.#ratio;
        this.#points = scene.keyframes.map(({ speed }, i) => this.#point(scene, shown[i], speed));
        while (this.#handles.length < scene.keyframes.length) this.#append();
        while (this.#handles.length > scene.keyframes.length) this.#handles.pop()?.remove();
        this.#selection.limit(scene.keyframes.length);
        this.#handles.forEach((handle, i) => this.#draw(scene, handle, i, places[i]));
        this.easing.show(this.#easingScene(scene, shown));
    }

    select(/** @type {number | null} */ index, /** @type {number[]} */ all = []) {
        if (all.length > 0) this.#selection.these(all, index);
        else this.#selection.choose(index);
        if (this.#scene) this.show(this.#scene);
    }

    /**
     * Adds a keyframe at a point of the plot: on the curve if the curve is near, else at the point.
     * @type {(point: Point, seconds: number, heightOfCurve: number | null) => void}
     */
    addAt(point, seconds, heightOfCurve) {
        const scene = this.#scene;
        if (!scene?.evaluation || nearest(this.#points, point, scene.layout.em) !== null) return;
        const { evaluation, axes, layout, turned } = scene;
        const isNear = axes.view === "time" || heightOfCurve === null
            || Math.abs(heightOfCurve - point.y) <= NEAR_CURVE * layout.em;
        const speed = isNear ? null : speedFromY(axes, layout.box, point.y) / this.#ratio;
        // A place on the keyframes' axis.
        const at = axes.over === evaluation.curve.over ? turned(seconds / axes.length)
            : (outputOf(evaluation.map, seconds) ?? 0) / evaluation.outputDuration;
        this.#add(scene, at, speed);
    }

    /** @type {(scene: Scene, at: number, speed: number) => Point} */
    #point({ axes, layout: { box }, evaluation }, at, speed) {
        if (axes.view !== "time") {
            const y = speedToY(axes, box, speed * this.#ratio);
            return { x: toX(axes, box, at * axes.length), y: inside(box, y) };
        }
        if (!evaluation) return { x: box.x, y: box.y + box.height };
        const seconds = at * curveLength(evaluation);
        const isOutput = evaluation.curve.over === "output";
        const source = isOutput ? sourceAt(evaluation.map, seconds) : seconds;
        const output = isOutput ? seconds : outputOf(evaluation.map, seconds) ?? 0;
        return { x: toX(axes, box, source), y: toY(axes, box, output) };
    }

    #append() {
        const index = this.#handles.length;
        const handle = make("div", {
            class: "plot-keyframe", role: "slider", tabindex: 0, "aria-orientation": "vertical",
        });
        handle.addEventListener("focus", () => {
            this.#choose(index);
            this.actions.onReveal(this.#points[index]);
        });
        handle.addEventListener("keydown", (event) => this.#onKey(event, index));
        this.#listenToDrag(index, handle);
        this.#handles.push(handle);
        // The easing handles come after the keyframes in the order of the Tab key.
        this.element.insertBefore(handle, this.easing.element);
    }

    /** @type {(scene: Scene, handle: HTMLElement, i: number, at: number) => void} */
    #draw({ keyframes, layout: { box } }, handle, i, at) {
        const { x, y } = this.#points[i];
        place(handle, x, y);
        // Outside of the part that is shown it can't be seen, but the Tab key finds it.
        handle.classList.toggle("is-outside", !isAcross(box, { x }));
        const speed = Number(keyframes[i].speed);
        const speeds = keyframes.map((keyframe) => keyframe.speed);
        const cut = keyframes[i].source === undefined ? "" : ", after a cut";
        const text = `at ${percentText(at)}, speed ${speed}${cut}`;
        setAll(handle, {
            "aria-label": `Keyframe ${i + 1} of ${keyframes.length}, ${text}`,
            "aria-valuetext": `${text}${speed === 0 ? ", freeze" : speed < 0 ? ", backwards" : ""}`,
            "aria-valuenow": speed,
            "aria-valuemin": Math.min(-16, ...speeds), "aria-valuemax": Math.max(16, ...speeds),
        });
        handle.classList.toggle("is-selected", this.#selection.has(i));
    }

    /** @type {(scene: Scene, places: number[]) => EasingScene | null} */
    #easingScene(scene, places) {
        const { first: i, all } = this.#selection;
        if (i === null || all.length > 1 || i + 1 >= places.length || scene.axes.view === "time") return null;
        return { ...scene, index: i, ratio: this.#ratio, places, points: this.#points };
    }

    #choose(/** @type {number | null} */ index) {
        if (index === this.#selection.first) return;
        this.select(index);
        this.#tellSelection();
        if (index !== null) this.#showPicture(index);
    }

    /** @param {number[]} indexes @param {number | null} [first] */
    #chooseThese(indexes, first) {
        this.#selection.these(indexes, first);
        this.show(this.#scene);
        this.#tellSelection();
    }

    #tellSelection() {
        this.actions.onSelect(this.#selection.first, this.#selection.all);
    }

    // Dragging

    /** @type {(index: number, handle: HTMLElement) => void} */
    #listenToDrag(index, handle) {
        onDrag(handle, {
            /** @returns {Drag | null} */
            begin: (event) => {
                event.stopPropagation();
                if (!this.#scene) return null;
                const anchor = this.#selection.first;
                if (event.ctrlKey || event.metaKey) {
                    this.#selection.toggle(index);
                    this.#chooseThese(this.#selection.all, this.#selection.first);
                    return null;
                }
                this.#choose(index);
                handle.focus({ preventScroll: true });
                const point = pointIn(this.element, event);
                const from = this.#points[index];
                this.actions.onDragging(true);
                return {
                    from, keyframes: this.#scene.keyframes, axes: this.#scene.axes,
                    group: this.#selection.all, anchor: event.shiftKey ? anchor : null,
                    offset: { x: point.x - from.x, y: point.y - from.y },
                };
            },
            move: (drag, event) => this.#drag(
                index, drag, event, draggedTo(drag, pointIn(this.element, event), event.shiftKey)),
            end: (drag, hasMoved) => {
                if (!hasMoved) this.#pressed(index, drag);
                this.#endDrag(hasMoved && this.#scene ? this.#scene.keyframes : null, index, drag.beat);
            },
            cancel: ({ keyframes }, hasMoved) => this.#endDrag(hasMoved ? keyframes : null, index),
        });
    }

    /** A press without a drag selects one, or with Shift all from the one that was selected. */
    #pressed(/** @type {number} */ index, /** @type {Drag} */ { anchor }) {
        const [low, high] = [Math.min(anchor ?? index, index), Math.max(anchor ?? index, index)];
        this.#chooseThese(Array.from({ length: high - low + 1 }, (_, i) => low + i), index);
    }

    /**
     * `beat`: of the output, onto which the keyframe was dropped, and which has moved with it.
     * @type {(keyframes: Keyframe[] | null, index: number, beat?: number | null) => void}
     */
    #endDrag(keyframes, index, beat = null) {
        setShown(this.#value, false);
        this.actions.onDragging(false);
        this.actions.onGuides({});
        if (keyframes) this.#edit(keyframes, beat === null);
        this.#showPicture(index);
        if (beat !== null) this.actions.onBeat(index, beat);
    }

    /** @type {(index: number, drag: Drag, event: PointerEvent, point: Point) => void} `point`: where the keyframe is to be */
    #drag(index, drag, event, point) {
        if (!this.#scene) return;
        const scene = { ...this.#scene, ratio: this.#ratio, axis: axisOf(this.#scene) };
        const isFree = !scene.snap || event.altKey;
        const move = scene.axes.view === "time" ? movedInTime : movedBySpeed;
        const { keyframes, guides, beat = null } = move(scene, index, drag, point, isFree);
        drag.beat = beat;
        this.#change(keyframes, false, drag.keyframes);
        this.actions.onGuides(guides(this.#scene.axes));
        this.#showValue(this.#scene, index);
        this.#showPicture(index, false);
    }

    // The curve itself

    /** @type {(point: Point) => Grip | null} what of the curve is gripped at a point */
    gripAt(point) {
        return this.#scene && gripAt(this.#scene, this.#points, point);
    }

    /**
     * Drags what is gripped, if the pointer goes its way; else it is let go of.
     * @type {(grip: Grip, event: PointerEvent) => boolean} whether it is held, or may still be
     */
    dragGrip(grip, event) {
        const { isPlateau, index, from } = grip, point = pointIn(this.element, event);
        if (decided(grip, point)) {
            this.#chooseThese(grip.group, index);
            this.actions.onDragging(true);
        }
        if (!grip.isHeld) return grip.isHeld === null;
        const to = draggedTo(grip, point, false);
        this.#drag(index, grip, event, isPlateau ? { x: from.x, y: to.y } : { x: to.x, y: from.y });
        return true;
    }

    /** @type {(grip: Grip, isCancelled: boolean) => void} */
    endGrip(grip, isCancelled) {
        if (grip.isHeld) this.#endDrag(isCancelled ? grip.keyframes : this.#scene?.keyframes ?? null, grip.index);
    }

    /** Selects the keyframe before or after the playing position. */
    step(/** @type {number} */ way) {
        const scene = this.#scene, now = scene?.dot() ?? 0;
        if (!scene) return;
        const { duration, keyframes, turned } = scene, near = axisOf(scene).frame * duration / 2;
        const seconds = placesOf(keyframes, duration).map((place) => turned(place) * duration);
        const beyond = [...seconds.keys()].filter((i) => way * (seconds[i] - now) > near);
        if (beyond.length === 0) return;
        const next = beyond.reduce((best, i) => (way * (seconds[i] - seconds[best]) < 0 ? i : best));
        this.#selection.only(null);
        this.#focus(next);
    }

    /** Has the frame of a keyframe shown. */
    #showPicture(/** @type {number} */ index, isFinal = true) {
        if (!this.#scene?.evaluation) return;
        const { evaluation, keyframes, duration, turned } = this.#scene, whole = evaluation.sourceDuration;
        const picture = turned(knotsOf(keyframes, whole).knots[index].source / whole) * whole;
        const output = evaluation.curve.over === "output" ? placesOf(keyframes, duration)[index] * duration : null;
        this.actions.onPicture(picture, { final: isFinal, output });
    }

    /** @type {(scene: Scene, index: number) => void} shows the new speed and time beside a dragged keyframe */
    #showValue({ keyframes, duration, frameRate, axes, turned, layout: { box, em } }, index) {
        const at = turned(placesOf(keyframes, duration)[index]), time = axes.origin + at * axes.length;
        const seconds = runningTime(time);
        const frame = frameRate > 0 ? `, frame ${frameAt(time, frameRate)}` : "";
        const { x, y } = this.#points[index];
        this.#value.textContent = axes.view === "time"
            ? `${seconds} shown at ${runningTime(fromY(axes, box, y))}`
            : `${speedText(keyframes[index].speed)} at ${seconds}${frame}`;
        setShown(this.#value, true);
        const middle = Math.max(box.x + 3 * em, Math.min(box.x + box.width - 3 * em, x));
        const isHigh = y < box.y + 3 * em;
        place(this.#value, middle, y + (isHigh ? 2.4 : -2.4) * em);
    }

    // Keys

    /** @type {(event: KeyboardEvent, index: number) => void} */
    #onKey(event, index) {
        const scene = this.#scene;
        if (!scene) return;
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a") {
            event.preventDefault();
            event.stopPropagation();
            this.#chooseThese(scene.keyframes.map((_, i) => i), index);
            return;
        }
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const arrow = ARROWS[event.key];
        const isDelete = event.key === "Delete" || event.key === "Backspace";
        const isAdd = event.key === "a" || event.key === "A";
        if (!arrow && !isDelete && !isAdd && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        if (arrow) this.#nudge(scene, index, arrow, event.shiftKey || arrow.coarse === true);
        else if (isDelete) this.#delete(scene, index);
        else if (isAdd) this.#addBeside(scene, index);
        else this.#choose(null);
    }

    /** @type {(scene: Scene, index: number, by: { frames?: number, speed?: number }, isCoarse: boolean) => void} */
    #nudge(scene, index, { frames, speed = 0 }, isCoarse) {
        const { keyframes, axes, turned } = scene, axis = axisOf(scene);
        // In the scale view higher is slower, and in the time view it is later, which is slower too.
        const by = {
            speed: axes.view === "speed" ? speed : -speed,
            frames: turned(0) > 0 && frames ? -frames : frames,
        };
        const result = nudged(keyframes, index, by, isCoarse, axis);
        const { all } = this.#selection;
        if (all.length < 2) {
            this.#change(result);
            return;
        }
        const [old, now] = [keyframes, result].map((list) => placesOf(list, scene.duration)[index]);
        this.#change(movedTogether(keyframes, all, {
            by: now - old, from: keyframes[index].speed, to: result[index].speed,
        }, axis));
    }

    /** @type {(scene: Scene, index: number) => void} */
    #delete({ keyframes }, index) {
        const all = this.#selection.has(index) ? this.#selection.all : [index];
        const rest = withoutAll(keyframes, all);
        if (rest === keyframes) return;
        const next = Math.min(all[0], rest.length - 1);
        this.#selection.only(next);
        this.#change(rest);
        this.#tellSelection();
        this.#handles[next]?.focus({ preventScroll: true });
    }

    /** Adds a keyframe at the playing position, and returns its place among them; null if one is there or nothing is shown. */
    addHere() {
        const scene = this.#scene, now = scene?.dot() ?? null;
        if (!scene || now === null) return null;
        const { keyframes, duration, turned } = scene, { least } = axisOf(scene), at = turned(now / duration);
        const isFree = placesOf(keyframes, duration).every((other) => Math.abs(other - at) > least);
        return isFree ? this.#add(scene, at, null) : null;
    }

    /** Adds a keyframe at the playing position if there is room, else in the gap after the focused keyframe. */
    #addBeside(/** @type {Scene} */ scene, /** @type {number} */ index) {
        if (this.addHere() !== null) return;
        const { keyframes, duration } = scene, places = placesOf(keyframes, duration);
        const between = index + 1 < places.length
            ? (places[index] + places[index + 1]) / 2 : widestGap(keyframes, duration);
        this.#add(scene, between, null);
    }

    /** @type {(scene: Scene, at: number, speed: number | null) => number | null} */
    #add(scene, at, speed) {
        const { keyframes, evaluation, turned } = scene;
        if (!evaluation) return null;
        const ofCurve = curveSpeedAt(evaluation.curve, turned(at)) / this.#ratio;
        const result = added(keyframes, { place: at, speed: speed ?? ofCurve }, axisOf(scene));
        if (!result) return null;
        this.#edit(result.keyframes);
        this.#focus(result.index);
        return result.index;
    }

    /** An edit that leaves the keyframes that it doesn't move at their frames. */
    #change(/** @type {Keyframe[]} */ after, final = true, before = this.#scene?.keyframes ?? after) {
        const { evaluation } = this.#scene ?? {};
        this.#edit(evaluation ? withPicturesHeld(before, after, evaluation.sourceDuration) : after, final);
    }

    #edit(/** @type {Keyframe[]} */ keyframes, final = true) {
        this.actions.onKeyframes(keyframes, { final });
    }

    #focus(/** @type {number} */ index) {
        this.#choose(index);
        this.#handles[index]?.focus({ preventScroll: true });
    }
}

const axisOf = (/** @type {Scene} */ { duration, frameRate }) => ({
    duration, least: leastDistance(duration, frameRate),
    frame: 1 / ((frameRate > 0 ? frameRate : 30) * duration),
});
