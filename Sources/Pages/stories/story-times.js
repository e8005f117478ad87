// The times of the chosen segment on its frames: events, and the ends of the range, are dragged, or moved by keys. Each
// change is written into the story file at once.

import { urls } from "../shared/api.js";
import { byId } from "../shared/elements/dom.js";
import { make } from "../shared/elements/view.js";
import { createNotice } from "../shared/elements/notice.js";
import { onDrag } from "../shared/elements/plot-drag.js";
import { clockText } from "../shared/times.js";
import { remove, set, setTime } from "./story-edits.js";

/**
 * @typedef {import("../shared/server").Story} Story
 * @typedef {NonNullable<Story["segments"][0]["times"]>} Times
 * @typedef {{ name: string, place: (string | number)[], at: number }} Mark
 */

/** The strip shows so much more than the range on both sides, as a share of the range. */
const MORE = 0.25;
/** Keys move a time by this many frames; and by this many seconds where frames aren't at a constant rate. */
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 };
const SECONDS = 0.04;
/** Labels nearer than this, as a share of the width, would lie on each other. */
const ROOM = 0.18;

/**
 * The part of the media file that is shown, in seconds.
 * @param {{ duration: number, range?: number[] }} times
 */
export function windowOf({ duration, range }) {
    if (!range) return { from: 0, to: duration };
    const more = MORE * (range[1] - range[0]);
    return { from: Math.max(0, range[0] - more), to: Math.min(duration, range[1] + more) };
}

/**
 * The part of the media file that is played, in seconds.
 * @type {(times: Times | undefined) => number[]}
 */
export const partOf = (times) => times?.range ?? [0, times?.duration ?? 0];

/**
 * The marks of a segment: what they are called, where they are, and the path of each in the segment.
 * @param {Times} times
 * @returns {Mark[]}
 */
export const marksOf = ({ range = [], events }) => [
    ...range.map((at, index) => ({ name: index === 0 ? "Start" : "End", place: ["range", index], at })),
    ...events.map((event, index) => ({ name: event.do, place: ["events", index, "at"], at: event.at })),
];

export class StoryTimes {
    /** @type {Story | null} */
    #story = null;
    /** The chosen segment's name, and what is shown of it. */
    #name = "";
    /** @type {Times} */
    #times = { duration: 0, events: [] };
    #window = { from: 0, to: 0 };
    #shown = "";

