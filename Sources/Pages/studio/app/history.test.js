// Undo and redo.

import assert from "node:assert/strict";
import { test } from "node:test";

import { edited, freshHistory, redone, replaced, undone } from "./history.js";

/**
 * After each step, the value and how many steps can be undone and redone. A step is a value,
 * `[value, gesture, final]`, "undo" or "redo".
 */
function run(steps) {
    let history = freshHistory(0);
    return steps.map((step) => {
        if (step === "undo") history = undone(history);
        else if (step === "redo") history = redone(history);
        else if (Array.isArray(step)) {
            const [value, gesture, final] = step;
            history = edited(history, value, { gesture, final });
        } else history = edited(history, step);
        return [history.present, history.past.length, history.future.length];
    });
}

test("undo and redo", () => {
    assert.deepEqual(
        run([1, 2, "undo", "undo", "undo", "redo", 5, "redo"]),
        [[1, 1, 0], [2, 2, 0], [1, 1, 1], [0, 0, 2], [0, 0, 2], [1, 1, 1], [5, 2, 0], [5, 2, 0]]);
});

test("a drag is one step", () => {
    const drag = [1, 2, 3].map((each) => [each, "a", false]);
    const steps = run([...drag, [4, "a", true], [5, "a", false], [6, "b", false], "undo", "undo", "undo"]);
    assert.deepEqual(
        steps.map(([value, past]) => [value, past]),
        [[1, 1], [2, 1], [3, 1], [4, 1], [5, 2], [6, 3], [5, 2], [4, 1], [0, 0]]);
});

test("what changes nothing is no step", () => {
    assert.deepEqual(run([0, 1, 1, [1, "a", false]]).map(([, past]) => past), [0, 1, 1, 1]);
});

test("what is replaced is no step, and undoing goes to before the last one", () => {
    const history = replaced(edited(freshHistory(0), 1), 7);
    assert.deepEqual([history.present, history.past], [7, [0]]);
    assert.equal(undone(history).present, 0);
    assert.equal(redone(undone(history)).present, 7);
});

test("old steps are forgotten", () => {
    const values = Array.from({ length: 299 }, (_, index) => index + 1);
    assert.deepEqual(run(values).at(-1), [299, 200, 0]);
});
