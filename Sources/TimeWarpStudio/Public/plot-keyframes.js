// Handles on the curve for dragging, nudging, adding and deleting keyframes.

import { html, place, pointIn, setAll, setShown } from "./plot-dom.js";
import { onDrag } from "./plot-drag.js";
import { EasingHandles } from "./plot-easing.js";
import { percentText, runningTime, speedText } from "./plot-format.js";
import {
    fitRatio, fromX, inside, nearest, speedFromY, speedToY, toX, toY,
} from "./plot-geometry.js";
import { curveLength, curveSpeedAt, outputOf, sourceAt } from "./plot-map.js";
import { snapped } from "./plot-snap.js";
import {
    added, deleted, leastDistance, moved, nudged, placesOf, roundSpeed, widestGap,
} from "./keyframe-edits.js";

/** A double click within this distance of the curve, in em, adds a keyframe on the curve. */
const NEAR_CURVE = 1.4;
const ARROWS = {
    ArrowLeft: { frames: -1 }, ArrowRight: { frames: 1 }, ArrowUp: { speed: 1 }, ArrowDown: { speed: -1 },
    PageUp: { speed: 1, coarse: true }, PageDown: { speed: -1, coarse: true },
};

/**
 * @typedef {{ keyframes: object[], evaluation: object | null, axes: import("./plot-geometry.js").Axes,
 *     layout: import("./plot-layout.js").Layout, duration: number, frameRate: number, offset: number,
 *     snap: boolean, dot: () => number | null,
 *     turned: (share: number) => number }} Scene
 *     `duration` and `frameRate`: of the keyframes' axis; `dot`: the playing position on that axis;
 *     `turned`: converts a keyframe's place to the plot's and back, which differ if the curve is flipped
 */

/** The handles of one plot. */
export class KeyframeHandles {
    #handles = [];
    #scene = null;
    #ratio = 1;
    #points = [];
    #selected = null;
    #value = html("div", "plot-value", { hidden: "", "aria-hidden": "true" });

