// The axes of the plot.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
    speedScale, timeScaleScale, timeTicks, valueTicks,
} from "./plot-scales.js";
import { isNear } from "../../../../Tests/Pages/numbers.js";

const PLAIN = speedScale(0.3, 3, { isEdited: false });
const REVERSE = speedScale(-1, 2, { isEdited: true });
const SCALES = timeScaleScale(0.5, 2);

test("axes of time have round numbers", () => {
    assert.deepEqual(timeTicks(0, 10, 11), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.deepEqual(timeTicks(5, 7, 5), [5, 5.5, 6, 6.5, 7]);
    assert.deepEqual(timeTicks(0, 36000, 6), [0, 7200, 14400, 21600, 28800, 36000]);
});

test("axes of speeds and scales have round numbers", () => {
    assert.deepEqual(valueTicks(PLAIN, 0.1), [0.25, 0.5, 1, 2, 4]);
    assert.deepEqual(valueTicks(REVERSE, 0.09), [-2, -1, -0.5, 0, 0.5, 1, 2, 4]);
    assert.deepEqual(valueTicks(SCALES, 0.2), [0, 0.5, 1, 1.5, 2]);
});

test("speeds that differ widely have a logarithmic axis", () => {
    assert.equal(speedScale(1 / 16, 16, { isEdited: false }).kind, "log");
});

test("an axis has the same value and share there and back", () => {
    for (const scale of [PLAIN, REVERSE, SCALES]) {
        for (const share of [0.1, 0.5, 0.9]) isNear(scale.share(scale.value(share)), share, 9);
    }
});
