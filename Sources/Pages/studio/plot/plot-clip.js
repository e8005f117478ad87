// The lanes below the curve: the used part of the clip, on the curve's axis, and under it the whole
// clip with the in and out handles. If only a part is used, lines show how it is enlarged.

import { html, place, pointIn, setAll, setShown, svg } from "../../shared/elements/plot-dom.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { boundsIn, drawFrames, drawWaveform, frameAt, prepared } from "./plot-lanes.js";
import { sourceAt } from "../../shared/playing/plot-map.js";
import { RangeHandles } from "./plot-range.js";
import { imageAt, levelFor, Tiles } from "./plot-tiles.js";

/** Heights in em. */
const PICTURES = 3.8;
const WAVEFORM = 2.6;
const PLAIN = 1.6;
const TRIM = 2.4;

/** The lanes of one plot. */
export class ClipLanes {
    #lane = html("canvas", "plot-lane-canvas", { "aria-hidden": "true" });
    #trim = html("canvas", "plot-trim-canvas", { "aria-hidden": "true" });
    #laneBox = html("div", "plot-lane", {}, this.#lane);
    #window = html("div", "plot-window");
    #trimHead = html("div", "plot-trim-head", { hidden: "" });
    #zoom = svg("svg", { class: "plot-zoom", "aria-hidden": "true" }, svg("path"));
    #image = null;
    #loaded = null;
    #drawn = { lane: [], trim: [] };
    #colour = "";
    #state = null;
    #strips = new Tiles(() => this.#showTiles());
    #waveforms = new Tiles(() => this.#showTiles());
    /** The number of tiles that have arrived. */
    #arrived = 0;

