// The track of an edit: a row of clips that are selected, moved, and trimmed at both ends.

import { lengthOf, totalOf, withMoved, withTrim } from "./edit-draft.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { times } from "../../shared/format-numbers.js";
import { ratioOf } from "../../shared/numbers.js";
import { lengthText } from "../../shared/times.js";
import { draw, view } from "../../shared/elements/view.js";

/**
 * @typedef {import("../types").Segment} Segment
 * @typedef {import("../../shared/elements/view.js").View} View
 * @typedef {import("./types").EditClip} EditClip
 * @typedef {import("./types").OpenEdit} OpenEdit
 * @typedef {import("./types").Side} Side
 * @typedef {import("./types").TrackDrag} Drag
 */

/** The scale of the track in pixels a second: at most, for short edits, and at least. */
const LARGEST = 220, SMALLEST = 4;
export const SIDES = /** @type {const} */ (["start", "end"]);
/** How far the arrow keys trim, in frames: alone and with Shift. */
const STEP = 1, LEAP = 10;

/**
 * The handle by which one end of a clip or a sound is trimmed.
 * @type {(clip: EditClip, side: Side, name: string, onKey: (event: KeyboardEvent) => void) => View}
 */
export const handleOf = (clip, side, name, onKey) => view("div", {
    class: `edit-handle ${side}`, role: "slider", tabindex: 0, "data-act": side,
    "aria-label": `${side === "start" ? "Start" : "End"} of ${name}`,
    "aria-valuemin": 0, "aria-valuemax": clip.whole.toFixed(3), "aria-valuenow": clip[side].toFixed(3),
    "aria-valuetext": `${lengthText(clip[side])} of ${lengthText(clip.whole)}`, onkeydown: onKey,
});

export class EditTrack {
    /** @type {OpenEdit} */
    #edit = { id: "", name: "", clips: [], sounds: [], selected: null };
    /** That of the list, in pixels. */
    #width = 0;
    #scale = 40;
    #isDragging = false;

