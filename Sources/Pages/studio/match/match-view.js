// Two waveforms, one below the other, that belong together at the anchors; and beneath them the drift of the clocks.
//
//   reference   ▁▃█▅▂▁▂▅█▃▁
//                 ●      ●        anchors
//   recording   ▁▃█▅▂▁▂▅█▃▁      drawn where it is heard in the output
//   drift       ········⋰⋰        windows of sound that matched, and the line through the anchors

import { drawMatch, laneAt } from "./match-drawing.js";
import { outputAt, sourceAt, withAnchor } from "./match-line.js";
import { html, pointIn } from "../../shared/elements/plot-dom.js";
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

/**
 * @typedef {{ key: string, name: string, duration: number, waveform: object | null,
 *     load: (level: number, tile: number) => Promise<object | null> }} Lane
 * @typedef {{ reference: Lane | null, recording: Lane, anchors: import("./match-line.js").Anchor[],
 *     windows: import("./match-line.js").Anchor[] }} Match
 */

export class MatchView {
    #match = null;
    #part = null;
    /** The first half of an anchor that is being set: the lane, and its time. */
    #pending = null;
    #selected = null;
    #tiles = { reference: new Tiles(() => this.#drawSoon()), recording: new Tiles(() => this.#drawSoon()) };
    #isWaiting = false;

    /**
     * @param {HTMLElement} host
     * @param {{ onAnchors: (anchors: object[], how: object) => void, onSay: (text: string) => void }} acts
     */
    constructor(host, acts) {
        Object.assign(this, { host, acts });
        this.canvas = html("canvas", "match-canvas", { tabindex: 0, role: "application" });
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
        if (isOther) [this.#part, this.#pending, this.#selected] = [null, null, null];
        if (!match) return;
        if (this.#selected >= match.anchors.length) this.#selected = null;
        for (const lane of ["reference", "recording"]) {
            const { key, load, duration } = match[lane] ?? { key: null, load: null, duration: 1 };
            this.#tiles[lane].use(key, load, duration);
        }
        const { reference, recording, anchors } = match;
        this.canvas.setAttribute("aria-label", `${recording.name} beside ${reference?.name ?? "nothing"}, with `
            + `${anchors.length} ${anchors.length === 1 ? "anchor" : "anchors"}. Up and Down select an anchor, Left and `
            + "Right move its instant by a millisecond, Delete removes it, plus and minus zoom.");
        this.#draw();
    }

    select(index) {
        this.#selected = index;
        this.#draw();
    }

    // Time and place

    /** How long the axis is: the longer of the two. */
    get #length() {
        const { reference, recording, anchors } = this.#match;
        return Math.max(reference?.duration ?? 0, outputAt(anchors, recording.duration));
    }

    get #window() {
        return this.#part ?? { from: 0, to: this.#length };
    }

    get #size() {
        return { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
    }

    #timeAt(x) {
        const { from, to } = this.#window;
        return from + (x / this.#size.width) * (to - from);
    }

    #placeOf(output) {
        const { from, to } = this.#window;
        return ((output - from) / (to - from)) * this.#size.width;
    }

    #setPart(part) {
        this.#part = part;
        this.#draw();
    }

    #zoom(factor, at) {
        if (!this.#match) return;
        const axis = { at, length: this.#length, least: shortest(this.#length, 0) };
        this.#setPart(zoomed(this.#part, factor, axis));
    }

    /** @returns whether there was anything to scroll */
    #scroll(pixels) {
        if (!this.#part) return false;
        const { from, to } = this.#part;
        this.#setPart(scrolled(this.#part, (pixels / this.#size.width) * (to - from), this.#length));
        return true;
    }

    // Editing

    #anchorAt(x) {
        const distances = this.#match.anchors.map(([, output]) => Math.abs(this.#placeOf(output) - x));
        const nearest = Math.min(...distances);
        return nearest <= NEAR ? distances.indexOf(nearest) : null;
    }

    #listenToPointer() {
        onDrag(this.canvas, {
            begin: (event) => {
                if (!this.#match) return null;
                const { x, y } = pointIn(this.canvas, event);
                const lane = laneAt(y / this.#size.height), index = this.#anchorAt(x);
                if (!lane) return null;
                if (index !== null) this.select(index);
                return { lane, index, x, anchors: this.#match.anchors };
            },
            move: (drag, event) => {
                const { x } = pointIn(this.canvas, event);
                if (drag.index === null) {
                    this.#scroll(drag.x - x);
                    drag.x = x;
                } else {
                    this.#dragTo(drag, x, false);
                    drag.last = x;
                }
            },
            end: (drag, hasMoved) => {
                if (!hasMoved) this.#onPress(drag);
                else if (drag.index !== null) this.#dragTo(drag, drag.last, true);
            },
            cancel: (drag, hasMoved) => {
                if (hasMoved && drag.index !== null) this.acts.onAnchors(drag.anchors, { final: true });
            },
        });
    }

    /** In the reference an anchor is moved to another output time, in the recording to another instant of it. */
    #dragTo({ lane, index, anchors, x: from }, x, final) {
        const [source, output] = anchors[index];
        const { from: start, to } = this.#window;
        const by = ((x - from) / this.#size.width) * (to - start);
        const anchor = lane === "reference" ? [source, output + by]
            : [sourceAt(anchors, output + by), output];
        this.#put(anchor, index, anchors, { gesture: "anchor", final });
    }

    #put(anchor, index, anchors, how) {
        const rounded = anchor.map((seconds) => Number(seconds.toFixed(6)));
        const put = withAnchor(anchors, rounded, index);
        if (!put) {
            this.acts.onSay("There the times of the anchors would not rise.");
            return;
        }
        this.#selected = put.index;
        this.acts.onAnchors(put.anchors, how);
    }

    /** A press in one lane and then in the other sets an anchor. */
    #onPress({ lane, index, x }) {
        if (index !== null) return;
        const output = this.#timeAt(x);
        const { anchors } = this.#match;
        const time = lane === "reference" ? output : sourceAt(anchors, output);
        if (!this.#pending || this.#pending.lane === lane) {
            this.#pending = { lane, time };
            this.acts.onSay(`Now press the same instant in the ${lane === "reference" ? "lower" : "upper"} waveform.`);
            this.#draw();
            return;
        }
        const pair = lane === "reference" ? [this.#pending.time, time] : [time, this.#pending.time];
        this.#pending = null;
        this.acts.onSay("");
        this.#put(pair, null, anchors, { final: true });
    }

    #onKey(event) {
        if (!this.#match || event.ctrlKey || event.metaKey || event.altKey) return;
        const { anchors } = this.#match;
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        const zoom = { "+": ZOOM, "=": ZOOM, "-": 1 / ZOOM }[event.key];
        const { from, to } = this.#window;
        if (step && anchors.length > 0) {
            const next = (this.#selected ?? (step > 0 ? -1 : anchors.length)) + step;
            this.select(Math.max(0, Math.min(anchors.length - 1, next)));
            this.#part = this.#part && fitted(centred(this.#part, anchors[this.#selected][1]), this.#length);
            this.acts.onSay(this.#spoken());
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

    #spoken() {
        const [source, output] = this.#match.anchors[this.#selected];
        return `Anchor ${this.#selected + 1}: ${source.toFixed(3)} s of the recording at ${output.toFixed(3)} s.`;
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

const centred = ({ from, to }, at) => ({ from: at - (to - from) / 2, to: at + (to - from) / 2 });
