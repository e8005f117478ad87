// Draws the plot: grid, labels, the line for normal speed, the curve with its area, minimum and maximum.

import { svg, setAll } from "../../shared/elements/plot-dom.js";
import { draw, view } from "../../shared/elements/view.js";
import { areaEnd, curvePoints, extremes, inside, isAcross, linePath, toX, toY } from "./plot-geometry.js";
import { curveLength } from "../../shared/playing/plot-map.js";
import { scaleText, speedText, timeText } from "../../shared/plot-format.js";
import { timeTicks, valueTicks } from "./plot-scales.js";

/**
 * @typedef {import("../../shared/elements/view.js").View} View
 * @typedef {import("./types").Axes} Axes
 * @typedef {import("./types").Box} Box
 * @typedef {import("./types").Evaluation} Evaluation
 * @typedef {import("../keyframes/types").Guides} Guides
 * @typedef {import("./types").Layout} Layout
 */

/** How far to the right the caption and half a label reach, in em. */
const CAPTION = 16;

const NAMES = { scale: "Time scale", speed: "Speed", time: "Output time" };

let drawings = 0;

/** Draws into one SVG element. */
export class Drawing {
    #grid = svg("g", { class: "plot-grid" });
    #backwards = svg("rect", { class: "plot-backwards" });
    #normal = svg("path", { class: "plot-normal" });
    #slower = svg("path", { class: "plot-slower" });
    #faster = svg("path", { class: "plot-faster" });
    #curve = svg("path", { class: "plot-curve" });
    /** What is drawn behind the curve by others. */
    behind = svg("g");
    #marks = svg("g", { class: "plot-marks" });
    #guides = svg("path", { class: "plot-guides" });
    #stalks = svg("path", { class: "plot-stalks" });
    #clips = ["box", "slow", "fast"].map(() => svg("rect"));
    #gridKey = "";

