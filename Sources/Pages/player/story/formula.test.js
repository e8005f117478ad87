// Formulas of a story, as the page computes them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { valueOf } from "./formula.js";

const VALUES = [
    [[1, 2, "+"], 3], [[7, 2, "-"], 5], [[3, 4, "*"], 12], [[1, 4, "/"], 0.25], [[2, 10, "^"], 1024],
    [[1, 2, "<"], 1], [[2, 2, "<="], 1], [[2, 3, ">"], 0], [[2, 3, ">="], 0], [[2, 2, "=="], 1], [[2, 2, "!="], 0],
    [[5, "neg"], -5], [[0, 7, 8, "?:"], 8], [[1, 7, 8, "?:"], 7], [[16, "sqrt"], 4], [[-3, "abs"], 3],
    [[2.5, "floor"], 2], [[2.5, "ceil"], 3], [[2, 3, "min"], 2], [[2, 3, "max"], 3], [[2, 3, "pow"], 8],
    [[5, 0, 1, "clamp"], 1], [[10, 20, 0.25, "mix"], 12.5], [[0, 2, 1, "smoothstep"], 0.5], [[8, "log2"], 3],
    [[100, "log10"], 2], [[1, "log"], 0], [[0, "exp"], 1], [[0, "sin"], 0], [[0, "cos"], 1], [[0, "tan"], 0],
    [[0, "asin"], 0], [[1, "acos"], 0], [[0, "atan"], 0], [[{ v: "x" }, 1, "+"], 42],
];

/** What Swift and C give, and Math doesn't. */
const UNUSUAL = [
    [[1, 0, 0, "/", "^"], 1], [[0, 0, "/", 2, "min"], NaN], [[2, 0, 0, "/", "min"], 2],
];

test("every operation has the library's value", () => {
    for (const [steps, value] of VALUES) assert.equal(valueOf(steps, { x: 41 }), value, JSON.stringify(steps));
});

test("what isn't a number is treated as in the library", () => {
    for (const [steps, value] of UNUSUAL) assert.equal(valueOf(steps, { x: 41 }), value, JSON.stringify(steps));
});
