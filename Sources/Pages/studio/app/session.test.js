// The page's state as the server has stored it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mendedSession } from "./session.js";

test("nothing that was stored is no session", () => {
    assert.equal(mendedSession(null), null);
});

test("a view that doesn't exist is the first one", () => {
    assert.equal(mendedSession({ view: "x" }).view, "speed");
});
