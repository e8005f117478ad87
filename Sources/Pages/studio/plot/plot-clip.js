// The lanes below the curve: the used part of the clip, on the curve's axis, and under it the whole
// clip with the in and out handles. If only a part is used, lines show how it is enlarged.

import { place, pointIn, setAll, setShown, svg } from "../../shared/elements/plot-dom.js";
import { make } from "../../shared/elements/view.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { boundsIn, drawFrames, drawWaveform, frameAt, prepared } from "./plot-lanes.js";
import { sourceAt } from "../../shared/playing/plot-map.js";
import { RangeHandles } from "./plot-range.js";
import { imageAt, levelFor, LONGEST_SOUND, Tiles } from "./plot-tiles.js";

/** Heights in em. */
const PICTURES = 3.8;
const WAVEFORM = 2.6;
const PLAIN = 1.6;
const TRIM = 2.4;
/** Milliseconds of rest before the very frame is fetched that is pointed at. */
const REST = 120;

/**
 * @typedef {import("./types").LaneState} LaneState
 * @typedef {import("./types").TimeAt} TimeAt
 */

/** The lanes of one plot. */
export class ClipLanes {
    #lane = make("canvas", { class: "plot-lane-canvas", "aria-hidden": "true" });
    #trim = make("canvas", { class: "plot-trim-canvas", "aria-hidden": "true" });
    #laneBox = make("div", { class: "plot-lane" }, this.#lane);
    #window = make("div", { class: "plot-window" });
    #trimHead = make("div", { class: "plot-trim-head", hidden: "" });
    #enlarged = svg("path");
    #zoom = svg("svg", { class: "plot-zoom", "aria-hidden": "true" }, this.#enlarged);
    /** @type {HTMLImageElement | null} */
    #image = null;
    /** @type {HTMLImageElement | null} */
    #loaded = null;
    /** @type {{ lane: unknown[], trim: unknown[] }} */
    #drawn = { lane: [], trim: [] };
    #colour = "";
    /** @type {LaneState | null} */
    #state = null;
    /** @type {Tiles<HTMLImageElement>} */
    #strips = new Tiles(() => this.#showTiles());
    /** @type {Tiles<import("./types").Waveform>} */
    #waveforms = new Tiles(() => this.#showTiles());
    /** The number of tiles that have arrived. */
    #arrived = 0;
    #levels = { strip: 0, waveform: 0 };
    /** Strips in which every frame has its own picture. @type {Tiles<HTMLImageElement>} */
    #singles = new Tiles(() => this.onPicture());
    #rest = 0;

