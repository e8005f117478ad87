// The graph of a story: the image that `story check --graph` draws, with a button over each segment.

import { urls } from "../shared/api.js";
import { byId } from "../shared/elements/dom.js";
import { draw, view } from "../shared/elements/view.js";

/**
 * @typedef {import("../shared/server").Story} Story
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ width: number, height: number, version: string, boxes: (Box & { name: string })[] }} Graph
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

    /** @param {(name: string) => void} onChoose called with the name of a segment */
    constructor(onChoose) {
        this.host = byId("graph");
        this.onChoose = onChoose;
        new ResizeObserver(() => this.#draw()).observe(this.host);
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
            view("img", { src: `${urls.storyGraph(story.id)}?v=${version}`, alt: "" }),
            ...boxes.map((box) => this.#button(box, story, scale))));
    }

    /** @type {(box: Graph["boxes"][0], story: Story, scale: number) => import("../shared/elements/view.js").View} */
    #button({ name, ...box }, { segments, findings }, scale) {
        const segment = segments.find((each) => each.name === name);
        const count = findings.filter((each) => each.segment === name).length;
        const words = [name, segment?.role ?? "missing", count > 0
            ? `${count} finding${count === 1 ? "" : "s"}` : null];
        return view("button", {
            key: name, type: "button", class: "graph-segment", "aria-pressed": String(name === this.#chosen),
            "data-name": name, "data-playing": name === this.#playing,
            "aria-label": words.filter(Boolean).join(", "), title: segment ? `Go to ${name}` : `${name} is missing`,
            style: placed(box, scale), onclick: () => this.onChoose(name),
        });
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

const placed = (/** @type {Box} */ { x, y, width, height }, /** @type {number} */ scale) =>
    `left: ${scale * x}px; top: ${scale * y}px; width: ${scale * width}px; height: ${scale * height}px`;
