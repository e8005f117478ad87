// Two waveforms, one below the other, that belong together at the anchors; and beneath them the drift of the clocks.
//
//   reference   ▁▃█▅▂▁▂▅█▃▁
//                 ●      ●        anchors
//   recording   ▁▃█▅▂▁▂▅█▃▁      drawn where it is heard in the output
//   drift       ········⋰⋰        windows of sound that matched, and the line through the anchors

import { drawMatch, laneAt } from "./match-drawing.js";
import { outputAt, sourceAt, withAnchor } from "./match-line.js";
import { pointIn } from "../../shared/elements/plot-dom.js";
import { make } from "../../shared/elements/view.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { prepared } from "../plot/plot-lanes.js";
import { onPinch, onWheel, ScrollBar } from "../plot/plot-scroll.js";
import { Tiles } from "../plot/plot-tiles.js";
import { fitted, scrolled, shortest, zoomed } from "../plot/plot-window.js";

/** So near to an anchor's line a press takes hold of it, in pixels. */
const NEAR = 7;
/** Seconds that an arrow key moves the selected anchor by, and with Shift. */
const NUDGE = 0.001, NUDGE_FAR = 0.01;
const ZOOM = 2;
/** @type {Record<"by" | "step" | "zoom", Record<string, number>>} what keys do */
const KEYS = {
    by: { ArrowLeft: -1, ArrowRight: 1 }, step: { ArrowUp: -1, ArrowDown: 1 },
    zoom: { "+": ZOOM, "=": ZOOM, "-": 1 / ZOOM },
};
/** Of a lane without a clip there are no tiles. */
const NO_LANE = { key: null, load: async () => null, duration: 1 };

/**
 * @typedef {import("./types").Anchor} Anchor
 * @typedef {import("./types").How} How
 * @typedef {import("./types").LaneName} LaneName
 * @typedef {import("./types").Match} Match
 * @typedef {import("./types").Part} Part
 * @typedef {{ lane: LaneName, index: number | null, x: number, last: number, anchors: Anchor[] }} Press `x`: where it
 *     began; `last`: where the pointer was last; `index`: of the anchor that it is on
 */

export class MatchView {
    /** @type {Match | null} */
    #match = null;
    /** @type {Part | null} */
    #part = null;
    /** @type {import("./types").Pending | null} */
    #pending = null;
    /** @type {number | null} */
    #selected = null;
    /** @type {import("./types").LaneTiles} */
    #tiles = { reference: new Tiles(() => this.#drawSoon()), recording: new Tiles(() => this.#drawSoon()) };
    #isWaiting = false;

