// The page's state as the server has stored it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mendedDesk } from "../../../Sources/TimeWarpStudio/Public/desk.js";

test("nothing that was stored is no desk", () => {
    assert.equal(mendedDesk(null), null);
});

test("a view that doesn't exist is the first one", () => {
    assert.equal(mendedDesk({ view: "x" }).view, "scale");
});