    /**
     * @param {HTMLElement} host a list
     * @param {import("./types").TrackActs} acts
     */
    constructor(host, acts) {
        this.host = host;
        this.acts = acts;
        onDrag(host, {
            begin: (event) => this.#begin(event), move: (drag, event) => this.#move(drag, event),
            end: (drag, hasMoved) => this.#end(drag, hasMoved),
            cancel: (drag, hasMoved) => this.#cancel(drag, hasMoved),
        });
        host.addEventListener("focusout", () => this.#isDragging || acts.onTrim(null));
        new ResizeObserver(() => {
            this.#width = host.clientWidth - 24;
            if (this.#isDragging) return;
            this.show(this.#edit);
            acts.onScale();
        }).observe(host);
    }

    /** In pixels a second. */
    get scale() {
        return this.#scale;
    }

    show(/** @type {OpenEdit} */ edit) {
        this.#edit = edit;
        if (!this.#isDragging) {
            const scale = this.#width / Math.max(0.1, totalOf(edit));
            this.#scale = Math.min(LARGEST, Math.max(SMALLEST, scale));
        }
        draw(this.host, ...edit.clips.map((clip, index) => this.#block(clip, index)));
    }

    /** @type {(clip: EditClip, index: number) => View} */
    #block(clip, index) {
        const { name, dissolve, segment } = clip;
        const number = `Clip ${index + 1}`;
        const isSelected = index === this.#edit.selected;
        const length = lengthText(lengthOf(clip));
        const label = [`${number}, ${name}, ${length}`,
            dissolve > 0 ? `dissolves for ${lengthText(dissolve)}` : null].filter(Boolean).join(", ");
        const poster = this.acts.posterOf(segment.media);
        return view("li", {
            class: "edit-clip",
            style: `width: ${lengthOf(clip) * this.#scale}px; --dissolve: ${dissolve * this.#scale}px`,
        },
            view("button", {
                type: "button", class: "edit-block", "aria-pressed": String(isSelected),
                "aria-label": label, title: `${name}\n${length}`, "data-act": "select",
                onkeydown: (/** @type {KeyboardEvent} */ event) => this.#onBlockKey(event, index),
                onclick: () => this.acts.onSelect(index),
            },
            view("span", {
                class: "edit-picture", style: poster && `background-image: url("${poster}")`,
            }),
            view("span", { class: "edit-words" },
                view("span", { class: "name" }, name),
                view("span", { class: "facts" }, [length, curveWord(segment)].filter(Boolean).join(" · ")))),
            dissolve > 0 && view("span", { class: "edit-dissolve", "aria-hidden": true }),
            ...SIDES.map((side) => handleOf(clip, side, `clip ${index + 1}`, (event) => this.#onHandleKey(event, index, side))));
    }

    #frame(/** @type {number} */ index) {
        return this.acts.frameOf(this.#edit.clips[index].segment.media);
    }

    /** @type {(index: number, side: Side, seconds: number, how: import("../types").How) => void} */
    #trimTo(index, side, seconds, how) {
        const frame = this.#frame(index);
        const clip = this.#edit.clips[index];
        const snapped = Math.abs(seconds - clip.whole) < frame / 2
            ? clip.whole : Math.round(seconds / frame) * frame;
        const edit = withTrim(this.#edit, index, { [side]: snapped });
        this.acts.onEdit(edit, how);
        const handle = this.host.children[index].querySelector(`.${side}`);
        if (handle) this.acts.onTrim({ clip: edit.clips[index], side, handle });
    }

    /** @type {(event: KeyboardEvent, index: number, side: Side) => void} */
    #onHandleKey(event, index, side) {
        const step = this.#frame(index) * (event.shiftKey ? LEAP : STEP);
        const { [side]: now, whole } = this.#edit.clips[index];
        const seconds = /** @type {Record<string, number | undefined>} */ ({
            ArrowLeft: now - step, ArrowDown: now - step, ArrowRight: now + step, ArrowUp: now + step,
            Home: 0, End: whole,
        })[event.key];
        if (seconds === undefined) return;
        event.preventDefault();
        this.#trimTo(index, side, seconds, { gesture: `trim-${index}-${side}`, final: false });
    }

    /** @type {(event: KeyboardEvent, index: number) => void} */
    #onBlockKey(event, index) {
        const to = event.key === "ArrowLeft" ? index - 1 : event.key === "ArrowRight" ? index + 1 : undefined;
        if (event.key === "Delete" || event.key === "Backspace") {
            this.acts.onRemove(index);
        } else if (to !== undefined && event.altKey) {
            this.acts.onEdit(withMoved(this.#edit, index, to));
            this.focus(Math.min(this.#edit.clips.length - 1, Math.max(0, to)));
        } else if (to !== undefined) {
            this.focus(Math.min(this.#edit.clips.length - 1, Math.max(0, to)));
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    focus(/** @type {number} */ index) {
        this.host.children[index]?.querySelector("button")?.focus();
    }

    // Dragging. The list has the pointer, because its children may go meanwhile.

    /** @type {(event: PointerEvent) => Drag | null} */
    #begin(event) {
        const target = /** @type {Element} */ (event.target);
        const item = target.closest("li");
        if (!item) return null;
        const index = [...this.host.children].indexOf(item);
        const side = SIDES.find((each) => target.closest(`.${each}`));
        this.#isDragging = true;
        this.host.classList.add("dragging");
        return {
            index, side, item, from: event.clientX, distance: 0, edit: this.#edit,
            before: side ? this.#edit.clips[index][side] : 0, gesture: `drag-${index}-${side}`,
        };
    }

    /** @type {(drag: Drag, event: PointerEvent) => void} */
    #move(drag, event) {
        const { index, side, item, from, before, gesture } = drag;
        drag.distance = event.clientX - from;
        if (side) {
            // The start's handle stays in its place, and the clip moves beneath it.
            this.#trimTo(index, side, before + drag.distance / this.#scale, { gesture, final: false });
        } else {
            item.classList.add("moving");
            item.style.translate = `${drag.distance}px`;
        }
    }

    /** @type {(drag: Drag, hasMoved: boolean) => void} */
    #end({ index, side, item, distance, gesture }, hasMoved) {
        this.#release(item);
        if (!hasMoved) {
            if (!side) this.acts.onSelect(index);
        } else if (side) {
            this.acts.onEdit(this.#edit, { gesture, final: true });
            this.show(this.#edit);
        } else {
            this.#drop(index, distance);
        }
    }

    /** @type {(drag: Drag, hasMoved: boolean) => void} */
    #cancel({ side, item, edit, gesture }, hasMoved) {
        this.#release(item);
        if (!side || !hasMoved) return;
        this.acts.onEdit(edit, { gesture, final: true });
        this.show(edit);
    }

    #release(/** @type {HTMLElement} */ item) {
        this.#isDragging = false;
        this.acts.onTrim(null);
        this.host.classList.remove("dragging");
        item.classList.remove("moving");
        item.style.translate = "";
    }

    #middles() {
        return this.#edit.clips.map((_, each) => {
            const { left, width } = this.host.children[each].getBoundingClientRect();
            return left + width / 2;
        });
    }

    /** The place among the clips for one that is dropped at a place of the window. */
    placeAt(/** @type {number} */ x) {
        return this.#middles().filter((middle) => middle < x).length;
    }

    /** @type {(index: number, distance: number) => void} */
    #drop(index, distance) {
        const middles = this.#middles(), middle = middles[index] + distance;
        const to = middles.filter((each, place) => place !== index && each < middle).length;
        if (to !== index) this.acts.onEdit(withMoved(this.#edit, index, to));
    }
}

/** What a clip's own retiming is, in a word; empty at normal speed. */
function curveWord(/** @type {Segment} */ { thereAndBack = false, ...segment }) {
    return [speedWord(segment), thereAndBack ? "boomerang" : ""].filter(Boolean).join(", ");
}

function speedWord(/** @type {Segment} */ { play, warp, scale, speed, duration, oneWay }) {
    if (play === "reversed") return "backwards";
    if (warp && warp.curve !== "constant") {
        return warp.curve?.replaceAll("-", " ") ?? (warp.keyframes ? "keyframes" : "curve");
    }
    if ((duration ?? oneWay) !== undefined && !warp) return "scaled";
    const pace = warp ? 1 / (warp.factor ?? 1.5) : ratioOf(speed ?? 1) / ratioOf(scale ?? 1);
    return pace === 1 ? "" : times(pace);
}
