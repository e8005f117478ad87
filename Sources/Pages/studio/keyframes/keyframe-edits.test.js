// Edits of a list of keyframes.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
    added, deleted, eased, handleMoved, mirrored, moved, nudged, placed,
} from "./keyframe-edits.js";
import { isWithin } from "../../../../Tests/Pages/numbers.js";

/** Frozen: edits give new lists. */
const KEYFRAMES = Object.freeze([
    { at: "0%", speed: 1, easing: "smooth" }, { at: "30%", speed: 0.25, easing: "linear" },
    { at: "5.5s", speed: 0.25, easing: "smooth" }, { at: "0.8", speed: 2, easing: "smooth" },
    { at: "100%", speed: 1 },
].map(Object.freeze));
const AXIS = { duration: 10, least: 0.01 };

test("a moved keyframe keeps its unit, and its speed is rounded", () => {
    const list = moved(KEYFRAMES, 2, { place: 0.61234, speed: 0.33333 }, AXIS);
    assert.deepEqual(list[2], { at: "6.1234s", speed: 0.333, easing: "smooth" });
    assert.equal(moved(KEYFRAMES, 0, { speed: 0.004 }, AXIS)[0].speed, 0);
});

test("a keyframe can't be moved past another", () => {
    assert.equal(moved(KEYFRAMES, 1, { place: 0.9 }, AXIS)[1].at, "54%");
});

test("a new keyframe takes the easing of the one before", () => {
    const { index, keyframes } = added(KEYFRAMES, { place: 0.4, speed: 0.25 }, AXIS);
    assert.equal(index, 2);
    assert.deepEqual(keyframes[2], { at: "40%", speed: 0.25, easing: "linear" });
});

/** The speed at many places; the `bezier` easings are solved here by bisection. */
function speedsOf(keyframes) {
    const placeOf = ({ at }) => Number(at.slice(0, -1)) / 100;
    const along = (t, first, second) => 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t * t * second + t ** 3;
    return Array.from({ length: 101 }, (_, step) => {
        const place = step / 100;
        const before = keyframes.slice(0, -1).findLastIndex((each) => placeOf(each) <= place);
        const [one, two] = keyframes.slice(before, before + 2);
        const [start, end] = [placeOf(one), placeOf(two)];
        const [x1, y1, x2, y2] = JSON.parse(one.easing.replace("bezier(", "[").replace(")", "]"));
        let [low, high] = [0, 1];
        for (let round = 0; round < 50; round += 1) {
            const middle = (low + high) / 2;
            if (along(middle, x1, x2) < (place - start) / (end - start)) low = middle;
            else high = middle;
        }
        return one.speed + along(low, y1, y2) * (two.speed - one.speed);
    });
}

test("a new keyframe on the curve keeps its shape", () => {
    const old = [
        { at: "0%", speed: 1, easing: "bezier(0.6,0,0.3,0.8)" }, { at: "100%", speed: 4, easing: "smooth" }];
    const before = speedsOf(old);
    const { keyframes } = added(old, { place: 0.4, speed: before[40] }, { duration: 10, least: 0.003 });
    assert.equal(keyframes.length, 3);
    speedsOf(keyframes).forEach((speed, step) => isWithin(speed, 0.01, before[step]));
});

test("a keyframe may be placed past others, but not on one", () => {
    const { index, keyframes } = placed(KEYFRAMES, 0, 0.9, AXIS);
    assert.deepEqual([index, keyframes[3].at], [3, "90%"]);
    assert.equal(placed(KEYFRAMES, 0, 0.301, AXIS), null);
});

test("two keyframes are left", () => {
    assert.equal(deleted(KEYFRAMES, 1).length, 4);
    const two = KEYFRAMES.slice(0, 2);
    assert.deepEqual(deleted(two, 1), two);
});

test("an easing is set, and a Bézier curve begins with its shape", () => {
    assert.equal(eased(KEYFRAMES, 0, "hold")[0].easing, "hold");
    assert.equal(eased(KEYFRAMES, 0, "bezier")[0].easing, "bezier(0.333,0,0.667,1)");
});

test("a handle stays inside its piece's time", () => {
    const [{ easing }] = handleMoved(KEYFRAMES, 0, 1, { x: 1.4, y: -0.25 });
    assert.equal(easing, "bezier(0.333,0,1,-0.25)");
});

test("a mirrored list plays backwards", () => {
    const given = [
        { at: "0", speed: 1, easing: "bezier(0.1,0.2,0.6,0.9)" },
        { at: "20%", speed: 0.5, easing: "hold" }, { at: "9s", speed: 2 }];
    assert.deepEqual(mirrored(given, 10), [
        { at: "1s", speed: 2, easing: "hold" },
        { at: "80%", speed: 0.5, easing: "bezier(0.4,0.1,0.9,0.8)" },
        { at: "1", speed: 1, easing: "smooth" }]);
});

test("steps of speed stop at a freeze and at normal speed", () => {
    const stepped = (speed, isCoarse, by) => nudged(
        [{ at: "0", speed }, { at: "1", speed: 1 }], 0, { speed: by }, isCoarse, { ...AXIS, frame: 1 / 300 })[0].speed;
    assert.equal(stepped(0.25, false, 1), 0.3);
    assert.equal(stepped(0.98, false, 1), 1);
    assert.equal(stepped(1, false, 1), 1.05);
    assert.equal(stepped(0.25, true, -1), 0);
    assert.equal(stepped(0, true, -1), -0.5);
});