    constructor(/** @type {import("./story-editor.js").StoryEditor} */ editor) {
        this.editor = editor;
        this.strip = byId("times-strip");
        this.say = createNotice("error-times");
        byId("times-part").addEventListener("click", () => this.#turnPart());
    }

    /**
     * @param {Story | null} story
     * @param {string | null} name of the chosen segment
     */
    show(story, name) {
        this.#story = story;
        this.#name = name ?? "";
        const times = story?.segments.find((each) => each.name === name)?.times;
        byId("times-panel").hidden = !times;
        if (!story || !times) return;
        const key = JSON.stringify([story.id, name, times]);
        if (key === this.#shown) return;
        this.#shown = key;
        byId("times-title").textContent = name;
        byId("times-note").textContent = "Drag a time, or move it by a frame with the arrow keys.";
        byId("times-part").textContent = times.range ? "Whole clip" : "Part of it";
        this.say("");
        this.#draw(story.id, times);
    }

    /** @type {(id: string, times: Times) => void} */
    #draw(id, times) {
        this.#times = times;
        const { from, to } = this.#window = windowOf(times);
        const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.mark;
        const image = make("img", {
            src: urls.storyStrip(id, this.#name, from, to), alt: "", draggable: "false",
        });
        const all = marksOf(times), rows = this.#rowsOf(all);
        const marks = all.map((mark, index) => this.#mark(mark, index, rows[index]));
        this.strip.style.setProperty("--rows", String(Math.max(1, ...rows.map((row) => row + 1))));
        const shade = make("div", { class: "times-range" });
        const [start, end] = times.range ?? [from, to];
        this.#stretch(shade, start, end);
        this.strip.replaceChildren(make("div", { class: "times-frames" }, image, shade), ...marks);
        if (focused !== undefined) marks[Number(focused)]?.focus();
    }

    #share(/** @type {number} */ seconds) {
        const { from, to } = this.#window;
        return Math.max(0, Math.min(1, (seconds - from) / (to - from)));
    }

    /** @type {(element: HTMLElement, start: number, end: number) => void} */
    #stretch({ style }, start, end) {
        style.left = `${100 * this.#share(start)}%`;
        style.width = `${100 * (this.#share(end) - this.#share(start))}%`;
    }

    /** @type {(mark: Mark, index: number, row: number) => HTMLElement} */
    #mark(mark, index, row) {
        const label = make("span", { class: "times-label" }, `${mark.name} ${clockText(mark.at)}`);
        const element = make("button", {
            type: "button", role: "slider", class: `times-mark${mark.place[0] === "range" ? " is-edge" : ""}`, "data-mark": index,
            "aria-label": mark.name, "aria-valuemin": 0, "aria-valuemax": this.#times.duration,
            "aria-valuenow": mark.at, "aria-valuetext": clockText(mark.at),
        }, label);
        element.style.setProperty("--row", String(row));
        const put = (/** @type {number} */ at) => {
            element.style.left = `${100 * this.#share(at)}%`;
            element.style.setProperty("--share", String(this.#share(at)));
            label.textContent = `${mark.name} ${clockText(at)}`;
        };
        put(mark.at);
        onDrag(element, {
            begin: (event) => ({ x: event.clientX, at: mark.at }),
            move: (drag, event) => {
                const { from, to } = this.#window;
                const { width } = this.strip.getBoundingClientRect();
                drag.at = this.#snapped(mark.at + ((event.clientX - drag.x) / width) * (to - from));
                put(drag.at);
            },
            end: ({ at }, hasMoved) => hasMoved && this.#save(mark, at),
            cancel: () => put(mark.at),
        });
        element.addEventListener("keydown", (event) => {
            const step = STEPS[event.key];
            if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            this.#save(mark, this.#snapped(mark.at + step * (this.#times.frameDuration ?? SECONDS)));
        });
        return element;
    }

    /** The row of each mark's label: labels that would lie on each other are in different ones. */
    #rowsOf(/** @type {Mark[]} */ marks) {
        const last = /** @type {number[]} */ ([]);
        const order = marks.map((_, index) => index).sort((a, b) => marks[a].at - marks[b].at);
        const rows = /** @type {number[]} */ ([]);
        for (const index of order) {
            const share = this.#share(marks[index].at);
            const free = last.findIndex((end) => share - end > ROOM);
            rows[index] = free < 0 ? last.length : free;
            last[rows[index]] = share;
        }
        return rows;
    }

    /** A time on a frame, within what is shown. */
    #snapped(/** @type {number} */ seconds) {
        const { from, to } = this.#window;
        const inside = Math.max(from, Math.min(to, seconds));
        const step = this.#times.frameDuration;
        return step ? Math.round(inside / step) * step : inside;
    }

    /** @type {(mark: Mark, at: number) => Promise<void>} */
    async #save(mark, at) {
        const segment = this.#name;
        const failure = await this.editor.edit(
            () => [setTime(at, "segments", segment, ...mark.place)], `${mark.name} of ${segment} was moved.`);
        if (failure) this.#fail(failure);
    }

    /** Plays a part of the clip, whose ends are dragged then, or all of it again. */
    async #turnPart() {
        const { range, duration, frameDuration = SECONDS } = this.#times;
        const path = ["segments", this.#name, "range"];
        // The last frame that ends within the clip.
        const last = setTime(Math.max(frameDuration, duration - frameDuration / 2), ...path, 1);
        const failure = await this.editor.edit(
            () => (range ? [remove(...path)] : [set(["0", "0"], ...path), last]),
            range ? "The whole clip is played." : "Drag the start and the end on the frames.");
        if (failure) this.#fail(failure);
    }

    /** What was dragged goes back to where it is in the file. */
    #fail(/** @type {string} */ message) {
        this.#shown = "";
        this.show(this.#story, this.#name);
        this.say(message);
    }
}
