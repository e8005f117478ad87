// The lane of an edit's sounds: music and whatever else is heard with its clips. Each is moved in time, and trimmed at
// both ends, by the pointer or by keys.

import { withSoundMoved, withSoundTrim } from "./edit-draft.js";
import { handleOf, SIDES } from "./edit-track.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { lengthText } from "../../shared/times.js";
import { draw, view } from "../../shared/elements/view.js";

/**
 * @typedef {import("../../shared/elements/view.js").View} View
 * @typedef {import("./types").EditClip} EditClip
 * @typedef {import("./types").OpenEdit} OpenEdit
 * @typedef {import("./types").Side} Side
 * @typedef {{ index: number, side?: Side, from: number, edit: OpenEdit, gesture: string }} Drag
 */

/** Edges nearer than this, in pixels, come together. */
const NEAR = 6;
/** How far keys move, in seconds: alone and with Shift. */
const STEP = 0.04, LEAP = 1;
/** The height of a row, in rem. */
const ROW = 2.6;

export class EditSounds {
    /** @type {OpenEdit | null} */
    #edit = null;
    #scale = 40;
    /** @type {Map<string, import("../../shared/server").Waveform | null>} by the identity of the clip */
    #waveforms = new Map();

    /**
     * @param {HTMLElement} host a list
     * @param {{
     *     onEdit: (edit: OpenEdit, how?: import("../types").How) => void, onSelect: (index: number) => void,
     *     onRemove: (index: number) => void,
     *     waveformOf: (media: string) => Promise<import("../../shared/server").Waveform | null>,
     * }} acts
     */
    constructor(host, acts) {
        this.host = host;
        this.acts = acts;
        onDrag(host, {
            begin: (event) => this.#begin(event), move: (drag, event) => this.#move(drag, event),
            end: (drag, hasMoved) => (hasMoved ? this.#finish(drag, this.#edit) : !drag.side && acts.onSelect(drag.index)),
            cancel: (drag, hasMoved) => hasMoved && this.#finish(drag, drag.edit),
        });
    }

    /** @param {OpenEdit} edit @param {number} scale of the track, in pixels a second */
    show(edit, scale) {
        [this.#edit, this.#scale] = [edit, scale];
        const rows = rowsOf(edit.sounds);
        this.host.hidden = edit.sounds.length === 0;
        this.host.style.height = `${ROW * (1 + Math.max(0, ...rows))}rem`;
        draw(this.host, ...edit.sounds.map((sound, index) => this.#block(sound, index, rows[index])));
    }

    /** @type {(sound: EditClip, index: number, row: number) => View} */
    #block(sound, index, row) {
        const { name, at, start, end } = sound;
        const length = lengthText(end - start);
        return view("li", {
            class: "edit-sound",
            style: `left: ${at * this.#scale}px; top: ${row * ROW}rem; width: ${(end - start) * this.#scale}px`,
        },
        view("button", {
            type: "button", class: "edit-block", "data-act": "select",
            "aria-pressed": String(index === this.#edit?.selectedSound),
            "aria-label": `Sound ${index + 1}, ${name}, at ${lengthText(at)}, ${length}`, title: `${name}\n${length}`,
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.#onKey(event, index),
            onclick: (/** @type {MouseEvent} */ { detail }) => detail === 0 && this.acts.onSelect(index),
        }, this.#wave(sound), ...this.#fades(sound), view("span", { class: "edit-words" }, view("span", { class: "name" }, name))),
        ...SIDES.map((side) => handleOf(sound, side, `sound ${index + 1}`, (event) => this.#onKey(event, index, side))));
    }

    /**
     * The loudness of what is heard, over all of the clip; the block shows its part.
     * @type {(sound: EditClip) => View | false}
     */
    #wave({ segment: { media }, start, end, whole }) {
        const waveform = this.#waveforms.get(media);
        if (waveform === undefined) this.#fetch(media);
        if (!waveform) return false;
        const { minimum, maximum } = waveform, { length } = maximum;
        const points = [
            ...maximum.map((value, place) => `${place},${-value}`),
            ...minimum.map((value, place) => `${place},${-value}`).reverse(),
        ];
        return view("svg", {
            class: "edit-wave", "aria-hidden": "true", preserveAspectRatio: "none",
            viewBox: `${start / whole * length} -1 ${(end - start) / whole * length} 2`,
        }, view("polygon", { points: points.join(" ") }));
    }

    /** @type {(sound: EditClip) => View[]} shades over where it fades in and out */
    #fades({ dissolve, fadeOut }) {
        return [["in", dissolve], ["out", fadeOut]].map(([way, seconds]) => view("span", {
            class: `edit-fade ${way}`, style: `width: ${Number(seconds) * this.#scale}px`,
        }));
    }

    async #fetch(/** @type {string} */ media) {
        this.#waveforms.set(media, null);
        this.#waveforms.set(media, await this.acts.waveformOf(media));
        if (this.#edit) this.show(this.#edit, this.#scale);
    }

    /** @param {KeyboardEvent} event @param {number} index @param {Side} [side] */
    #onKey(event, index, side) {
        const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        const edit = this.#edit;
        if (!edit || event.ctrlKey || event.metaKey || event.altKey) return;
        if (!side && (event.key === "Delete" || event.key === "Backspace")) this.acts.onRemove(index);
        else if (way) {
            const by = way * (event.shiftKey ? LEAP : STEP);
            const how = { gesture: `sound-${index}-${side ?? "at"}`, final: false };
            this.acts.onEdit(moved(edit, index, side, by), how);
        } else return;
        event.preventDefault();
        event.stopPropagation();
    }

    /** @type {(event: PointerEvent) => Drag | null} */
    #begin(event) {
        const target = /** @type {Element} */ (event.target), item = target.closest("li");
        if (!item || !this.#edit) return null;
        const index = [...this.host.children].indexOf(item);
        const side = SIDES.find((each) => target.closest(`.${each}`));
        return { index, side, from: event.clientX, edit: this.#edit, gesture: `drag-sound-${index}-${side}` };
    }

    #move(/** @type {Drag} */ { index, side, from, edit, gesture }, /** @type {PointerEvent} */ event) {
        const by = (event.clientX - from) / this.#scale;
        const edges = edit.clips.reduce((sums, { start, end }) => [...sums, sums[sums.length - 1] + end - start], [0]);
        const { at, start, end } = edit.sounds[index];
        const own = side === "start" ? [at] : side === "end" ? [at + end - start] : [at, at + end - start];
        // The first of its edges that comes near to a cut is put there.
        const snaps = event.altKey ? [] : own.flatMap((edge) => edges.map((to) => to - edge))
            .filter((each) => Math.abs(each - by) * this.#scale < NEAR)
            .sort((a, b) => Math.abs(a - by) - Math.abs(b - by));
        this.acts.onEdit(moved(edit, index, side, snaps[0] ?? by), { gesture, final: false });
    }

    #finish(/** @type {Drag} */ { gesture }, /** @type {OpenEdit | null} */ edit) {
        if (edit) this.acts.onEdit(edit, { gesture, final: true });
    }
}

/** @type {(edit: OpenEdit, index: number, side: Side | undefined, by: number) => OpenEdit} */
const moved = (edit, index, side, by) => (
    side ? withSoundTrim(edit, index, side, edit.sounds[index][side] + by)
        : withSoundMoved(edit, index, edit.sounds[index].at + by));

/** The row of each sound: those that overlap are in different ones. */
function rowsOf(/** @type {EditClip[]} */ sounds) {
    const ends = /** @type {number[]} */ ([]), rows = /** @type {number[]} */ ([]);
    const order = sounds.map((_, index) => index).sort((a, b) => sounds[a].at - sounds[b].at);
    for (const index of order) {
        const { at, start, end } = sounds[index];
        const free = ends.findIndex((each) => each <= at + 1e-6);
        rows[index] = free < 0 ? ends.length : free;
        ends[rows[index]] = at + end - start;
    }
    return rows;
}
