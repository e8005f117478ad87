// The graph of a story: the image that `story check --graph` draws, with a button over each segment.

import { urls } from "../shared/api.js";
import { byId, make } from "../shared/elements/dom.js";

/** A wide graph is made smaller to fit, but not so much that its words can't be read; it scrolls instead. */
const SMALLEST = 0.7;

export class StoryGraph {
    #buttons = new Map();
    #shown = "";
    #fit = () => {};

    /** @param {(name: string) => void} onChoose called with the name of a segment */
    constructor(onChoose) {
        Object.assign(this, { host: byId("graph"), onChoose });
        new ResizeObserver(() => this.#fit()).observe(this.host);
    }

    /** @param {object | null} story */
    show(story) {
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
        const { width, height, boxes, version } = story.graph;
        const sheet = make("div", { class: "graph-sheet" },
            make("img", { src: `${urls.storyGraph(story.id)}?v=${version}`, alt: "" }),
            ...boxes.map((box) => this.#button(box, story)));
        this.host.replaceChildren(sheet);
        this.#fit = () => {
            const scale = Math.min(1, Math.max(SMALLEST, this.host.clientWidth / width));
            place(sheet, { x: 0, y: 0, width, height }, scale);
            for (const box of boxes) place(this.#buttons.get(box.name), box, scale);
        };
        this.#fit();
    }

    #button(box, { segments, findings }) {
        const segment = segments.find(({ name }) => name === box.name);
        const count = findings.filter((each) => each.segment === box.name).length;
        const words = [box.name, segment?.role ?? "missing", count > 0
            ? `${count} finding${count === 1 ? "" : "s"}` : null];
        const button = make("button", {
            type: "button", class: "graph-segment", "aria-pressed": "false",
            "aria-label": words.filter(Boolean).join(", "), onclick: () => this.onChoose(box.name),
        });
        button.title = segment ? `Go to ${box.name}` : `${box.name} is missing`;
        this.#buttons.set(box.name, button);
        return button;
    }

    /** Marks the segment that was chosen, and the one that plays. */
    mark(chosen, playing) {
        for (const [name, button] of this.#buttons) {
            button.setAttribute("aria-pressed", String(name === chosen));
            button.toggleAttribute("data-playing", name === playing);
        }
    }

    /** Scrolls the graph, and not the page, to a segment. */
    reveal(name) {
        const button = this.#buttons.get(name);
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

function place({ style }, { x, y, width, height }, scale) {
    style.left = `${scale * x}px`;
    style.top = `${scale * y}px`;
    style.width = `${scale * width}px`;
    style.height = `${scale * height}px`;
}
