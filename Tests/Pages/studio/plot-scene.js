// A plot without a page: where its keyframes are, and where a drag takes them.

import { axesOf } from "../../../Sources/Pages/studio/plot/plot-axes.js";
import { fitRatio, inside, speedToY, toX, toY } from "../../../Sources/Pages/studio/plot/plot-geometry.js";
import { layoutOf } from "../../../Sources/Pages/studio/plot/plot-layout.js";
import { leastDistance, placesOf } from "../../../Sources/Pages/studio/keyframes/keyframe-edits.js";
import { draggedTo, movedBySpeed, movedInTime } from "../../../Sources/Pages/studio/keyframes/plot-moves.js";
import { outputOf, sourceAt } from "../../../Sources/Pages/shared/playing/plot-map.js";

/** Seconds of the source, and its frames a second. */
const DURATION = 10, FRAME_RATE = 30;

/** Keyframes with places in percent, in seconds and in shares. */
export const KEYFRAMES = [
    { at: "0%", speed: 1, easing: "smooth" }, { at: "30%", speed: 0.25, easing: "linear" },
    { at: "5.5s", speed: 0.25, easing: "smooth" }, { at: "0.8", speed: 2, easing: "smooth" },
    { at: "100%", speed: 1 },
];

/** A plot of 960 by 400 pixels that shows keyframes and the evaluation of their curve. */
export class PlotScene {
    /**
     * @param {object} evaluation
     * @param {object[]} keyframes
     * @param {{ view?: string, snap?: boolean, flip?: boolean, fit?: boolean }} [options]
     */
    constructor(evaluation, keyframes, { view = "speed", snap = true, flip = false, fit = false } = {}) {
        const whole = { sourceStart: 0, sourceDuration: DURATION, averageFrameRate: FRAME_RATE, ...evaluation };
        const isOutput = whole.curve.over === "output";
        const length = isOutput ? whole.outputDuration : DURATION;
        const turned = (share) => (flip ? 1 - share : share);
        this.axes = axesOf(whole, view, { speeds: keyframes.map(({ speed }) => speed), duration: DURATION });
        const axis = { duration: length, least: leastDistance(length, FRAME_RATE) };
        const ratio = fitRatio(whole, keyframes, placesOf(keyframes, length).map(turned)) ?? 1;
        this.scene = {
            keyframes, evaluation: whole, axes: this.axes, layout: layoutOf(960, 400, 16), duration: length,
            frameRate: FRAME_RATE, offset: 0, snap, fit, turned, ratio, axis,
            dot: () => null, beats: [], outputBeats: [], beatAt: () => null,
        };
    }

    /** The size of the curve's axes in pixels. */
    get box() {
        return this.scene.layout.box;
    }

    /** Where the handle of a keyframe is. */
    point(index) {
        const { axes, box, scene: { evaluation, keyframes, ratio, turned, duration } } = this;
        const at = turned(placesOf(keyframes, duration)[index]), seconds = at * duration;
        if (axes.view !== "time") {
            const y = speedToY(axes, box, keyframes[index].speed * ratio);
            return { x: toX(axes, box, at * axes.length), y: inside(box, y) };
        }
        const isOutput = evaluation.curve.over === "output";
        const [source, output] = isOutput
            ? [sourceAt(evaluation.map, seconds), seconds] : [seconds, outputOf(evaluation.map, seconds)];
        return { x: toX(axes, box, source), y: toY(axes, box, output) };
    }

    /** The keyframes after one of them, or with it a group, was dragged by this many pixels. */
    dragged(index, { x = 0, y = 0 }, group = [index]) {
        const { scene, axes } = this, from = this.point(index);
        const drag = { from, offset: { x: 0, y: 0 }, keyframes: scene.keyframes, axes, group, anchor: null };
        const move = axes.view === "time" ? movedInTime : movedBySpeed;
        const point = draggedTo(drag, { x: from.x + x, y: from.y + y }, false);
        return move(scene, index, drag, point, !scene.snap).keyframes;
    }
}
