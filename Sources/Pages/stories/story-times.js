// The times of the chosen segment on its frames: events, and the ends of the range, are dragged, or moved by keys. Each
// change is written into the story file at once; nothing else of the file changes.

import { announce } from "../shared/elements/announce.js";
import { api, urls } from "../shared/api.js";
import { byId } from "../shared/elements/dom.js";
import { make } from "../shared/elements/view.js";
import { createNotice } from "../shared/elements/notice.js";
import { onDrag } from "../shared/elements/plot-drag.js";
import { clockText } from "../shared/times.js";

/**
 * @typedef {import("../shared/server").Story} Story
 * @typedef {NonNullable<Story["segments"][0]["times"]>} Times
 * @typedef {{ name: string, place: { edge?: string, event?: number }, at: number, text: string }} Mark
 */

/** The strip shows so much more than the range on both sides, as a share of the range. */
const MORE = 0.25;
/** Keys move a time by so many frames; and by so many seconds where frames aren't at a constant rate. */
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
 * The marks of a segment: what they are called, where they are, and how the server calls them.
 * @param {Times} times
 * @returns {Mark[]}
 */
export function marksOf({ range, rangeText, events }) {
    const edges = range ? ["start", "end"].map((edge, index) => ({
        name: edge === "start" ? "Start" : "End", place: { edge }, at: range[index], text: rangeText?.[index] ?? "",
    })) : [];
    return [...edges, ...events.map((event, index) => ({
        name: event.do, place: { event: index }, at: event.at, text: event.text,
    }))];
}

export class StoryTimes {
    /** @type {Story | null} */
    #story = null;
    /** The chosen segment's name, and what is shown of it. */
    #name = "";
    /** @type {Times} */
    #times = { duration: 0, events: [] };
    #window = { from: 0, to: 0 };
    #shown = "";
    /** @type {{ segment: string, mark: Mark }[]} what was changed, the last change last: to be undone */
    #changes = [];
    #isSaving = false;

    /** @param {(story: Story) => void} onStory called with the story after a change */
    constructor(onStory) {
        this.onStory = onStory;
        this.strip = byId("times-strip");
        this.say = createNotice("error-times");
        byId("times-undo").addEventListener("click", () => this.#undo());
    }

    /**
     * @param {Story | null} story
     * @param {string | null} name of the chosen segment
     */
    show(story, name) {
        if (story?.id !== this.#story?.id) this.#changes = [];
        this.#story = story;
        this.#name = name ?? "";
        const times = story?.segments.find((each) => each.name === name)?.times;
        byId("times-panel").hidden = !times;
        byId("times-undo").hidden = this.#changes.length === 0;
        if (!story || !times) return;
        const key = JSON.stringify([story.id, name, times]);
        if (key === this.#shown) return;
        this.#shown = key;
        byId("times-title").textContent = name;
        byId("times-note").textContent = "Drag a time, or move it by a frame with the arrow keys. "
            + "The story file is changed.";
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
            type: "button", role: "slider", class: `times-mark${mark.place.edge ? " is-edge" : ""}`, "data-mark": index,
            "aria-label": mark.name, "aria-valuemin": 0, "aria-valuemax": this.#times.duration,
            "aria-valuenow": mark.at, "aria-valuetext": clockText(mark.at),
        }, label);
        element.style.setProperty("--row", String(row));
        const put = (/** @type {number} */ at) => {
            element.style.left = `${100 * this.#share(at)}%`;
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
        if (await this.#change(segment, mark, { at })) this.#changes.push({ segment, mark });
        byId("times-undo").hidden = this.#changes.length === 0;
    }

    /** Writes the last changed time as it was written before. */
    async #undo() {
        const last = this.#changes.at(-1);
        if (!last) return;
        const { segment, mark } = last;
        if (await this.#change(segment, mark, { text: mark.text })) this.#changes.pop();
        byId("times-undo").hidden = this.#changes.length === 0;
    }

    /** @type {(segment: string, mark: Mark, time: Partial<Mark>) => Promise<boolean>} whether the time was changed */
    async #change(segment, mark, time) {
        if (this.#isSaving || !this.#story) return false;
        this.#isSaving = true;
        const { id, version } = this.#story;
        const answer = await api.changeStoryTime(id, { segment, ...mark.place, ...time, version });
        this.#isSaving = false;
        if (!answer.ok) {
            this.#fail(answer.error.message);
            return false;
        }
        announce(`${mark.name} of ${segment} was moved.`);
        this.onStory(answer.value);
        return true;
    }

    /** What was dragged goes back to where it is in the file. */
    #fail(/** @type {string} */ message) {
        this.#shown = "";
        this.show(this.#story, this.#name);
        this.say(message);
    }
}
