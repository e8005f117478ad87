// The two handles of the selected keyframe's easing. A smooth easing has the handles of the Bézier curve
// with the same shape; when a handle is moved, the easing becomes a Bézier curve.

import { place, pointIn, setAll, setShown } from "../../shared/elements/plot-dom.js";
import { make } from "../../shared/elements/view.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { fromX, inside, speedFromY, speedToY, toX } from "../plot/plot-geometry.js";
import { handleMoved } from "./keyframe-edits.js";
import { handlesOf, parseEasing } from "./keyframe-text.js";

const NAMES = ["First", "Second"];
/** @type {Record<string, number[]>} */
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const FINE = 0.01;
const COARSE = 0.1;

/**
 * @typedef {import("./types").EasingScene} EasingScene
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("./types").Point} Point
 */

/** The pair of handles. It is shown while the selected keyframe has an easing with handles. */
export class EasingHandles {
    /** @type {EasingScene & { values: number[] } | null} */
    #scene = null;

    /** @param {import("./types").EasingActions} actions */
    constructor(actions) {
        this.actions = actions;
        this.handles = [0, 1].map((which) => this.#handle(which));
        this.element = make("div", { class: "plot-easing", hidden: "" }, ...this.handles);
    }

    show(/** @type {EasingScene | null} */ scene) {
        const easing = scene?.keyframes[scene.index].easing;
        const values = handlesOf(easing);
        this.#scene = scene && values && { ...scene, values };
        setShown(this.element, this.#scene !== null);
        if (!values || !scene) {
            this.actions.onStalks([]);
            return;
        }
        const isBezier = parseEasing(easing)?.kind === "bezier";
        this.element.classList.toggle("is-implied", !isBezier);
        const points = [0, 1].map((which) => this.#point(scene, values[2 * which], values[2 * which + 1]));
        points.forEach((point, which) => this.#draw(which, point, values, scene));
        this.actions.onStalks(points.map((point, which) => [scene.points[scene.index + which], point]));
    }

    /** @type {(scene: EasingScene, x: number, y: number) => Point} */
    #point({ axes, layout: { box }, keyframes, places, index, ratio }, x, y) {
        const [from, to] = [keyframes[index].speed, keyframes[index + 1].speed];
        const at = places[index] + x * (places[index + 1] - places[index]);
        const speed = (from + y * (to - from)) * ratio;
        return { x: toX(axes, box, at * axes.length), y: inside(box, speedToY(axes, box, speed)) };
    }

    /** @type {(which: number, point: Point, values: number[], scene: EasingScene) => void} */
    #draw(which, point, values, { index }) {
        const handle = this.handles[which];
        place(handle, point.x, point.y);
        const [x, y] = values.slice(2 * which).map((value) => Number(value.toFixed(2)));
        setAll(handle, {
            "aria-label": `${NAMES[which]} easing handle of keyframe ${index + 1}`,
            "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": x,
            "aria-valuetext": `time ${x}, speed ${y}`,
        });
    }

    #handle(/** @type {number} */ which) {
        const handle = make("div", { class: "plot-easing-handle", role: "slider", tabindex: 0 });
        handle.addEventListener("keydown", (event) => this.#onKey(event, which));
        onDrag(handle, {
            begin: (event) => {
                if (!this.#scene) return null;
                event.stopPropagation();
                handle.focus({ preventScroll: true });
                this.actions.onDragging(true);
                return { keyframes: this.#scene.keyframes, scene: this.#scene };
            },
            move: (drag, event) => this.#drag(which, drag, event),
            end: (_, hasMoved) => this.#endDrag(hasMoved && this.#scene ? this.#scene.keyframes : null),
            cancel: ({ keyframes }, hasMoved) => this.#endDrag(hasMoved ? keyframes : null),
        });
        return handle;
    }

    #endDrag(/** @type {Keyframe[] | null} */ keyframes) {
        this.actions.onDragging(false);
        if (keyframes) this.actions.onKeyframes(keyframes, { final: true });
    }

    /** @type {(which: number, drag: { keyframes: Keyframe[], scene: EasingScene }, event: PointerEvent) => void} */
    #drag(which, { keyframes, scene }, event) {
        const { axes, layout: { box }, index, places, ratio } = scene;
        const { x, y } = pointIn(this.element.parentElement ?? this.element, event);
        const width = (places[index + 1] - places[index]) * axes.length;
        const [from, to] = [keyframes[index].speed, keyframes[index + 1].speed];
        const change = {
            x: (fromX(axes, box, x) - places[index] * axes.length) / width,
            // Between equal speeds, a height has no meaning.
            y: from === to ? undefined : (speedFromY(axes, box, y) / ratio - from) / (to - from),
        };
        this.actions.onKeyframes(handleMoved(keyframes, index, which, change), { final: false });
    }

    /** @type {(event: KeyboardEvent, which: number) => void} */
    #onKey(event, which) {
        const way = KEYS[event.key];
        if (event.key === "Escape") this.actions.onSelect(null);
        if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        if (!this.#scene) return;
        const { keyframes, index, axes, turned, values } = this.#scene;
        const step = event.shiftKey ? COARSE : FINE;
        // The up key moves the handle up in the plot, whichever of the two keyframes is faster.
        const isRising = keyframes[index + 1].speed >= keyframes[index].speed;
        const up = isRising === (axes.view === "speed") ? way[1] : -way[1];
        const right = turned(0) > 0 ? -way[0] : way[0];
        const change = { x: values[2 * which] + right * step, y: values[2 * which + 1] + up * step };
        this.actions.onKeyframes(handleMoved(keyframes, index, which, change), { final: true });
    }
}
