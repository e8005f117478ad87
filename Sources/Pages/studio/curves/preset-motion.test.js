// How the tiles of presets move.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { motionOf, pathOf } from "./preset-motion.js";
import { isNear, isWithin } from "../../../../Tests/Pages/numbers.js";
import { fromProgram, root } from "../../../../Tests/Pages/program.js";

const example = (name) => join(root, "Examples/curves", `${name}.json`);
const keyframesOf = (name) => JSON.parse(readFileSync(example(name), "utf8")).keyframes;

/** The source time that a map shows at an output time. */
function sourceAt({ output: outputs, source: sources }, output) {
    const at = outputs.findIndex((start, index) => start <= output && output < outputs[index + 1]);
    if (at < 0) return sources.at(-1);
    const share = (output - outputs[at]) / (outputs[at + 1] - outputs[at]);
    return sources[at] + share * (sources[at + 1] - sources[at]);
}

test("tiles move as the curve does", () => {
    const { map, outputDuration } = fromProgram("--curve-file", example("hero"));
    const moved = motionOf(keyframesOf("hero"));
    for (let step = 0; step <= 20; step += 1) {
        const share = step / 20;
        isWithin(moved(share), 0.01, sourceAt(map, share * outputDuration) / 10);
    }
});

test("tiles stand still where the curve does", () => {
    const moved = motionOf(keyframesOf("freeze-the-moment"));
    isNear(moved(0.45), moved(0.55));
});

test("keyframes in seconds have a path to the last one", () => {
    const keyframe = (at, speed) => ({ at, speed, easing: "linear" });
    const { u, speed } = pathOf([keyframe("1s", 2), keyframe("4s", 1)]);
    assert.deepEqual([u[0], u[1], u.at(-1)], [0, 0.25, 1]);
    assert.deepEqual([speed[0], speed[1], speed.at(-1)], [2, 2, 1]);
});

test("a single keyframe's speed is that of the whole path", () => {
    assert.deepEqual(pathOf([{ at: "30%", speed: 3, easing: "linear" }]), { u: [0, 1], speed: [3, 3] });
});
