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

test("a file's name at the start of a message stays as it is", () => {
    for (const message of ["clip.mp4 can't be read.", "my/clip.mov has no video."]) {
        assert.equal(failureOf(422, { error: { message } }).message, message);
    }
    assert.equal(failureOf(422, { error: { message: "it has no video" } }).message, "It has no video.");
});

test("what went wrong without a message is said by the status", () => {
    for (const [status, word] of [[403, /printed/], [0, /reached/], [500, /500/]]) {
        assert.match(failureOf(status, null).message, word);
    }
});
