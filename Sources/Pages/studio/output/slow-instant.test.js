// Which instant of slow motion is looked at.

import assert from "node:assert/strict";
import { test } from "node:test";
import { slowInstant } from "./slow-instant.js";

/** Two seconds at normal speed, then two that last eight. */
const EVALUATION = {
    curve: { over: "source", u: [0, 0.25, 0.5, 0.75, 1], speed: [1, 1, 0.25, 0.25, 1] },
    map: { output: [0, 2, 10], source: [0, 2, 4] }, outputDuration: 10, sourceDuration: 4,
};

test("slow motion is shown where it is asked for, or else where it is slowest", () => {
    assert.equal(slowInstant(EVALUATION, 5), 5);
    assert.equal(slowInstant(EVALUATION, 1), 2);
});

test("what is nowhere slow is shown where it is asked for, and a freeze isn't slow", () => {
    const curve = { over: "output", u: [0, 0.5, 1], speed: [1, 0, null] };
    assert.equal(slowInstant({ ...EVALUATION, curve }, 1), 1);
    const backwards = { over: "output", u: [0, 0.5, 1], speed: [1, -0.5, 0] };
    assert.equal(slowInstant({ ...EVALUATION, curve: backwards }, 1), 5);
});
