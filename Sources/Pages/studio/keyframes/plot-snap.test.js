// Where a dragged keyframe snaps.

import assert from "node:assert/strict";
import { test } from "node:test";

import { snapPlace, snapSpeed } from "./plot-snap.js";

test("a place snaps to quarters, to the playing position and to whole frames", () => {
    const axis = { length: 10, width: 1000, frameRate: 25, offset: 0.01, dot: 3.3 };
    const snapped = (place) => {
        const { seconds, guide } = snapPlace(place, axis);
        return [Number(seconds.toFixed(6)), guide];
    };
    assert.deepEqual(snapped(5.05), [5, true], "a quarter");
    assert.deepEqual(snapped(3.27), [3.3, true], "the playing position");
    assert.deepEqual(snapped(4.104), [4.11, false], "a whole frame of the clip");
});

test("a speed snaps to normal speed, to a freeze and to its neighbours", () => {
    const speeds = [0.98, 0.4, 1.52, -0.03].map((speed) => snapSpeed(speed, [1.5], (each) => 100 * each).speed);
    assert.deepEqual(speeds, [1, 0.4, 1.5, 0]);
});