    /**
     * @param {{ onKeyframes: Function, onSelect: (index: number | null) => void,
     *     onDragging: (isDragging: boolean) => void, onGuides: (guides: object) => void,
     *     onStalks: (pairs: object[]) => void }} actions
     *     `onKeyframes(keyframes, { final })`; `onDragging`: the axes must not change during a drag
     */
    constructor(actions) {
        this.actions = actions;
        this.easing = new EasingHandles({
            ...actions, onSelect: (index) => this.#choose(index),
        });
        this.element = html("div", "plot-handles", { role: "group", "aria-label": "Keyframes" },
            this.easing.element, this.#value);
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
        this.#points = scene.keyframes.map(({ speed }, i) => this.#point(shown[i], speed));
        while (this.#handles.length < scene.keyframes.length) this.#append();
        while (this.#handles.length > scene.keyframes.length) this.#handles.pop().remove();
        if (this.#selected !== null && this.#selected >= scene.keyframes.length) this.#selected = null;
        this.#handles.forEach((handle, i) => this.#draw(handle, i, places[i]));
        this.easing.show(this.#easingScene(shown));
    }

    select(index) {
        this.#selected = index;
        if (this.#scene) this.show(this.#scene);
    }

    /** Adds a keyframe at a point of the plot: on the curve if the curve is near, else at the point. */
    addAt(point, seconds, heightOfCurve) {
        const { evaluation, axes, layout } = this.#scene;
        if (!evaluation || nearest(this.#points, point, layout.em) !== null) return;
        const isNear = axes.view === "time" || heightOfCurve === null
            || Math.abs(heightOfCurve - point.y) <= NEAR_CURVE * layout.em;
        const speed = isNear ? null : speedFromY(axes, layout.box, point.y) / this.#ratio;
        this.#add(this.#placeAt(seconds), speed);
    }

    #point(at, speed) {
        const { axes, layout: { box }, evaluation } = this.#scene;
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

    /** Converts seconds on the plot's axis to a place on the keyframes' axis. */
    #placeAt(seconds) {
        const { evaluation, axes, turned } = this.#scene;
        if (axes.over === evaluation.curve.over) return turned(seconds / axes.length);
        return (outputOf(evaluation.map, seconds) ?? 0) / evaluation.outputDuration;
    }

    #append() {
        const index = this.#handles.length;
        const handle = html("div", "plot-keyframe", {
            role: "slider", tabindex: 0, "aria-orientation": "vertical",
        });
        handle.addEventListener("focus", () => this.#choose(index));
        handle.addEventListener("keydown", (event) => this.#onKey(event, index));
        onDrag(handle, this.#dragging(index, handle));
        this.#handles.push(handle);
        // The easing handles come after the keyframes in the order of the Tab key.
        this.element.insertBefore(handle, this.easing.element);
    }

    #draw(handle, i, at) {
        const { keyframes, axes } = this.#scene;
        const { x, y } = this.#points[i];
        place(handle, x, y);
        const speed = Number(keyframes[i].speed);
        const speeds = keyframes.map((keyframe) => keyframe.speed);
        const text = `at ${percentText(at)}, speed ${speed}`;
        setAll(handle, {
            "aria-label": `Keyframe ${i + 1} of ${keyframes.length}, ${text}`,
            "aria-valuetext": `${text}${speed === 0 ? ", freeze" : speed < 0 ? ", backwards" : ""}`,
            "aria-valuenow": speed,
            "aria-valuemin": Math.min(-16, ...speeds), "aria-valuemax": Math.max(16, ...speeds),
        });
        handle.classList.toggle("is-selected", i === this.#selected);
        handle.classList.toggle("is-fixed", axes.view === "time");
    }

    #easingScene(places) {
        const { axes, keyframes } = this.#scene;
        const i = this.#selected;
        if (i === null || i + 1 >= keyframes.length || axes.view === "time") return null;
        return { ...this.#scene, index: i, ratio: this.#ratio, places, points: this.#points };
    }

    #choose(index) {
        if (index === this.#selected) return;
        this.select(index);
        this.actions.onSelect(index);
    }

    get #axis() {
        const { duration, frameRate } = this.#scene;
        return {
            duration, least: leastDistance(duration, frameRate),
            frame: 1 / ((frameRate > 0 ? frameRate : 30) * duration),
        };
    }

    // Dragging

    #dragging(index, handle) {
        return {
            begin: (event) => {
                this.#choose(index);
                handle.focus({ preventScroll: true });
                event.stopPropagation();
                if (this.#scene.axes.view === "time") return null;
                const point = pointIn(this.element, event);
                const from = this.#points[index];
                this.actions.onDragging(true);
                return {
                    from, keyframes: this.#scene.keyframes, axes: this.#scene.axes,
                    offset: { x: point.x - from.x, y: point.y - from.y },
                };
            },
            move: (drag, event) => this.#drag(index, drag, event),
            end: (_, hasMoved) => this.#endDrag(hasMoved ? this.#scene.keyframes : null),
            cancel: ({ keyframes }, hasMoved) => this.#endDrag(hasMoved ? keyframes : null),
        };
    }

    #endDrag(keyframes) {
        setShown(this.#value, false);
        this.actions.onDragging(false);
        this.actions.onGuides({});
        if (keyframes) this.#edit(keyframes);
    }

    #drag(index, { from, keyframes, axes, offset }, event) {
        const { layout: { box }, snap, turned } = this.#scene;
        const pointer = pointIn(this.element, event);
        const point = { x: pointer.x - offset.x, y: pointer.y - offset.y };
        if (event.shiftKey) {
            // With Shift, a drag is horizontal or vertical, whichever distance is larger.
            const isAcross = Math.abs(point.x - from.x) > Math.abs(point.y - from.y);
            if (isAcross) point.y = from.y;
            else point.x = from.x;
        }
        // The pointer's position is read on the axes as they were when the drag began. If they grew during
        // the drag and were used here, each move would make them grow further.
        const wanted = {
            seconds: fromX(axes, box, point.x),
            speed: speedFromY(axes, box, point.y) / this.#ratio,
        };
        const axis = { ...this.#axis, axes, ratio: this.#ratio };
        const { seconds, speed, guides } = snap && !event.altKey
            ? snapped(this.#scene, index, wanted, axis) : { ...wanted, guides: {} };
        const to = { place: turned(seconds / axes.length) };
        // The speed changes only if the height does: in the scale view, a freeze has no exact height.
        if (point.y !== from.y) to.speed = roundSpeed(speed);
        this.#edit(moved(keyframes, index, to, this.#axis), false);
        this.actions.onGuides({
            x: guides.seconds === undefined ? null : toX(this.#scene.axes, box, guides.seconds),
            y: guides.speed === undefined ? null : inside(box,
                speedToY(this.#scene.axes, box, guides.speed * this.#ratio)),
        });
        this.#showValue(index);
    }

    /** Shows the new speed and time beside a dragged keyframe. */
    #showValue(index) {
        const { keyframes, duration, axes, turned, layout: { box, em } } = this.#scene;
        const at = turned(placesOf(keyframes, duration)[index]);
        const seconds = runningTime(axes.origin + at * axes.length);
        this.#value.textContent = `${speedText(keyframes[index].speed)} at ${seconds}`;
        setShown(this.#value, true);
        const { x, y } = this.#points[index];
        const middle = Math.max(box.x + 3 * em, Math.min(box.x + box.width - 3 * em, x));
        const isHigh = y < box.y + 3 * em;
        place(this.#value, middle, y + (isHigh ? 2.4 : -2.4) * em);
    }

    // Keys

    #onKey(event, index) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const arrow = ARROWS[event.key];
        const isDelete = event.key === "Delete" || event.key === "Backspace";
        const isAdd = event.key === "a" || event.key === "A";
        if (!arrow && !isDelete && !isAdd && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        if (arrow) this.#nudge(index, arrow, event.shiftKey || arrow.coarse === true);
        else if (isDelete) this.#delete(index);
        else if (isAdd) this.#addBeside(index);
        else this.#choose(null);
    }

    #nudge(index, { frames, speed = 0 }, isCoarse) {
        const { keyframes, axes, turned } = this.#scene;
        // In the scale view, higher is slower.
        const by = {
            speed: axes.view === "scale" ? -speed : speed,
            frames: turned(0) > 0 && frames ? -frames : frames,
        };
        this.#edit(nudged(keyframes, index, by, isCoarse, this.#axis));
    }

    #delete(index) {
        const { keyframes } = this.#scene;
        const rest = deleted(keyframes, index);
        if (rest === keyframes) return;
        const next = Math.min(index, rest.length - 1);
        this.#edit(rest);
        this.#focus(next);
    }

    /** Adds a keyframe at the playing position if there is room, else in the gap after the focused keyframe. */
    #addBeside(index) {
        const { keyframes, duration, dot, turned } = this.#scene;
        const places = placesOf(keyframes, duration);
        const isFree = (at) => places.every((other) => Math.abs(other - at) > this.#axis.least);
        const now = dot();
        const atDot = now === null ? null : turned(now / duration);
        const between = index + 1 < places.length
            ? (places[index] + places[index + 1]) / 2 : widestGap(keyframes, duration);
        this.#add(atDot !== null && isFree(atDot) ? atDot : between, null);
    }

    #add(at, speed) {
        const { keyframes, evaluation, turned } = this.#scene;
        if (!evaluation) return;
        const ofCurve = curveSpeedAt(evaluation.curve, turned(at)) / this.#ratio;
        const result = added(keyframes, { place: at, speed: speed ?? ofCurve }, this.#axis);
        if (!result) return;
        this.#edit(result.keyframes);
        this.#focus(result.index);
    }

    #edit(keyframes, final = true) {
        this.actions.onKeyframes(keyframes, { final });
    }

    #focus(index) {
        this.#choose(index);
        this.#handles[index]?.focus({ preventScroll: true });
    }
}
