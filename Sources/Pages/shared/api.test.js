// What the page says when a request fails.

import assert from "node:assert/strict";
import { test } from "node:test";

import { failureOf } from "./api.js";

test("an error is a sentence without the path to its field", () => {
    const error = {
        message: "curve.scale: the formula is wrong at column 3\n1+?\n  ^", field: "curve", column: 3 };
    assert.deepEqual(failureOf(422, { error }), {
        status: 422, message: "The formula is wrong at column 3.", field: "curve", column: 3, place: null });
});

test("what went wrong without a message is said by the status", () => {
    for (const [status, word] of [[403, /printed/], [0, /reached/], [500, /500/]]) {
        assert.match(failureOf(status, null).message, word);
    }
});
