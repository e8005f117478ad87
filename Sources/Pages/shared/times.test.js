// Times, as they are read and written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clockText, durationText, lengthText, parseDuration, plainDuration, timecodeText } from "./times.js";

const DURATIONS = {
    "12.5": 12.5, "90s": 90, "1:30": 90, "00:01:30.250": 90.25, "1500ms": 1.5, "2700/25": 108, " 3 ": 3,
    "": null, "-1": null, "1:": null, "1/0": null, "x": null,
};

test("durations are read as people write them", () => {
    for (const [text, seconds] of Object.entries(DURATIONS)) assert.equal(parseDuration(text), seconds, text);
});

test("with a frame rate, frames and timecode are durations", () => {
    for (const [text, rate, seconds] of [
        ["60f", 30, 2], ["1f", 24000 / 1001, 1001 / 24000], ["00:00:02:12", 24, 2.5], ["1:00:00:00", 25, 3600],
        // Timecode counts 30 frames to a second at 29.97.
        ["00:00:10:00", 30000 / 1001, 10.01], ["00:00:01:24", 24, null], ["60f", 0, null], ["1.5", 30, 1.5], ["f", 30, null],
    ]) assert.equal(parseDuration(text, rate), seconds, text);
    assert.equal(plainDuration("60f", 30), "2");
    for (const [text, seconds] of [["25%", 2], ["12.5 %", 1], ["%", null], ["25", 25]]) {
        assert.equal(parseDuration(text, 0, 8), seconds, text);
    }
    assert.deepEqual([plainDuration("50%", 30, 8), plainDuration("50%", 30)], ["4", "50%"]);
    for (const text of ["1:30", "2700/25", "soon", "60f"]) assert.equal(plainDuration(text, null), text);
});

test("durations are written to microseconds", () => {
    assert.equal(durationText(1 / 3), "0.333333");
});

test("a place in a clip is written to milliseconds", () => {
    for (const [seconds, text] of [[0, "0:00.000"], [61.2345, "1:01.235"], [3723.5, "1:02:03.500"]]) {
        assert.equal(clockText(seconds), text);
    }
});

test("timecode is written as it is read", () => {
    for (const [number, rate, text] of [
        [0, 25, "00:00:00:00"], [49, 25, "00:00:01:24"], [107_892, 30000 / 1001, "00:59:56:12"], [90_000 * 25, 25, "25:00:00:00"],
    ]) {
        assert.equal(timecodeText(number, rate), text);
        assert.equal(Math.round(parseDuration(text, rate) * rate), number);
    }
});

test("a length is written as people say it", () => {
    for (const [seconds, text] of [[12.5, "12.5 s"], [90, "1:30"], [36000, "10:00:00"]]) {
        assert.equal(lengthText(seconds), text);
    }
});
