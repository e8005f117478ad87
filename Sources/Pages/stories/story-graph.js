// The graph of a story: the image that `story check --graph` draws, with a button over each segment that shows a frame of
// it. A choice is dragged from the dot at a segment's side to another segment; clips are dropped to become segments.

import { urls } from "../shared/api.js";
import { byId } from "../shared/elements/dom.js";
import { onDrag } from "../shared/elements/plot-drag.js";
import { draw, view } from "../shared/elements/view.js";
import { CLIP } from "./clip-list.js";
import { partOf } from "./story-times.js";

/**
 * @typedef {import("../shared/server").Story} Story
 * @typedef {import("../shared/elements/view.js").View} View
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {Box & { name: string }} Named
 * @typedef {{ width: number, height: number, pictureHeight: number, version: string, boxes: Named[] }} Graph
 * @typedef {{ from: string, x: number, y: number, to: string | null, endX: number, endY: number }} Link
 */

/** A wide graph is made smaller to fit, but not so much that its words can't be read; it scrolls instead. */
const SMALLEST = 0.7;

export class StoryGraph {
    /** @type {Story | null} */
    #story = null;
    /** @type {string | null} the segment that was chosen */
    #chosen = null;
    /** @type {string | null} the segment that plays */
    #playing = null;

    /** @type {Link | null} the choice that is being dragged, in pixels of the sheet */
    #link = null;

    /**
     * @param {{
     *     onChoose: (name: string | null) => void,
     *     onLink: (from: string, to: string) => void,
     *     onClip: (file: string, from: string | null) => void,
     * }} acts `onChoose`: a segment was pressed, or the ground; `onLink`: a choice was dragged; `onClip`: a clip was dropped,
     *     perhaps on a segment
     */
    constructor(acts) {
        this.host = byId("graph");
        this.acts = acts;
        new ResizeObserver(() => this.#draw()).observe(this.host);
        this.host.addEventListener("click", ({ target }) => {
            if (target instanceof Element && !target.closest(".graph-segment, .graph-port")) acts.onChoose(null);
        });
        onDrag(this.host, {
            begin: (event) => this.#begin(event), move: (link, event) => this.#move(link, event),
            end: (link, hasMoved) => this.#end(hasMoved ? link : null), cancel: () => this.#end(null),
        });
        this.#acceptClips();
    }

    #acceptClips() {
        const { host } = this;
        host.addEventListener("dragover", (event) => {
            if (!event.dataTransfer?.types.includes(CLIP)) return;
            event.preventDefault();
            event.dataTransfer.dropEffect = "copy";
            this.#target(nameAt(event));
        });
        host.addEventListener("dragleave", () => this.#target(null));
        host.addEventListener("drop", (event) => {
            const file = event.dataTransfer?.getData(CLIP);
            this.#target(null);
            if (!file) return;
            event.preventDefault();
            this.acts.onClip(file, nameAt(event));
        });
    }

    /** Shows on which segment something would be dropped. */
    #target(/** @type {string | null} */ name) {
        for (const each of /** @type {NodeListOf<HTMLElement>} */ (this.host.querySelectorAll(".graph-segment"))) {
            each.classList.toggle("is-target", each.dataset.name === name);
        }
    }

    // Dragging a choice