    constructor() {
        drawings += 1;
        const ids = ["box", "slow", "fast"].map((name) => `plot-${name}-${drawings}`);
        const clips = ids.map((id, i) => svg("clipPath", { id }, this.#clips[i]));
        /** @type {(i: number, ...children: SVGElement[]) => SVGElement} */
        const within = (i, ...children) => svg("g", { "clip-path": `url(#${ids[i]})` }, ...children);
        this.element = svg("svg", { class: "plot-drawing", role: "img", focusable: "false" },
            svg("defs", {}, ...clips),
            within(0, this.#backwards), this.#grid, within(0, this.behind),
            within(1, this.#slower), within(2, this.#faster),
            within(0, this.#normal, this.#curve, this.#guides, this.#stalks), this.#marks);
        /** @type {number[][]} the points of the drawn curve, in pixels */
        this.pieces = [];
    }

    /** @type {(evaluation: Evaluation | null, axes: Axes, layout: Layout) => void} */
    draw(evaluation, axes, layout) {
        this.#drawGrid(axes, layout);
        const { box } = layout;
        this.pieces = evaluation ? curvePoints(evaluation, axes, box) : [];
        const lines = this.pieces.map(linePath);
        setAll(this.#curve, { d: lines.join("") });
        this.#drawArea(evaluation, axes, box, lines);
        this.#drawMarks(evaluation, axes, layout);
        setAll(this.element, { "aria-label": describe(evaluation, axes) });
    }

    /** @type {(guides: Guides, box: Box) => void} draws the lines to which a dragged keyframe has snapped */
    drawGuides({ x = null, y = null }, box) {
        const across = y === null ? "" : `M${box.x} ${y}h${box.width}`;
        setAll(this.#guides, { d: across + (x === null ? "" : `M${x} ${box.y}v${box.height}`) });
    }

    /** Draws the lines from keyframes to their easing handles: pairs of points. */
    drawStalks(/** @type {import("./types").Point[][]} */ pairs) {
        setAll(this.#stalks, { d: pairs.map(([a, b]) => `M${a.x} ${a.y}L${b.x} ${b.y}`).join("") });
    }

    /** @type {(axes: Axes, layout: Layout) => void} */
    #drawGrid(axes, layout) {
        const { box, em, width, height } = layout;
        const { over, length, from, to, origin, up } = axes;
        const key = [axes.view, over, length, from, to, origin, up.kind, up.low, up.high, em, width, height].join();
        if (key === this.#gridKey) return;
        this.#gridKey = key;
        setAll(this.element, { viewBox: `0 0 ${width} ${height}`, width, height });
        setAll(this.#clips[0], { x: box.x, y: box.y - 2, width: box.width, height: box.height + 4 });
        const caption = view("text", { class: "plot-caption", x: box.x, y: em * 1.1 },
            `${NAMES[axes.view]} over ${axes.over} time`);
        draw(this.#grid, caption, ...verticalAxis(axes, layout),
            ...horizontalAxis(axes, layout), ...backwardsLabel(axes, layout));
        this.#drawNormal(axes, box);
    }

    /** @type {(axes: Axes, box: Box) => void} */
    #drawNormal(axes, box) {
        const one = axes.view === "time" ? box.y + box.height : toY(axes, box, 1);
        const zero = axes.view === "time" ? box.y + box.height : inside(box, toY(axes, box, 0));
        const bottom = box.y + box.height;
        const between = (/** @type {number} */ y, /** @type {number} */ end) =>
            ({ x: box.x, width: box.width, y, height: Math.max(0, end - y) });
        // Slow is below normal speed, and above the normal time scale.
        const clips = {
            speed: [between(one, zero), between(box.y, one)],
            scale: [between(box.y, one), between(one, zero)],
            time: [between(box.y, bottom), between(bottom, bottom)],
        }[axes.view];
        clips.forEach((clip, i) => setAll(this.#clips[i + 1], clip));
        const line = axes.view === "time"
            ? [axes.from, axes.to].flatMap((seconds) => [toX(axes, box, seconds), toY(axes, box, seconds)])
            : [box.x, one, box.x + box.width, one];
        setAll(this.#normal, { d: linePath(line) });
        setAll(this.#backwards, between(zero, bottom));
    }

    /** @type {(evaluation: Evaluation | null, axes: Axes, box: Box, lines: string[]) => void} */
    #drawArea(evaluation, axes, box, lines) {
        const level = toY(axes, box, axes.view === "time" ? 0 : 1);
        let d = "";
        if (axes.view !== "time") {
            // What plays backwards counts as neither slower nor faster.
            const zero = toY(axes, box, 0);
            d = this.pieces.map((piece, i) => (piece[1] > zero ? "" : lines[i] + areaEnd(piece, level)))
                .join("");
        } else if (evaluation?.rising) {
            // A map that turns back has no area between it and the straight line.
            d = this.pieces.map((piece, i) => {
                const [last, first] = [piece[piece.length - 2], piece[0]].map((x) =>
                    `L${x} ${toY(axes, box, axes.across.value((x - box.x) / box.width))}`);
                return `${lines[i]}${last}${first}Z`;
            }).join("");
        }
        setAll(this.#slower, { d });
        setAll(this.#faster, { d });
    }

    /** @type {(evaluation: Evaluation | null, axes: Axes, layout: Layout) => void} */
    #drawMarks(evaluation, axes, layout) {
        if (!evaluation || axes.view === "time") {
            draw(this.#marks);
            return;
        }
        const { u, scale, speed } = evaluation.curve;
        const ends = extremes(u, axes.view === "speed" ? speed : scale);
        const length = curveLength(evaluation);
        /** @type {(name: string, end: { u: number, value: number }, side: number) => View[]} */
        const markOf = (name, { u: at, value }, side) => mark(name, at * length, value, side, axes, layout);
        draw(this.#marks,
            ...ends ? [...markOf("min", ends.minimum, 1), ...markOf("max", ends.maximum, -1)] : []);
    }
}

/** @type {(axes: Axes, value: number) => string} */
const valueText = ({ view }, value) =>
    (view === "scale" ? scaleText(value) : view === "speed" ? speedText(value) : timeText(value, 3));

/** @type {(axes: Axes, layout: Layout) => View[]} */
function verticalAxis(axes, { box, em }) {
    const ticks = axes.view === "time"
        ? timeTicks(axes.up.low, axes.up.high, Math.max(2, box.height / (2.4 * em)))
        : valueTicks(axes.up, Math.min(0.5, (2.2 * em) / box.height));
    return ticks.flatMap((value) => {
        const y = toY(axes, box, value);
        const kind = value === 0 && axes.up.low < 0 ? "plot-line plot-zero" : "plot-line";
        return [
            view("path", { class: kind, d: `M${box.x} ${y}h${box.width}` }),
            view("text", { class: "plot-tick plot-tick-up", x: box.x - em, y }, valueText(axes, value)),
        ];
    });
}

/** @type {(axes: Axes, layout: Layout) => View[]} */
function horizontalAxis(axes, { box, em }) {
    const wide = axes.origin + axes.length < 60 ? 5 : 7;
    const most = Math.min(20, Math.max(2, box.width / (wide * em)));
    const ticks = timeTicks(axes.origin + axes.from, axes.origin + axes.to, most);
    return ticks.flatMap((seconds) => {
        const x = toX(axes, box, seconds - axes.origin);
        const attributes = { class: "plot-tick plot-tick-across", x, y: box.y + box.height + 1.35 * em };
        return [
            view("path", { class: "plot-line", d: `M${x} ${box.y}v${box.height}` }),
            view("text", attributes, timeText(seconds, 3)),
        ];
    });
}

/** @type {(axes: Axes, layout: Layout) => View[]} the label of the area below zero, if there is room for it */
function backwardsLabel(axes, { box, em }) {
    const zero = axes.view === "time" ? Infinity : toY(axes, box, 0);
    if (box.y + box.height - zero < 1.4 * em) return [];
    const place = { x: box.x + box.width - 0.6 * em, y: zero + 0.8 * em };
    return [view("text", { class: "plot-tick plot-tick-up", ...place }, "backwards")];
}

/** @type {(name: string, seconds: number, value: number, side: number, axes: Axes, layout: Layout) => View[]} */
function mark(name, seconds, value, side, axes, { box, em }) {
    const [x, y] = [toX(axes, box, seconds), toY(axes, box, value)];
    if (y < box.y - 1 || y > box.y + box.height + 1 || !isAcross(box, { x })) return [];
    const share = (x - box.x) / box.width;
    const anchor = share < 0.08 ? "start" : share > 0.92 ? "end" : "middle";
    // The labels of the horizontal axis are below the box, and the caption is above its left part.
    const isLow = y + 1.6 * em > box.y + box.height, isHigh = y < box.y + 1.1 * em && x < box.x + CAPTION * em;
    const label = view("text", { x, y: y + (isLow ? -1 : isHigh ? 1 : side) * 1.25 * em, "text-anchor": anchor },
        `${name} ${valueText(axes, value)}`);
    return [view("circle", { cx: x, cy: y, r: 0.28 * em }), label];
}

/** @type {(evaluation: Evaluation | null, axes: Axes) => string} describes the plot for screen readers */
export function describe(evaluation, axes) {
    const what = `${NAMES[axes.view]} over ${axes.over} time`;
    if (!evaluation) return `${what}. There is no curve yet.`;
    const { minimum, maximum, sourceDuration, outputDuration } = evaluation;
    // With a freeze, the response has no maximum, because it is infinite.
    const highest = maximum === null ? "infinite" : scaleText(maximum);
    const range = `Time scale from ${scaleText(minimum)} to ${highest}`;
    const lengths = `${timeText(sourceDuration)} of source become ${timeText(outputDuration)} of output`;
    return `${what}. ${range}. ${lengths}.`;
}
