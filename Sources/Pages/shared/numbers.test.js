import assert from "node:assert/strict";
import { test } from "node:test";
import { factorOf } from "./numbers.js";

test("a factor is written as a number, a ratio, a percentage or times", () => {
    for (const [text, factor] of [["0.5", 0.5], ["1/2", 0.5], ["50%", 0.5], [" 200 % ", 2], ["2×", 2], ["2x", 2], ["-1", -1]]) {
        assert.equal(factorOf(String(text)), factor);
    }
    for (const text of ["", "%", "fast", "50%%"]) assert.ok(Number.isNaN(factorOf(text)), text);
});