    /** @type {(event: PointerEvent) => Link | null} */
    #begin(event) {
        const from = event.target instanceof HTMLElement ? event.target.dataset.from : undefined;
        if (from === undefined) return null;
        const { x, y } = this.#placeOf(event);
        return { from, x, y, to: null, endX: x, endY: y };
    }

    /** @type {(event: PointerEvent) => { x: number, y: number }} a place on the sheet */
    #placeOf({ clientX, clientY }) {
        const box = this.host.firstElementChild?.getBoundingClientRect() ?? { left: 0, top: 0 };
        return { x: clientX - box.left, y: clientY - box.top };
    }

    #move(/** @type {Link} */ link, /** @type {PointerEvent} */ event) {
        const { x, y } = this.#placeOf(event);
        this.#link = Object.assign(link, { to: nameAt(event), endX: x, endY: y });
        this.#target(link.to);
        this.#draw();
    }

    #end(/** @type {Link | null} */ link) {
        this.#link = null;
        this.#target(null);
        this.#draw();
        if (link?.to) this.acts.onLink(link.from, link.to);
    }

    show(/** @type {Story | null} */ story) {
        this.#story = story;
        this.#draw();
    }

    /** Marks the segment that was chosen, and the one that plays. */
    mark(/** @type {string | null} */ chosen, /** @type {string | null} */ playing) {
        [this.#chosen, this.#playing] = [chosen, playing];
        this.#draw();
    }

    #draw() {
        const story = this.#story;
        if (!story?.graph) {
            draw(this.host, view("p", { class: "hint" }, story
                ? "The file can't be read as a story yet. Its first problem is on the right."
                : "Choose a story to see its graph."));
            return;
        }
        const { width, height, boxes, version } = /** @type {Graph} */ (story.graph);
        const scale = Math.min(1, Math.max(SMALLEST, this.host.clientWidth / width));
        draw(this.host, view("div", { class: "graph-sheet", style: placed({ x: 0, y: 0, width, height }, scale) },
            view("img", { class: "graph-drawing", src: `${urls.storyGraph(story.id)}?v=${version}`, alt: "" }),
            ...boxes.flatMap((box) => [this.#button(box, story, scale), portOf(box, story, scale)]),
            this.#link && lineOf(this.#link)));
    }

    /** @type {(box: Graph["boxes"][0], story: Story, scale: number) => import("../shared/elements/view.js").View} */
    #button({ name, ...box }, story, scale) {
        const { segments, findings, graph } = story;
        const height = scale * (graph?.pictureHeight ?? 0);
        const segment = segments.find((each) => each.name === name);
        const count = findings.filter((each) => each.segment === name).length;
        const words = [name, segment?.role ?? "missing", count > 0
            ? `${count} finding${count === 1 ? "" : "s"}` : null];
        return view("button", {
            key: name, type: "button", class: "graph-segment", "aria-pressed": String(name === this.#chosen),
            "data-name": name, "data-playing": name === this.#playing, "data-found": count > 0 ? String(count) : null,
            "aria-label": words.filter(Boolean).join(", "), title: segment ? `Go to ${name}` : `${name} is missing`,
            style: placed(box, scale), onclick: () => this.acts.onChoose(name),
        }, height > 0 && segment?.times && pictureOf(story, segment, height));
    }

    /** Scrolls the graph, and not the page, to a segment. */
    reveal(/** @type {string | null | undefined} */ name) {
        const button = this.host.querySelector(`[data-name="${CSS.escape(name ?? "")}"]`);
        if (!button) return;
        const { host } = this;
        const [box, frame] = [button, host].map((each) => each.getBoundingClientRect());
        if (box.left < frame.left || box.right > frame.right) {
            host.scrollLeft += box.left - frame.left - (frame.width - box.width) / 2;
        }
        if (box.top < frame.top || box.bottom > frame.bottom) {
            host.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
        }
    }
}

/** @type {(event: MouseEvent) => string | null} the segment under the pointer */
const nameAt = ({ clientX, clientY }) => document.elementsFromPoint(clientX, clientY)
    .map((each) => each.closest(".graph-segment")).find(Boolean)?.getAttribute("data-name") ?? null;

/**
 * Where a choice is dragged from; by keys it is added beside the graph.
 * @type {(box: Named, story: Story, scale: number) => View | false}
 */
const portOf = ({ name, x, y, width, height }, { segments }, scale) => segments.some((each) => each.name === name)
    && view("span", {
        key: `${name} port`, class: "graph-port", "data-from": name, "aria-hidden": "true",
        title: "Drag to a segment: a choice will lead there",
        style: `left: ${scale * (x + width)}px; top: ${scale * (y + height / 2)}px`,
    });

/** @type {(link: Link) => View} */
function lineOf({ x, y, endX, endY }) {
    const bend = Math.max(40, Math.abs(endX - x) / 2);
    return view("svg", { key: "line", class: "graph-line", "aria-hidden": "true" },
        view("path", { d: `M${x} ${y}C${x + bend} ${y} ${endX - bend} ${endY} ${endX} ${endY}` }));
}

/**
 * A frame from the middle of what a segment plays.
 * @type {(story: Story, segment: Story["segments"][0], height: number) => View}
 */
function pictureOf({ id }, { name, media, times }, height) {
    const [from, to] = partOf(times);
    return view("img", {
        // Another clip is another picture.
        key: media, src: urls.storyStrip(id, name, from, to, 1), alt: "", draggable: "false",
        style: `height: ${height}px`,
    });
}

const placed = (/** @type {Box} */ { x, y, width, height }, /** @type {number} */ scale) =>
    `left: ${scale * x}px; top: ${scale * y}px; width: ${scale * width}px; height: ${scale * height}px`;