    /**
     * @param {{ onSeek: import("./types").Seek,
     *     onRange: (range: import("./types").Range, options: import("./types").Trimmed) => void }} actions in seconds
     *     of the clip
     * @param {() => void} onPicture called when pictureAt may have a nearer picture
     */
    constructor({ onSeek, onRange }, onPicture) {
        this.onPicture = onPicture;
        this.range = new RangeHandles({ onRange, onChange: (range) => this.#showRange(range) });
        this.trimBox = make("div", { class: "plot-trim" }, this.#trim,
            make("div", { class: "plot-shade" }, this.#window), this.#trimHead, this.range.element);
        this.elements = [this.#laneBox, this.#zoom, this.trimBox];
        /** @type {(timeAt: (state: LaneState, share: number) => number, element: HTMLElement) => void} */
        const seek = (timeAt, element) => onDrag(element, {
            atOnce: true,
            begin: () => (this.#state ? { last: 0 } : null),
            move: (drag, event) => {
                if (!this.#state) return;
                const { width } = element.getBoundingClientRect();
                const share = Math.max(0, Math.min(1, pointIn(element, event).x / width));
                drag.last = timeAt(this.#state, share);
                onSeek(drag.last, { final: false });
            },
            end: ({ last }) => onSeek(last, { final: true }),
            cancel: ({ last }) => onSeek(last, { final: true }),
        });
        seek(laneTime, this.#lane);
        seek(({ clip }, share) => share * clip.duration, this.#trim);
    }

    /** The lane whose axis is that of the curve. */
    get lane() {
        return this.#lane;
    }

    /** @type {(given: import("./types").PlotState, axes: LaneState["axes"], layout: LaneState["layout"]) => void} */
    show(given, axes, layout) {
        const { clip, strip, waveform, evaluation } = given;
        for (const element of this.elements) element.toggleAttribute("hidden", clip === null);
        const state = this.#state = clip && { ...given, clip, axes, layout };
        if (!clip || !state) return;
        this.#load(strip);
        const map = axes.over === "output" ? evaluation?.map : null;
        const { sourceStart, sourceDuration } = evaluation ?? { sourceStart: 0, sourceDuration: clip.duration };
        const common = [this.#loaded, waveform, !strip, clip.duration, layout.box.width, layout.em,
            window.devicePixelRatio, this.#colour];
        const lane = [map, sourceStart, sourceDuration, axes.from, axes.to, state.tiles?.key, this.#arrived];
        if (this.#hasChanged("lane", [...common, ...lane])) {
            const upper = strip ? PICTURES : 0;
            const lower = waveform ? WAVEFORM : upper > 0 ? 0 : PLAIN;
            this.#levels = this.#wantTiles(state, upper * layout.em);
            this.#paint(state, this.#lane, upper, lower, (share) => laneTime(state, share), this.#levels);
            this.#showPart(state);
        }
        if (this.#hasChanged("trim", common)) {
            // No waveform under frames this small; the lane above shows it.
            const [upper, lower] = strip ? [TRIM, 0] : [0, TRIM];
            this.#paint(state, this.#trim, upper, lower, (share) => share * clip.duration, { strip: 0, waveform: 0 });
        }
        this.range.show(clip, layout.box.width);
    }

    /** The playing position in the whole clip; null hides it. */
    moveHead(/** @type {number | null} */ source) {
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

    /** @type {(name: "lane" | "trim", key: unknown[]) => boolean} */
    #hasChanged(name, key) {
        const isSame = key.every((each, i) => each === this.#drawn[name][i]);
        this.#drawn[name] = key;
        return !isSame;
    }

    #load(/** @type {import("./types").Strip | null} */ strip) {
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


    #showTiles() {
        this.#arrived += 1;
        if (this.#state) this.show(this.#state, this.#state.axes, this.#state.layout);
    }

    /**
     * Fetches the tiles that the lane needs for one frame every `height` pixels or so, and a column for each pixel.
     * @type {(state: LaneState, height: number) => import("./types").Levels} the levels of the tiles
     */
    #wantTiles(state, height) {
        const { strip, waveform, clip: { duration, frameRate }, tiles, layout: { box } } = state;
        const [from, to] = laneEnds(state);
        const perPixel = (to - from) / box.width;
        const zoomed = to - from < 0.9 * duration && perPixel > 0 ? tiles : null;
        this.#strips.use(strip && zoomed && zoomed.key, async (level, tile) =>
            zoomed && imageAt(zoomed.strip(level, tile)), duration);
        this.#waveforms.use(waveform && zoomed && zoomed.key, async (level, tile) =>
            zoomed && zoomed.waveform(level, tile), duration);
        if (!zoomed) return { strip: 0, waveform: 0 };
        const wide = strip ? (strip.width / strip.height) * height * perPixel : 0;
        const levels = {
            // No finer than a frame.
            strip: strip ? levelFor(duration, strip.count, Math.max(wide, 0.9 / (frameRate ?? 30))) : 0,
            waveform: waveform ? levelFor(duration, waveform.minimum.length, perPixel, LONGEST_SOUND) : 0,
        };
        this.#strips.want(levels.strip, from, to);
        this.#waveforms.want(levels.waveform, from, to);
        return levels;
    }

    /**
     * Draws frames above and sound below, with heights in em.
     * @type {(state: LaneState, canvas: HTMLCanvasElement, upper: number, lower: number, timeAt: TimeAt,
     *     levels: import("./types").Levels) => void}
     */
    #paint({ strip, waveform, clip, layout }, canvas, upper, lower, timeAt, levels) {
        const { em, box: { width } } = layout, { duration, frameRate } = clip;
        const loaded = this.#loaded;
        const height = (upper + lower) * em;
        canvas.style.height = `${height}px`;
        const context = prepared(canvas, width, height);
        context.fillStyle = this.#colour;
        if (upper > 0 && loaded && strip) {
            drawFrames(context, (time) => pictureIn(strip, loaded, this.#strips.at(time, levels.strip), time, duration),
                { y: 0, width, height: upper * em }, timeAt, levels.strip > 0 ? frameRate : null);
        }
        if (lower > 0 && waveform) {
            drawWaveform(context, (from, to) => {
                const tile = this.#waveforms.at((from + to) / 2, levels.waveform)
                    ?? { value: waveform, start: 0, end: duration };
                return boundsIn(tile.value, tile.start, tile.end, from, to);
            }, { y: upper * em, width, height: lower * em }, timeAt);
        }
    }

    /**
     * The picture of the clip at a time: the nearest one that is there; the frame itself is fetched when the times rest.
     * @type {(time: number) => import("./types").Picture | null}
     */
    pictureAt(time) {
        clearTimeout(this.#rest);
        const state = this.#state, loaded = this.#loaded;
        if (!state?.strip || !loaded) return null;
        const { strip, tiles, clip: { duration, frameRate } } = state;
        this.#singles.use(tiles && tiles.key, async (level, tile) => tiles && imageAt(tiles.strip(level, tile)), duration);
        const level = levelFor(duration, strip.count, 0.9 / (frameRate ?? 30));
        this.#rest = setTimeout(() => this.#singles.want(level, time, time), REST);
        const tile = this.#singles.at(time, level) ?? this.#strips.at(time, this.#levels.strip);
        return pictureIn(strip, loaded, tile, time, duration);
    }

    #showRange(/** @type {import("./types").Range} */ { start, end }) {
        if (!this.#state) return;
        const { clip, layout: { box } } = this.#state;
        const [left, right] = [start, end].map((time) => (time / clip.duration) * box.width);
        this.#window.style.transform = `translateX(${left.toFixed(2)}px)`;
        this.#window.style.width = `${(right - left).toFixed(2)}px`;
        this.#showPart(this.#state);
    }

    /** Shows of which part of the clip the lane is an enlargement. */
    #showPart(/** @type {LaneState} */ state) {
        const { clip, layout: { box, em } } = state;
        const [left, right] = laneEnds(state).map((time) => (time / clip.duration) * box.width);
        const isPart = right - left < box.width - 1;
        const height = 0.9 * em;
        setAll(this.#zoom, { viewBox: `0 0 ${box.width} ${height}`, width: box.width, height });
        setAll(this.#enlarged, { d: isPart ? `M0 0H${box.width}L${right} ${height}H${left}Z` : "" });
    }
}

/**
 * @type {(strip: import("./types").Strip, whole: HTMLImageElement,
 *     tile: { value: HTMLImageElement, start: number, end: number } | null, time: number, duration: number) =>
 *     import("./types").Picture}
 */
const pictureIn = (strip, whole, tile, time, duration) => {
    const place = tile ? frameAt(strip.count, time - tile.start, tile.end - tile.start) : frameAt(strip.count, time, duration);
    return { image: tile?.value ?? whole, x: place * strip.width, width: strip.width, height: strip.height };
};

/** @type {(state: LaneState, share: number) => number} the clip's time at a share of the lane's width */
const laneTime = ({ clip, evaluation, axes }, share) => {
    if (!evaluation) return share * clip.duration;
    const seconds = axes.from + share * (axes.to - axes.from);
    const inRange = axes.over === "output" ? sourceAt(evaluation.map, seconds) : seconds;
    return evaluation.sourceStart + Math.min(inRange, evaluation.sourceDuration);
};

/** The clip's times at both ends of the lane, the earlier one first. */
const laneEnds = (/** @type {LaneState} */ state) =>
    [laneTime(state, 0), laneTime(state, 1)].sort((a, b) => a - b);
