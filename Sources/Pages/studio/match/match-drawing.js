// Draws two recordings with their anchors, and the drift of their clocks, into a canvas.

import { driftAt, driftBounds, outputAt, sourceAt } from "./match-line.js";
import { timeText } from "../../shared/plot-format.js";
import { boundsIn, drawWaveform } from "../plot/plot-lanes.js";
import { levelFor } from "../plot/plot-tiles.js";

/**
 * @typedef {import("./types").LaneName} LaneName
 * @typedef {import("./types").Scene} Scene
 * @typedef {CanvasRenderingContext2D} Context
 */

/** The lanes, as shares of the height. */
const LANES = {
    reference: { y: 0.06, height: 0.28 }, recording: { y: 0.4, height: 0.28 }, drift: { y: 0.74, height: 0.19 },
};
/** Presses so far outside of a lane belong to it, as a share of the height. */
const MARGIN = 0.03;
const FONT = "12px system-ui, sans-serif";

/** @type {LaneName[]} */
const WAVES = ["reference", "recording"];

/** The lane with a waveform at a share of the height; null for none. */
export const laneAt = (/** @type {number} */ share) => WAVES.find((name) => {
    const { y, height } = LANES[name];
    return share >= y - MARGIN && share <= y + height + MARGIN;
}) ?? null;

/** @type {(context: Context, given: import("./types").Drawn) => void} */
export function drawMatch(context, given) {
    const { match: { anchors }, window: { from, to }, size, selected, pending } = given;
    /** @type {Scene} */
    const scene = {
        ...given, colour: (name) => given.colours.getPropertyValue(`--lane-${name}`),
        placeOf: (output) => ((output - from) / (to - from)) * size.width,
        roomOf: (name) => ({
            y: LANES[name].y * size.height, width: size.width, height: LANES[name].height * size.height,
        }),
    };
    context.font = FONT;
    const outputOf = (/** @type {number} */ share) => from + share * (to - from);
    drawLane(context, scene, "reference", outputOf);
    drawLane(context, scene, "recording", (share) => sourceAt(anchors, outputOf(share)));
    drawNames(context, scene);
    if (anchors.length > 1) drawDrift(context, scene);
    anchors.forEach(([, output], index) => drawAnchor(context, scene, output, index === selected));
    if (pending) drawPending(context, scene, pending);
}

/** @type {(context: Context, scene: Scene, name: LaneName, timeAt: (share: number) => number) => void} */
function drawLane(context, { match, tiles, size, colour, roomOf }, name, timeAt) {
    const clip = match[name];
    if (!clip?.waveform) return;
    const step = (timeAt(1) - timeAt(0)) / size.width;
    const level = levelFor(clip.duration, clip.waveform.minimum.length, step);
    tiles[name].want(level, Math.max(0, timeAt(0)), Math.min(clip.duration, timeAt(1)));
    const whole = { value: clip.waveform, start: 0, end: clip.duration };
    /** @type {(before: number, after: number) => [number, number]} */
    const boundsOf = (before, after) => {
        if (after <= 0 || before >= clip.duration) return [0, 0];
        const { value, start, end } = tiles[name].at(before, level) ?? whole;
        return boundsIn(value, start, end, before, after);
    };
    context.fillStyle = colour(name);
    drawWaveform(context, boundsOf, roomOf(name), timeAt);
}

/** @type {(context: Context, scene: Scene) => void} */
function drawNames(context, { match, colour, roomOf }) {
    context.fillStyle = colour("text");
    context.textBaseline = "bottom";
    context.fillText(match.reference?.name ?? "Choose the other recording", 6, roomOf("reference").y + 6);
    context.fillText(match.recording.name, 6, roomOf("recording").y);
}

/** @type {(context: Context, scene: Scene) => void} */
function drawDrift(context, { match: { anchors, windows }, window, colour, placeOf, roomOf }) {
    const { low, high } = driftBounds(anchors, windows);
    const { y, width, height } = roomOf("drift");
    const up = (/** @type {number} */ drift) => y + ((high - drift) / (high - low)) * height;
    context.strokeStyle = colour("grid");
    context.strokeRect(0.5, y + 0.5, width - 1, height - 1);
    context.fillStyle = colour("dot");
    for (const [source, output] of windows) {
        context.fillRect(placeOf(output) - 1.5, up(driftAt(anchors, source, output)) - 1.5, 3, 3);
    }
    context.strokeStyle = colour("anchor");
    context.beginPath();
    for (const output of [window.from, ...anchors.map((anchor) => anchor[1]), window.to]) {
        context.lineTo(placeOf(output), up(driftAt(anchors, sourceAt(anchors, output), output)));
    }
    context.stroke();
    context.fillStyle = colour("text");
    context.textBaseline = "top";
    context.fillText(`Drift up to ${milliseconds(high)}`, 6, y + 4);
    context.textBaseline = "bottom";
    context.fillText(milliseconds(low), 6, y + height - 4);
    context.textBaseline = "top";
    context.fillText(timeText(window.from, 2), 6, y + height + 3);
    context.textAlign = "right";
    context.fillText(timeText(window.to, 2), width - 6, y + height + 3);
    context.textAlign = "left";
}

const milliseconds = (/** @type {number} */ seconds) =>
    `${Number((1000 * seconds).toPrecision(3))} ms`.replace("-", "−");

/** @type {(context: Context, scene: Scene, output: number, isSelected: boolean) => void} */
function drawAnchor(context, { colour, placeOf, roomOf }, output, isSelected) {
    const x = placeOf(output);
    const [above, below] = [roomOf("reference"), roomOf("recording")];
    context.strokeStyle = context.fillStyle = colour("anchor");
    context.lineWidth = isSelected ? 2 : 1;
    context.beginPath();
    context.moveTo(x, above.y);
    context.lineTo(x, below.y + below.height);
    context.stroke();
    context.lineWidth = 1;
    for (const y of [above.y + above.height, below.y]) {
        context.beginPath();
        context.arc(x, y, isSelected ? 6 : 4, 0, 2 * Math.PI);
        context.fill();
    }
}

/** @type {(context: Context, scene: Scene, pending: import("./types").Pending) => void} */
function drawPending(context, { match, colour, placeOf, roomOf }, { lane, time }) {
    const x = placeOf(lane === "reference" ? time : outputAt(match.anchors, time));
    const { y, height } = roomOf(lane);
    context.strokeStyle = colour("anchor");
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x, y + height);
    context.stroke();
    context.setLineDash([]);
}
