// Where a dragged keyframe goes, in each view of the plot.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";

import { isAbove, isBelow, isWithin } from "../../../../Tests/Pages/numbers.js";
import { fromProgram, temporaryPath } from "../../../../Tests/Pages/program.js";
import { KEYFRAMES, PlotScene } from "../../../../Tests/Pages/studio/plot-scene.js";
import { outputOf } from "../../shared/playing/plot-map.js";

/** The evaluation of keyframes as the program has it. */
function evaluated(keyframes, ...options) {
    const file = temporaryPath("curve.json");
    writeFileSync(file, JSON.stringify({ timewarp: "curve/1", keyframes }));
    return fromProgram("--curve-file", file, ...options);
}

const PLAIN = evaluated(KEYFRAMES);

/** By how many seconds of the output a keyframe is shown later that is dragged up by this many pixels. */
const laterBy = (pixels, { box }, { outputDuration }) => pixels / box.height * outputDuration * 1.04;

/** Which of the keyframes are other ones than before. */
const changed = (now) => now.map(({ at, speed }, i) => at !== KEYFRAMES[i].at || speed !== KEYFRAMES[i].speed);

test("in the time view a keyframe that is dragged up is shown that much later, and no other is changed", () => {
    for (const [flip, place] of [[[], 5.5], [["--flip"], 4.5]]) {
        const old = evaluated(KEYFRAMES, ...flip);
        const plot = new PlotScene(old, KEYFRAMES, { view: "time", snap: false, flip: flip.length > 0 });
        const moved = plot.dragged(2, { y: -40 });
        const wanted = outputOf(old.map, place) + laterBy(40, plot, old);
        isWithin(outputOf(evaluated(moved, ...flip).map, place), 0.005 * old.outputDuration, wanted);
        assert.deepEqual(changed(moved), [false, false, true, false, false]);
    }
});

test("in the time view an exact length stays, and the keyframe follows", () => {
    const fit = ["--fit", "16"], old = evaluated(KEYFRAMES, ...fit);
    for (const way of [-12, 20]) {
        const plot = new PlotScene(old, KEYFRAMES, { view: "time", snap: false, fit: true });
        const now = evaluated(plot.dragged(3, { y: way }), ...fit);
        isWithin(now.outputDuration, 1e-6, 16);
        isWithin(outputOf(now.map, 8), 0.05, outputOf(old.map, 8) + laterBy(-way, plot, old));
    }
});

test("in the time view those that are selected move together", () => {
    const plot = new PlotScene(PLAIN, KEYFRAMES, { view: "time", snap: false });
    const moved = plot.dragged(2, { y: -40 }, [1, 2]);
    isWithin(
        outputOf(evaluated(moved).map, 5.5), 0.01 * PLAIN.outputDuration,
        outputOf(PLAIN.map, 5.5) + laterBy(40, plot, PLAIN));
    const [first, second, third, ...rest] = moved.map(({ speed }) => speed);
    assert.deepEqual([first, ...rest], [1, 2, 1]);
    assert.equal(second, third, "both were at a quarter of normal speed");
    isBelow(second, 0.25);
});

/** Plays, freezes from 40 % to 50 % of the output, plays backwards, and plays forward again. */
const TURNING = [[0, 1], [0.4, 0], [0.5, 0], [0.75, -1], [1, 1.5]];

/** The evaluation of a curve over the output with straight lines between points, each given as `[place, speed]`. */
function overOutput(points) {
    const u = Array.from({ length: 1001 }, (_, step) => step / 1000);
    const speed = u.map((place) => {
        const right = Math.max(1, points.findIndex(([at]) => at >= place));
        const [[start, low], [end, high]] = points.slice(right - 1, right + 1);
        return low + (high - low) * (place - start) / (end - start);
    });
    const sums = [0];
    for (let i = 1; i < u.length; i += 1) sums.push(sums[i - 1] + (speed[i - 1] + speed[i]) / 2 * (u[i] - u[i - 1]));
    const least = Math.min(...sums), outputDuration = 10 / (Math.max(...sums) - least);
    const source = sums.map((sum) => (sum - least) * outputDuration);
    return {
        outputDuration,
        curve: { over: "output", u, speed, scale: speed.map((each) => (each === 0 ? null : 1 / each)) },
        map: { output: u.map((each) => each * outputDuration), source },
    };
}

test("in the time view a keyframe over the output is dragged to another time and keeps its speed", () => {
    const keyframes = TURNING.map(([at, speed]) => ({ at: `${100 * at}%`, speed, easing: "linear" }));
    const plot = new PlotScene(overOutput(TURNING), keyframes, { view: "time", snap: false });
    const moved = plot.dragged(3, { y: -0.1 * plot.box.height });
    isWithin(parseFloat(moved[3].at), 0.01, 75 + 10.4);
    assert.equal(moved[3].speed, -1);
});

test("in the scale view higher is slower, and the place stays", () => {
    const [, , , moved] = new PlotScene(PLAIN, KEYFRAMES, { view: "scale" }).dragged(3, { y: -60 });
    isBelow(moved.speed, 1);
    assert.equal(moved.at, "0.8");
});

test("a keyframe is dragged to whole frames, and to no place beyond its neighbours", () => {
    const plot = new PlotScene(PLAIN, KEYFRAMES);
    const frames = 30 * parseFloat(plot.dragged(2, { x: 19, y: -40 })[2].at);
    isAbove(frames, 5.5 * 30);
    isWithin(frames, 0.05, Math.round(frames));
    assert.equal(plot.dragged(1, { x: 700 })[1].at, "54.6666666667%");
});
