// The graph of a story: the image that `story check --graph` draws, with a button over each segment.

import { urls } from "../shared/api.js";
import { byId, make } from "../shared/elements/dom.js";

/**
 * @typedef {import("../shared/server").Story} Story
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ width: number, height: number, version: string, boxes: (Box & { name: string })[] }} Graph
 */

/** A wide graph is made smaller to fit, but not so much that its words can't be read; it scrolls instead. */
const SMALLEST = 0.7;

export class StoryGraph {
    /** @type {Map<string, HTMLElement>} */
    #buttons = new Map();
    #shown = "";
    #fit = () => {};

    /** @param {(name: string) => void} onChoose called with the name of a segment */
    constructor(onChoose) {
        this.host = byId("graph");
        this.onChoose = onChoose;
        new ResizeObserver(() => this.#fit()).observe(this.host);
    }

    show(/** @type {Story | null} */ story) {
        const key = story ? `${story.id} ${story.graph?.version}` : "";
        if (key === this.#shown) return;
        this.#shown = key;
        this.#buttons.clear();
        this.#fit = () => {};
        if (!story?.graph) {
            this.host.replaceChildren(make("p", { class: "hint" }, story
                ? "The file can't be read as a story yet. Its first problem is on the right."
                : "Choose a story to see its graph."));
            return;
        }
        const { width, height, boxes, version } = /** @type {Graph} */ (story.graph);
        const buttons = boxes.map((box) => this.#button(box.name, story));
        const sheet = make("div", { class: "graph-sheet" },
            make("img", { src: `${urls.storyGraph(story.id)}?v=${version}`, alt: "" }), ...buttons);
        this.host.replaceChildren(sheet);
        this.#fit = () => {
            const scale = Math.min(1, Math.max(SMALLEST, this.host.clientWidth / width));
            place(sheet, { x: 0, y: 0, width, height }, scale);
            boxes.forEach((box, index) => place(buttons[index], box, scale));
        };
        this.#fit();
    }

    /** @type {(name: string, story: Story) => HTMLElement} */
    #button(name, { segments, findings }) {
        const segment = segments.find((each) => each.name === name);
        const count = findings.filter((each) => each.segment === name).length;
        const words = [name, segment?.role ?? "missing", count > 0
            ? `${count} finding${count === 1 ? "" : "s"}` : null];
        const button = make("button", {
            type: "button", class: "graph-segment", "aria-pressed": "false",
            "aria-label": words.filter(Boolean).join(", "), onclick: () => this.onChoose(name),
        });
        button.title = segment ? `Go to ${name}` : `${name} is missing`;
        this.#buttons.set(name, button);
        return button;
    }

    /** Marks the segment that was chosen, and the one that plays. */
    mark(/** @type {string | null} */ chosen, /** @type {string | null} */ playing) {
        for (const [name, button] of this.#buttons) {
            button.setAttribute("aria-pressed", String(name === chosen));
            button.toggleAttribute("data-playing", name === playing);
        }
    }

    /** Scrolls the graph, and not the page, to a segment. */
    reveal(/** @type {string | null | undefined} */ name) {
        const button = this.#buttons.get(name ?? "");
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

/** @type {(element: HTMLElement, box: Box, scale: number) => void} */
function place({ style }, { x, y, width, height }, scale) {
    style.left = `${scale * x}px`;
    style.top = `${scale * y}px`;
    style.width = `${scale * width}px`;
    style.height = `${scale * height}px`;
}