    /** @param {{ onSeek: Function, onRange: Function }} actions in seconds of the clip */
    constructor({ onSeek, onRange }) {
        this.range = new RangeHandles({
            onRange,
            onChange: (range) => this.#showRange(range),
        });
        this.trimBox = html("div", "plot-trim", {}, this.#trim,
            html("div", "plot-shade", {}, this.#window), this.#trimHead, this.range.element);
        this.elements = [this.#laneBox, this.#zoom, this.trimBox];
        const seek = (timeAt, element) => onDrag(element, {
            atOnce: true,
            begin: () => (this.#state ? { last: null } : null),
            move: (drag, event) => {
                const { width } = element.getBoundingClientRect();
                const share = Math.max(0, Math.min(1, pointIn(element, event).x / width));
                drag.last = timeAt(share);
                onSeek(drag.last, { final: false });
            },
            end: ({ last }) => onSeek(last, { final: true }),
            cancel: ({ last }) => onSeek(last, { final: true }),
        });
        seek((share) => this.#laneTime(share), this.#lane);
        seek((share) => share * this.#state.clip.duration, this.#trim);
    }

    /** The lane whose axis is that of the curve. */
    get lane() {
        return this.#lane;
    }

    /**
     * @param {{ clip: object | null, strip: object | null, waveform: object | null,
     *     evaluation: object | null }} state
     * @param {import("./plot-geometry.js").Axes} axes
     * @param {import("./plot-layout.js").Layout} layout
     */
    show(state, axes, layout) {
        const { clip, strip, waveform } = state;
        for (const element of this.elements) setShown(element, clip !== null);
        this.#state = clip ? { ...state, axes, layout } : null;
        if (!clip) return;
        this.#load(strip);
        const map = axes.over === "output" ? state.evaluation?.map : null;
        const { sourceStart = 0, sourceDuration = clip.duration } = state.evaluation ?? {};
        const common = [this.#loaded, waveform, !strip, clip.duration, layout.box.width, layout.em,
            window.devicePixelRatio, this.#colour];
        const lane = [map, sourceStart, sourceDuration, axes.from, axes.to, state.tiles?.key, this.#arrived];
        if (this.#hasChanged("lane", [...common, ...lane])) {
            const upper = strip ? PICTURES : 0;
            const lower = waveform ? WAVEFORM : upper > 0 ? 0 : PLAIN;
            const levels = this.#wantTiles(upper * layout.em);
            this.#paint(this.#lane, upper, lower, (share) => this.#laneTime(share), levels);
            this.#showPart();
        }
        if (this.#hasChanged("trim", common)) {
            // No waveform under frames this small; the lane above shows it.
            const heights = strip ? [TRIM, 0] : [0, TRIM];
            this.#paint(this.#trim, ...heights, (share) => share * clip.duration, { strip: 0, waveform: 0 });
        }
        this.range.show(clip, layout.box.width);
    }

    /** The playing position in the whole clip; null hides it. */
    moveHead(source) {
        const state = this.#state;
        setShown(this.#trimHead, state !== null && source !== null);
        if (!state || source === null) return;
        const share = Math.max(0, Math.min(1, source / state.clip.duration));
        place(this.#trimHead, share * state.layout.box.width, 0);
    }

    /** Reads the colours again after a change between light and dark mode. */
    recolour() {
        this.#colour = getComputedStyle(this.#laneBox).color;
    }

    #hasChanged(name, key) {
        const isSame = key.every((each, i) => each === this.#drawn[name][i]);
        this.#drawn[name] = key;
        return !isSame;
    }

    #load(strip) {
        if (strip?.url === this.#image?.dataset.url) return;
        this.#loaded = null;
        this.#image = null;
        if (!strip) return;
        const image = new Image();
        image.dataset.url = strip.url;
        this.#image = image;
        image.addEventListener("load", () => {
            if (this.#image !== image) return;
            this.#loaded = image;
            if (this.#state) this.show(this.#state, this.#state.axes, this.#state.layout);
        });
        image.src = strip.url;
    }

    /** The clip's time at a share of the lane's width. */
    #laneTime(share) {
        const { clip, evaluation, axes } = this.#state;
        if (!evaluation) return share * clip.duration;
        const seconds = axes.from + share * (axes.to - axes.from);
        const inRange = axes.over === "output" ? sourceAt(evaluation.map, seconds) : seconds;
        return evaluation.sourceStart + Math.min(inRange, evaluation.sourceDuration);
    }

    #showTiles() {
        this.#arrived += 1;
        if (this.#state) this.show(this.#state, this.#state.axes, this.#state.layout);
    }

    /**
     * Fetches the tiles that the lane needs for one frame every `height` pixels or so, and a column for each pixel.
     *
     * @returns the levels of the tiles
     */
    #wantTiles(height) {
        const { strip, waveform, clip, tiles, layout: { box } } = this.#state;
        const { duration, frameRate } = clip;
        const ends = [this.#laneTime(0), this.#laneTime(1)].sort((a, b) => a - b);
        const perPixel = (ends[1] - ends[0]) / box.width;
        const isZoomed = tiles !== null && ends[1] - ends[0] < 0.9 * duration && perPixel > 0;
        this.#strips.use(isZoomed && strip ? tiles.key : null, (level, tile) =>
            imageAt(tiles.strip(level, tile)), duration);
        this.#waveforms.use(isZoomed && waveform ? tiles.key : null, (level, tile) =>
            tiles.waveform(level, tile), duration);
        if (!isZoomed) return { strip: 0, waveform: 0 };
        const wide = strip ? (strip.width / strip.height) * height * perPixel : 0;
        const levels = {
            // No finer than a frame.
            strip: strip ? levelFor(duration, strip.count, Math.max(wide, 0.9 / (frameRate ?? 30))) : 0,
            waveform: waveform ? levelFor(duration, waveform.minimum.length, perPixel) : 0,
        };
        this.#strips.want(levels.strip, ...ends);
        this.#waveforms.want(levels.waveform, ...ends);
        return levels;
    }

    /** Where the frame of a time is in an image. */
    #pictureAt(time, level) {
        const { strip, clip: { duration } } = this.#state;
        const { width, height, count } = strip;
        const tile = this.#strips.at(time, level);
        const place = tile
            ? frameAt(count, time - tile.start, tile.end - tile.start) : frameAt(count, time, duration);
        return { image: tile?.value ?? this.#loaded, x: place * width, width, height };
    }

    /** The smallest and largest sample between two times. */
    #boundsOf(from, to, level) {
        const { waveform, clip: { duration } } = this.#state;
        const tile = this.#waveforms.at((from + to) / 2, level);
        return tile ? boundsIn(tile.value, tile.start, tile.end, from, to)
            : boundsIn(waveform, 0, duration, from, to);
    }

    /** Draws frames above and sound below, with heights in em. */
    #paint(canvas, upper, lower, timeAt, levels) {
        const { strip, waveform, clip: { frameRate }, layout: { em, box: { width } } } = this.#state;
        const height = (upper + lower) * em;
        canvas.style.height = `${height}px`;
        const context = prepared(canvas, width, height);
        context.fillStyle = this.#colour;
        if (upper > 0 && this.#loaded) {
            const rate = strip && levels.strip > 0 ? frameRate : null;
            drawFrames(context, (time) => this.#pictureAt(time, levels.strip),
                { y: 0, width, height: upper * em }, timeAt, rate);
        }
        if (lower > 0 && waveform) {
            const room = { y: upper * em, width, height: lower * em };
            drawWaveform(context, (from, to) => this.#boundsOf(from, to, levels.waveform), room, timeAt);
        }
    }

    #showRange({ start, end }) {
        const { clip, layout: { box } } = this.#state;
        const [left, right] = [start, end].map((time) => (time / clip.duration) * box.width);
        this.#window.style.transform = `translateX(${left.toFixed(2)}px)`;
        this.#window.style.width = `${(right - left).toFixed(2)}px`;
        this.#showPart();
    }

    /** Shows of which part of the clip the lane is an enlargement. */
    #showPart() {
        const { clip, layout: { box, em } } = this.#state;
        const [left, right] = [this.#laneTime(0), this.#laneTime(1)].sort((a, b) => a - b)
            .map((time) => (time / clip.duration) * box.width);
        const isPart = right - left < box.width - 1;
        const height = 0.9 * em;
        setAll(this.#zoom, { viewBox: `0 0 ${box.width} ${height}`, width: box.width, height });
        setAll(this.#zoom.firstChild, {
            d: isPart ? `M0 0H${box.width}L${right} ${height}H${left}Z` : "",
        });
    }
}
