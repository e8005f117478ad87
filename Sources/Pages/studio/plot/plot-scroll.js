// Zooming with wheel, pinch and keys, and the scroll bar under the curve.

import { place, pointIn, setAll, setShown } from "../../shared/elements/plot-dom.js";
import { make } from "../../shared/elements/view.js";
import { onDrag } from "../../shared/elements/plot-drag.js";

/** How much a turn of the wheel zooms: e to the power of this for a pixel. */
const WHEEL = 0.0025;
const PINCH = 0.01;
/** The height of a line in pixels, for wheels that count lines. */
const LINE = 16;
/** @type {Record<string, number>} */
const KEYS = {
    ArrowLeft: -0.1, ArrowRight: 0.1, PageUp: -0.9, PageDown: 0.9, Home: -Infinity, End: Infinity,
};
/** The narrowest thumb that can be taken hold of, in pixels. */
const NARROWEST = 24;

/** The scroll bar. It is shown while the plot is zoomed in. */
export class ScrollBar {
    #thumb = make("div", { class: "plot-thumb" });
    /** What was shown last. */
    #state = { part: { from: 0, to: 1 }, length: 1, width: 1 };

    /**
     * @param {string} controls the id of what it scrolls
     * @param {(by: number) => void} onScroll called with seconds of the axis
     */
    constructor(controls, onScroll) {
        this.onScroll = onScroll;
        this.element = make("div", {
            class: "plot-scroll", role: "scrollbar", tabindex: 0, hidden: "", "aria-controls": controls,
            "aria-orientation": "horizontal", "aria-label": "Part of the curve",
            "aria-valuemin": 0, "aria-valuemax": 100,
        }, this.#thumb);
        this.element.addEventListener("keydown", (event) => this.#onKey(event));
        onDrag(this.element, {
            atOnce: true,
            begin: (event) => {
                const { x } = pointIn(this.element, event);
                const { left, width } = this.#box;
                const isOnThumb = x >= left && x <= left + width;
                return { grip: isOnThumb ? x - left : width / 2 };
            },
            move: ({ grip }, event) => {
                const { left, perPixel } = this.#box;
                this.onScroll((pointIn(this.element, event).x - grip - left) * perPixel);
            },
            end: () => {}, cancel: () => {},
        });
    }

    /** @type {(part: import("./types").Part | null, length: number, width: number) => void} */
    show(part, length, width) {
        setShown(this.element, part !== null);
        if (!part) return;
        this.#state = { part, length, width };
        const { left, width: wide } = this.#box;
        place(this.#thumb, left, 0);
        this.#thumb.style.width = `${wide.toFixed(2)}px`;
        const rest = length - (part.to - part.from);
        setAll(this.element, {
            "aria-valuenow": Math.round((100 * part.from) / rest),
            "aria-valuetext": `${part.from.toFixed(2)} to ${part.to.toFixed(2)} seconds`,
        });
    }

    /** The thumb in pixels, and the seconds by which a pixel scrolls. */
    get #box() {
        const { part, length, width } = this.#state;
        const span = part.to - part.from;
        const wide = Math.max(NARROWEST, (span / length) * width);
        const perPixel = (length - span) / (width - wide);
        return { left: part.from / perPixel, width: wide, perPixel };
    }

    #onKey(/** @type {KeyboardEvent} */ event) {
        if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        const { part, length } = this.#state;
        const by = KEYS[event.key] * (part.to - part.from);
        this.onScroll(Math.max(-length, Math.min(length, by)));
    }
}

/**
 * Zooms and scrolls with the wheel over an element.
 *
 * @param {HTMLElement} element
 * @param {{ zoom: (factor: number, x: number) => void, scroll: (pixels: number) => boolean }} actions `x`: in the
 *     element; `scroll` returns whether there was anything to scroll
 */
export function onWheel(element, { zoom, scroll }) {
    element.addEventListener("wheel", (event) => {
        const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
        if (event.ctrlKey || event.metaKey) {
            // Browsers report a pinch on a touch pad as small turns of the wheel with the control key.
            const rate = Math.abs(event.deltaY * unit) < 30 ? PINCH : WHEEL;
            event.preventDefault();
            zoom(Math.exp(-event.deltaY * unit * rate), pointIn(element, event).x);
            return;
        }
        const isAcross = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
        const way = (event.deltaX || (event.shiftKey ? event.deltaY : 0)) * unit;
        // A wheel that turns the usual way scrolls the page.
        if (isAcross && scroll(way)) event.preventDefault();
    }, { passive: false });
}

/**
 * Zooms with a pinch on a touch pad in Safari, which tells of it by events of its own. On touch screens these events
 * come beside those of the fingers, and would zoom a second time.
 *
 * @param {HTMLElement} element
 * @param {(factor: number, x: number) => void} zoom `x`: in the element
 */
export function onGesture(element, zoom) {
    if (navigator.maxTouchPoints > 0) return;
    let scale = 1;
    /** @type {(kind: string, act: (event: MouseEvent & { scale: number }) => void) => void} */
    const listen = (kind, act) => element.addEventListener(kind, (event) => {
        event.preventDefault();
        act(/** @type {MouseEvent & { scale: number }} */ (event));
    });
    listen("gesturestart", () => {
        scale = 1;
    });
    listen("gesturechange", (event) => {
        zoom(event.scale / scale, pointIn(element, event).x);
        scale = event.scale;
    });
    listen("gestureend", () => {});
}

/**
 * Zooms and scrolls with two fingers on an element. Meanwhile nothing else is told of them.
 *
 * @param {HTMLElement} element
 * @param {(change: { factor: number, x: number, by: number }) => void} onPinch `x`: the middle in the element; `by`:
 *     pixels to the right
 */
export function onPinch(element, onPinch) {
    /** @type {Map<number, import("./types").Point>} */
    const fingers = new Map();
    const middle = () => {
        const [a, b] = [...fingers.values()];
        return { x: (a.x + b.x) / 2, distance: Math.max(20, Math.hypot(a.x - b.x, a.y - b.y)) };
    };
    element.addEventListener("pointerdown", (event) => {
        if (event.pointerType !== "touch") return;
        fingers.set(event.pointerId, pointIn(element, event));
        if (fingers.size > 1) event.stopPropagation();
    }, true);
    element.addEventListener("pointermove", (event) => {
        if (!fingers.has(event.pointerId)) return;
        if (fingers.size !== 2) {
            fingers.set(event.pointerId, pointIn(element, event));
            return;
        }
        event.stopPropagation();
        const before = middle();
        fingers.set(event.pointerId, pointIn(element, event));
        const after = middle();
        onPinch({
            factor: after.distance / before.distance, x: after.x, by: after.x - before.x,
        });
    }, true);
    const lift = (/** @type {PointerEvent} */ event) => fingers.delete(event.pointerId);
    element.addEventListener("pointerup", lift, true);
    element.addEventListener("pointercancel", lift, true);
}
