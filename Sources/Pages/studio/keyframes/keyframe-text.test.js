// Keyframes as they are read and written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parseAt, parseEasing, placeOf, printAt, printBezier, SHOWN_SECONDS } from "./keyframe-text.js";
import { isWithin } from "../../../../Tests/Pages/numbers.js";

test("instants are read with their unit", () => {
    assert.deepEqual(parseAt("40%"), { unit: "percent", value: 40 });
    assert.deepEqual(parseAt("0.4"), { unit: "share", value: 0.4 });
    assert.deepEqual(parseAt("6s"), { unit: "seconds", value: 6 });
    assert.deepEqual(parseAt("1:30s"), { unit: "seconds", value: 90 });
    assert.deepEqual(parseAt("1500ms"), { unit: "seconds", value: 1.5 });
    for (const text of ["", "x", "140%", "-1s", "1.2", "1:2:3:4s", "4%%"]) assert.equal(parseAt(text), null, text);
});

test("instants are written in their unit", () => {
    assert.equal(printAt(0.4, "percent", 10), "40%");
    assert.equal(printAt(1 / 3, "percent", 10, SHOWN_SECONDS), "33.33%");
    assert.equal(printAt(1 / 3, "share", 10, SHOWN_SECONDS), "0.3333");
    assert.equal(printAt(0.25, "seconds", 10), "2.5s");
    assert.equal(printAt(1, "seconds", 10.0339, SHOWN_SECONDS), "10.033s", "never beyond the end");
    // One millisecond in ten hours.
    assert.equal(printAt(0.50000003, "percent", 36000, SHOWN_SECONDS), "50.000003%");
});

test("what is written is as near as numbers are, so that the start of a frame stays the start of a frame", () => {
    for (const duration of [0.2, 4, 3599.6, 36000]) {
        for (const unit of ["share", "percent", "seconds"]) {
            const place = Math.round(10 * duration) / 30 / duration;
            isWithin(placeOf(printAt(place, unit, duration), duration) * duration, 2e-11 + 1e-14 * duration, place * duration);
        }
    }
});

test("easings are read", () => {
    assert.deepEqual(parseEasing("hold"), { kind: "hold", handles: null });
    assert.deepEqual(parseEasing("bezier(0.3, 0,.7,1)"), { kind: "bezier", handles: [0.3, 0, 0.7, 1] });
    for (const text of ["bounce", "bezier(1,2,3)", "bezier(1.2,0,0,1)", "bezier(a,0,0,1)"]) {
        assert.equal(parseEasing(text), null, text);
    }
});

test("easings are written with time inside the piece", () => {
    assert.equal(printBezier([-1, 0.12345, 2, -0.5]), "bezier(0,0.123,1,-0.5)");
});
