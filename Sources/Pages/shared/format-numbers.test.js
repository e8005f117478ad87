// Quantities as text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { counted, short, sizeText, times } from "./format-numbers.js";

test("three digits are enough", () => {
    assert.equal(short(0.66666), "0.667");
    assert.equal(short(-1.5), "−1.5");
    assert.equal(times(12345.6), "12346×");
});

test("sizes are rounded to the next unit", () => {
    assert.equal(sizeText(999_600), "1 MB");
});

test("counted things have their plural", () => {
    assert.equal(counted(1, "frame"), "1 frame");
    assert.equal(counted(1200, "frame"), "1,200 frames");
});
