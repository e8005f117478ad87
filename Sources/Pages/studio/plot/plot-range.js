// The in and out handles on the lane of the whole clip.

import { place, pointIn, setAll } from "../../shared/elements/plot-dom.js";
import { make } from "../../shared/elements/view.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { spokenTime, timeText } from "../../shared/plot-format.js";

const NAMES = ["In", "Out"];
/** The step of arrow keys with Shift, and of page keys, in seconds. */
const COARSE = 1;

/**
 * @typedef {import("./types").Clip} Clip
 * @typedef {import("./types").Range} Range
 */

/**
 * Moves one end of a range to a whole frame. The other end stays, at least one frame away.
 *
 * @param {Range} range
 * @param {number} which 0: in, 1: out
 * @param {number} time seconds of the clip
 * @param {Clip} clip
 */
export function rangeMoved(range, which, time, { duration, frameRate }) {
    const rate = frameRate || 100;
    const whole = Number((Math.round(time * rate) / rate).toFixed(6));
    if (which === 0) {
        return { ...range, start: Math.max(0, Math.min(whole, range.end - 1 / rate)) };
    }
    // The clip needn't end at a whole frame, so a time near the end becomes the end.
    const end = duration - whole < 0.75 / rate ? duration : whole;
    return { ...range, end: Math.min(duration, Math.max(end, range.start + 1 / rate)) };
}

/** The two handles with labels that show their times. */
export class RangeHandles {
    /** @type {Clip} */
    #clip = { duration: 0, frameRate: null, range: null };
    #width = 1;
    /** @type {Range} */
    #range = { start: 0, end: 0 };
    #isDragging = false;

    /**
     * @param {{ onRange: (range: Range, options: import("./types").Trimmed) => void, onChange: (range: Range) => void }}
     *     actions `onChange`: called after each redraw
     */
    constructor({ onRange, onChange }) {
        this.onRange = onRange;
        this.onChange = onChange;
        this.handles = NAMES.map((name, which) => this.#handle(name, which));
        this.element = make("div", { class: "plot-range", role: "group", "aria-label": "Part of the clip" },
            ...this.handles);
    }

    /** @type {(clip: Clip, width: number) => void} */
    show(clip, width) {
        const isSame = clip.duration === this.#clip.duration && width === this.#width;
        this.#clip = clip;
        this.#width = width;
        const range = this.#isDragging ? this.#range : clip.range ?? { start: 0, end: clip.duration };
        if (isSame && range.start === this.#range.start && range.end === this.#range.end) return;
        this.#range = range;
        this.#draw();
    }

    /** @type {(name: string, which: number) => HTMLElement} */
    #handle(name, which) {
        const bubble = make("span", { class: "plot-bubble", "aria-hidden": "true" });
        const handle = make("div", {
            class: `plot-end plot-end-${name.toLowerCase()}`, role: "slider", tabindex: 0,
            "aria-label": `${name} point`, "aria-valuemin": 0,
        }, make("span", { class: "plot-grip" }), bubble);
        handle.addEventListener("keydown", (event) => this.#onKey(event, which));
        onDrag(handle, {
            begin: (event) => {
                this.#isDragging = true;
                handle.focus();
                const offset = pointIn(this.element, event).x - this.#times()[which] * this.#scale;
                return { offset, from: this.#range };
            },
            move: ({ offset }, event) => {
                const time = (pointIn(this.element, event).x - offset) / this.#scale;
                this.#change(which, time, false);
            },
            end: (_, hasMoved) => {
                this.#isDragging = false;
                if (hasMoved) this.#tell(which, true);
            },
            cancel: ({ from }, hasMoved) => {
                this.#isDragging = false;
                this.#range = from;
                this.#draw();
                if (hasMoved) this.#tell(which, true);
            },
        });
        return handle;
    }

    get #scale() {
        return this.#width / this.#clip.duration;
    }

    #times() {
        return [this.#range.start, this.#range.end];
    }

    /** @type {(which: number, time: number, final: boolean) => void} */
    #change(which, time, final) {
        const range = rangeMoved(this.#range, which, time, this.#clip);
        if (range.start === this.#range.start && range.end === this.#range.end) return;
        this.#range = range;
        this.#draw();
        this.#tell(which, final);
    }

    /** @type {(which: number, final: boolean) => void} */
    #tell(which, final) {
        const { start, end } = this.#range;
        this.onRange(this.#range, { final, at: which === 0 ? start : Math.max(start, end - 1 / (this.#clip.frameRate || 100)) });
    }

    /** @type {(event: KeyboardEvent, which: number) => void} */
    #onKey(event, which) {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const step = event.shiftKey ? COARSE : 1 / (this.#clip.frameRate || 30);
        /** @type {Record<string, number>} */
        const steps = {
            ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step,
            PageDown: -COARSE, PageUp: COARSE, Home: -Infinity, End: Infinity,
        };
        if (!(event.key in steps)) return;
        event.preventDefault();
        event.stopPropagation();
        const time = this.#times()[which] + steps[event.key];
        this.#change(which, Math.max(0, Math.min(this.#clip.duration, time)), true);
    }

    #draw() {
        const { duration } = this.#clip;
        this.#times().forEach((time, which) => {
            const handle = this.handles[which];
            place(handle, time * this.#scale, 0);
            const [low, high] = which === 0 ? [0, this.#range.end] : [this.#range.start, duration];
            setAll(handle, {
                "aria-valuemin": low.toFixed(3), "aria-valuemax": high.toFixed(3),
                "aria-valuenow": time.toFixed(3), "aria-valuetext": spokenTime(time),
            });
            const text = `${NAMES[which]} ${timeText(time, 3)}`;
            if (handle.lastChild && handle.lastChild.textContent !== text) handle.lastChild.textContent = text;
        });
        this.onChange(this.#range);
    }
}
