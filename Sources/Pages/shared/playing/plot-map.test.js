// Reading a time map and a curve between their points.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
    curveSpeedAt, nearestOutput, outputOf, outputsOf, sourceAt, speedAt,
} from "./plot-map.js";
import { isNear } from "../../../../Tests/Pages/numbers.js";
import { fromProgram } from "../../../../Tests/Pages/program.js";

const speedsAt = (map, outputs) => outputs.map((output) => speedAt(map, output));

test("a map is read between its points", () => {
    const ramp = { output: [0, 2, 6], source: [0, 2, 4] };
    for (const [output, source] of [[-1, 0], [0, 0], [1, 1], [2, 2], [4, 3], [6, 4], [9, 4]]) {
        isNear(sourceAt(ramp, output), source);
        if (output >= 0 && output <= 6) isNear(outputOf(ramp, source), output);
    }
    assert.deepEqual(speedsAt(ramp, [0, 1, 2, 5, 6, 7]), [1, 1, 0.5, 0.5, 0.5, 0.5]);
    assert.equal(outputOf(ramp, 4.1), null);
});

test("of the instants at which something is shown, the one is found that is nearest to another", () => {
    // There and back, then a cut to 10.
    const map = { output: [0, 4, 8, 8, 9], source: [0, 4, 0, 10, 11] };
    assert.equal(nearestOutput(map, 3, 0), 3);
    assert.equal(nearestOutput(map, 3, 3.9), 3);
    assert.equal(nearestOutput(map, 3, 4.1), 5);
    assert.equal(nearestOutput(map, 10.5, 0), 8.5);
    assert.equal(nearestOutput(map, -2, 7), 8, "what lies before all of it is shown where that is");
    assert.equal(nearestOutput(map, 20, 0), 9);
    assert.equal(nearestOutput(map, 7, 6), 6, "what the cut leaps over is never shown");
    assert.equal(nearestOutput(map, 7, 60), 9);
});

test("a map may stand, turn back and be cut", () => {
    // Rises to 4, freezes for two seconds, falls to 2, and jumps to 7.
    const turns = { output: [0, 4, 6, 8, 8, 10], source: [0, 4, 4, 2, 7, 9] };
    assert.deepEqual(outputsOf(turns, 3), [3, 7]);
    assert.deepEqual(outputsOf(turns, 4), [4], "a freeze is one visit, from its beginning");
    assert.deepEqual(outputsOf(turns, 5), [], "what a cut leaps over isn't shown");
    assert.deepEqual(outputsOf(turns, 8), [9]);
    assert.equal(sourceAt(turns, 8), 7);
    assert.deepEqual(speedsAt(turns, [1, 5, 7, 8, 9]), [1, 0, -1, 1, 1]);
});

test("every instant between two pieces is found once", () => {
    const outputs = (points, source) => outputsOf({
        output: points.map(([output]) => output), source: points.map(([, each]) => each) }, source);
    for (const [end, start] of [[8, 8], [8 - 1e-15, 8 + 2e-15], [8 + 1e-12, 8 - 1e-12]]) {
        const found = outputs([[0, 0], [4, end], [4, 8], [4, start], [6, 10]], 8);
        assert.deepEqual(found.map((each) => Number(each.toFixed(6))), [4], `${start - end} apart`);
    }
    assert.deepEqual(outputs([[0, 0], [4, 4], [8, 0]], 4), [4]);
    assert.deepEqual(outputs([[0, 0], [4, 4], [4, 6], [8, 8]], 5), []);
});

test("the curve is read right of a jump", () => {
    const curve = { u: [0, 0.5, 0.5, 1], speed: [1, 1, 0, 0] };
    assert.equal(curveSpeedAt(curve, 0.49), 1);
    assert.equal(curveSpeedAt(curve, 0.5), 0);
});

test("a long map is read as the program made it", () => {
    const { map } = fromProgram("--curve", "double-smoothstep", "--factor", "2.2", "--modifier", "0.7");
    for (let i = 0; i < map.source.length; i += 100) {
        isNear(sourceAt(map, map.output[i]), map.source[i], 9);
        isNear(outputOf(map, map.source[i]), map.output[i], 9);
    }
});
