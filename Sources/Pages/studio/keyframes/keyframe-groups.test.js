// Several keyframes at once: moved, deleted, copied and pasted.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
    copiedText, keyframesIn, movedTogether, pasted, withoutAll,
} from "./keyframe-groups.js";

const AXIS = { duration: 10, least: 1 / 300 };

const keyframes = (...pairs) => Object.freeze(
    pairs.map(([at, speed]) => Object.freeze({ at, speed, easing: "smooth" })));

/** Frozen: edits give new lists. */
const LIST = keyframes(["0%", 1], ["20%", 2], ["40%", 0.5], ["60%", 0.5], ["100%", 1]);

const places = (list) => list.map(({ at }) => at);

test("they keep their distances", () => {
    assert.deepEqual(places(movedTogether(LIST, [1, 2], { by: 0.1 }, AXIS)), ["0%", "30%", "50%", "60%", "100%"]);
    // The second of them would meet the one after it.
    assert.deepEqual(
        places(movedTogether(LIST, [1, 2], { by: 0.5 }, AXIS)), ["0%", "39.6666666667%", "59.6666666667%", "60%", "100%"]);
    assert.deepEqual(places(movedTogether(LIST, [0, 1, 2, 3, 4], { by: 0.5 }, AXIS)), places(LIST));
});

test("speeds change by one factor or by as much", () => {
    const speeds = (list) => list.map(({ speed }) => speed);
    assert.deepEqual(speeds(movedTogether(LIST, [1, 2], { from: 2, to: 3 }, AXIS)), [1, 3, 0.75, 0.5, 1]);
    const resting = keyframes(["0%", 1], ["50%", 0], ["100%", -1]);
    assert.deepEqual(speeds(movedTogether(resting, [0, 1, 2], { from: 1, to: 1.5 }, AXIS)), [1.5, 0.5, -0.5]);
});

test("two are left", () => {
    assert.equal(withoutAll(LIST, [0, 1, 2]).length, 2);
    assert.equal(withoutAll(LIST, [0, 1, 2, 3]).length, 5);
});

test("copies are a curve file and pasted at a place", () => {
    const text = copiedText(LIST, [2, 3], 10);
    assert.deepEqual(JSON.parse(text).keyframes, [
        { at: "0s", speed: 0.5, easing: "smooth" }, { at: "2s", speed: 0.5, easing: "smooth" }]);
    const copies = keyframesIn(text, 10);
    const { keyframes: found, indexes } = pasted(LIST, copies, 0.8, AXIS);
    // The second replaces the one at the end.
    assert.deepEqual(places(found), ["0%", "20%", "40%", "60%", "80%", "100%"]);
    assert.deepEqual(indexes, [4, 5]);
    assert.equal(found[5].speed, 0.5);
    assert.deepEqual(pasted(LIST, copies, 0.9, AXIS).indexes, [4]);
});

test("what is no keyframe isn't pasted", () => {
    for (const text of [
        "", "hello", "[]", "{}", '{"keyframes":[]}', '{"keyframes":[{"at":"x","speed":1}]}',
        '{"keyframes":[{"at":"0s","speed":"fast"}]}', '{"keyframes":[null]}',
        '{"keyframes":[{"at":"0s","speed":1,"easing":"bounce"}]}', "null",
    ]) assert.equal(keyframesIn(text, 10), null, text);
});
