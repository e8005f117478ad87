// Keyframes that are made from a curve's samples.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { describe, test } from "node:test";

import { seedKeyframes } from "./keyframes-from-curve.js";
import { isAtMost, isWithin } from "../../../../Tests/Pages/numbers.js";
import { fromProgram, temporaryPath } from "../../../../Tests/Pages/program.js";

/** The keyframes of a speed that is a function on [0,1]. */
function seeded(speed) {
    const u = Array.from({ length: 501 }, (_, i) => i / 500);
    return seedKeyframes({ u, speed: u.map(speed) });
}

test("a constant speed is two keyframes", () => {
    assert.deepEqual(seeded(() => 2), [
        { at: "0%", speed: 2, easing: "smooth" }, { at: "100%", speed: 2, easing: "smooth" }]);
});

test("a valley with a floor has a keyframe at each corner", () => {
    const keyframes = seeded((u) => {
        const x = Math.min(Math.max(u < 0.5 ? (u - 0.2) / 0.2 : (0.8 - u) / 0.2, 0), 1);
        return 1 - 0.75 * x * x * (3 - 2 * x);
    });
    assert.deepEqual(keyframes.map(({ at, speed, easing }) => [at, speed, easing]), [
        ["0%", 1, "linear"], ["20%", 1, "smooth"], ["40%", 0.25, "linear"],
        ["60%", 0.25, "smooth"], ["80%", 1, "linear"], ["100%", 1, "smooth"]]);
});

function curveFile(keyframes) {
    const path = temporaryPath("curve.json");
    writeFileSync(path, JSON.stringify({ timewarp: "curve/1", keyframes }));
    return path;
}

const PIECES = {
    "double-smoothstep": 5, "triangle": 4, "constant": 1, "ramp": 1, "smoothstep": 1,
    "power": 1, "cosine": 6, "tapered-cosine": 7, "sine": 7, "tapered-sine": 7,
};

describe("every built-in curve keeps its length with one easing a piece", () => {
    for (const [name, pieces] of Object.entries(PIECES)) {
        for (const factor of ["1.5", "0.5"]) {
            test(`${name} with factor ${factor}`, () => {
                const old = fromProgram("--curve", name, "--factor", factor);
                const keyframes = seedKeyframes(old.curve);
                const { outputDuration } = fromProgram("--curve-file", curveFile(keyframes));
                assert.equal(keyframes.length, pieces + 1);
                isWithin(outputDuration / old.outputDuration, 3e-5, 1);
            });
        }
    }
});

test("a jump is a hold", () => {
    const keyframes = seedKeyframes({
        u: [0, 0.1, 0.2, 0.3, 0.3, 0.5, 0.7, 1], speed: [1, 1, 1, 1, 3, 3, 3, 3] });
    assert.deepEqual(keyframes.map(({ at }) => at), ["0%", "30%", "100%"]);
    assert.deepEqual(keyframes.map(({ speed }) => speed), [1, 3, 3]);
    assert.equal(keyframes[0].easing, "hold");
});

test("smooth curves have no kinks", () => {
    for (const { easing } of seeded((u) => 2 + Math.sin(4 * Math.PI * u)).slice(1, -2)) {
        const [, y1, , y2, ...more] = JSON.parse(easing.replace("bezier(", "[").replace(")", "]"));
        assert.deepEqual([y1, y2, more], [0, 1, []]);
    }
});

test("many waves are thinned", () => {
    const keyframes = seeded((u) => 1.5 + Math.sin(60 * Math.PI * u));
    isAtMost(keyframes.length, 24);
    assert.deepEqual([keyframes[0].at, keyframes.at(-1).at], ["0%", "100%"]);
});