    /**
     * @param {HTMLElement} host
     * @param {{ onAnchors: (anchors: Anchor[], how: How) => void, onSay: (text: string) => void }} acts
     */
    constructor(host, acts) {
        this.acts = acts;
        this.canvas = make("canvas", { class: "match-canvas", tabindex: 0, role: "application" });
        this.bar = new ScrollBar(host.id, (by) => this.#setPart(scrolled(this.#part, by, this.#length)));
        this.bar.element.setAttribute("aria-label", "Part of the recordings");
        host.append(this.canvas, this.bar.element);
        new ResizeObserver(() => this.#draw()).observe(this.canvas);
        onWheel(this.canvas, {
            zoom: (factor, x) => this.#zoom(factor, this.#timeAt(x)),
            scroll: (pixels) => this.#scroll(pixels),
        });
        onPinch(this.canvas, ({ factor, x, by }) => {
            this.#zoom(factor, this.#timeAt(x));
            this.#scroll(-by);
        });
        this.canvas.addEventListener("keydown", (event) => this.#onKey(event));
        this.#listenToPointer();
    }

    /** @param {Match | null} match null shows nothing */
    show(match) {
        const isOther = match?.recording.key !== this.#match?.recording.key
            || match?.reference?.key !== this.#match?.reference?.key;
        this.#match = match;
        if (isOther) this.#part = this.#pending = this.#selected = null;
        if (!match) return;
        if (this.#selected !== null && this.#selected >= match.anchors.length) this.#selected = null;
        for (const lane of /** @type {const} */ (["reference", "recording"])) {
            const { key, load, duration } = match[lane] ?? NO_LANE;
            this.#tiles[lane].use(key, load, duration);
        }
        const { reference, recording, anchors } = match;
        this.canvas.setAttribute("aria-label", `${recording.name} beside ${reference?.name ?? "nothing"}, with `
            + `${anchors.length} ${anchors.length === 1 ? "anchor" : "anchors"}. Up and Down select an anchor, Left `
            + "and Right move its instant by a millisecond, Delete removes it, plus and minus zoom.");
        this.#draw();
    }

    select(/** @type {number | null} */ index) {
        this.#selected = index;
        this.#draw();
    }

    // Time and place

    /** How long the axis is: the longer of the two. */
    get #length() {
        if (!this.#match) return 0;
        const { reference, recording, anchors } = this.#match;
        return Math.max(reference?.duration ?? 0, outputAt(anchors, recording.duration));
    }

    get #window() {
        return this.#part ?? { from: 0, to: this.#length };
    }

    get #size() {
        return { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
    }

    #timeAt(/** @type {number} */ x) {
        const { from, to } = this.#window;
        return from + (x / this.#size.width) * (to - from);
    }

    #placeOf(/** @type {number} */ output) {
        const { from, to } = this.#window;
        return ((output - from) / (to - from)) * this.#size.width;
    }

    #setPart(/** @type {Part | null} */ part) {
        this.#part = part;
        this.#draw();
    }

    /** @type {(factor: number, at: number) => void} */
    #zoom(factor, at) {
        if (!this.#match) return;
        const axis = { at, length: this.#length, least: shortest(this.#length, 0) };
        this.#setPart(zoomed(this.#part, factor, axis));
    }

    /** @type {(pixels: number) => boolean} returns whether there was anything to scroll */
    #scroll(pixels) {
        if (!this.#part) return false;
        const { from, to } = this.#part;
        this.#setPart(scrolled(this.#part, (pixels / this.#size.width) * (to - from), this.#length));
        return true;
    }

    // Editing

    /** @type {(x: number, anchors: Anchor[]) => number | null} */
    #anchorAt(x, anchors) {
        const distances = anchors.map(([, output]) => Math.abs(this.#placeOf(output) - x));
        const nearest = Math.min(...distances);
        return nearest <= NEAR ? distances.indexOf(nearest) : null;
    }

    #listenToPointer() {
        onDrag(this.canvas, {
            begin: (event) => {
                if (!this.#match) return null;
                const { anchors } = this.#match;
                const { x, y } = pointIn(this.canvas, event);
                const lane = laneAt(y / this.#size.height), index = this.#anchorAt(x, anchors);
                if (!lane) return null;
                if (index !== null) this.select(index);
                return { lane, index, x, last: x, anchors };
            },
            move: (drag, event) => {
                const { x } = pointIn(this.canvas, event);
                if (drag.index === null) {
                    this.#scroll(drag.x - x);
                    drag.x = x;
                } else {
                    drag.last = x;
                    this.#dragTo(drag, drag.index, false);
                }
            },
            end: (drag, hasMoved) => {
                if (!hasMoved) this.#onPress(drag);
                else if (drag.index !== null) this.#dragTo(drag, drag.index, true);
            },
            cancel: (drag, hasMoved) => {
                if (hasMoved && drag.index !== null) this.acts.onAnchors(drag.anchors, { final: true });
            },
        });
    }

    /**
     * In the reference an anchor is moved to another output time, in the recording to another instant of it.
     * @type {(press: Press, index: number, final: boolean) => void}
     */
    #dragTo({ lane, anchors, x, last }, index, final) {
        const [source, output] = anchors[index];
        const { from, to } = this.#window;
        const by = ((last - x) / this.#size.width) * (to - from);
        const [at, heard] = lane === "reference" ? [source, output + by]
            : [sourceAt(anchors, output + by), output];
        this.#put([at, heard], index, anchors, { gesture: "anchor", final });
    }

    /** @type {(anchor: Anchor, index: number | null, anchors: Anchor[], how: How) => void} */
    #put([source, output], index, anchors, how) {
        const rounded = (/** @type {number} */ seconds) => Number(seconds.toFixed(6));
        const put = withAnchor(anchors, [rounded(source), rounded(output)], index);
        if (!put) {
            this.acts.onSay("There the times of the anchors would not rise.");
            return;
        }
        this.#selected = put.index;
        this.acts.onAnchors(put.anchors, how);
    }

    /** A press in one lane and then in the other sets an anchor. */
    #onPress(/** @type {Press} */ { lane, index, x }) {
        if (index !== null || !this.#match) return;
        const output = this.#timeAt(x);
        const { anchors } = this.#match;
        const time = lane === "reference" ? output : sourceAt(anchors, output);
        if (!this.#pending || this.#pending.lane === lane) {
            this.#pending = { lane, time };
            this.acts.onSay(`Now press the same instant in the ${lane === "reference" ? "lower" : "upper"} waveform.`);
            this.#draw();
            return;
        }
        const [source, heard] = lane === "reference" ? [this.#pending.time, time] : [time, this.#pending.time];
        this.#pending = null;
        this.acts.onSay("");
        this.#put([source, heard], null, anchors, { final: true });
    }

    #onKey(/** @type {KeyboardEvent} */ event) {
        if (!this.#match || event.ctrlKey || event.metaKey || event.altKey) return;
        const { anchors } = this.#match;
        const by = KEYS.by[event.key], step = KEYS.step[event.key], zoom = KEYS.zoom[event.key];
        const { from, to } = this.#window;
        if (step && anchors.length > 0) {
            const next = (this.#selected ?? (step > 0 ? -1 : anchors.length)) + step;
            const index = Math.max(0, Math.min(anchors.length - 1, next));
            this.select(index);
            this.#part = this.#part && fitted(centred(this.#part, anchors[index][1]), this.#length);
            this.acts.onSay(spoken(anchors[index], index));
        } else if (by && this.#selected !== null) {
            const [source, output] = anchors[this.#selected];
            const moved = source + by * (event.shiftKey ? NUDGE_FAR : NUDGE);
            this.#put([moved, output], this.#selected, anchors, { gesture: "anchor", final: true });
        } else if (event.key === "Delete" && this.#selected !== null) {
            this.acts.onAnchors(anchors.toSpliced(this.#selected, 1), { final: true });
        } else if (zoom) {
            this.#zoom(zoom, this.#selected === null ? (from + to) / 2 : anchors[this.#selected][1]);
        } else if (event.key === "0") {
            this.#setPart(null);
        } else if (event.key === "Escape" && this.#pending) {
            this.#pending = null;
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
        this.#draw();
    }


    // Drawing

    #drawSoon() {
        if (this.#isWaiting) return;
        this.#isWaiting = true;
        requestAnimationFrame(() => {
            this.#isWaiting = false;
            this.#draw();
        });
    }

    #draw() {
        const { width, height } = this.#size;
        if (!this.#match || width === 0) return;
        this.bar.show(this.#part, this.#length, width);
        drawMatch(prepared(this.canvas, width, height), {
            match: this.#match, window: this.#window, tiles: this.#tiles, size: { width, height },
            selected: this.#selected, pending: this.#pending, colours: getComputedStyle(this.canvas),
        });
    }
}

/** @type {(anchor: Anchor, index: number) => string} */
const spoken = ([source, output], index) =>
    `Anchor ${index + 1}: ${source.toFixed(3)} s of the recording at ${output.toFixed(3)} s.`;

/** @type {(part: Part, at: number) => Part} */
const centred = ({ from, to }, at) => ({ from: at - (to - from) / 2, to: at + (to - from) / 2 });
