// The page's lists.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Store } from "./store.js";

test("what was removed is not brought back by late news", () => {
    const store = new Store();
    const removed = { id: "a", analysis: "waiting" }, left = { id: "b" };
    store.setList("media", [removed, left]);
    store.remove("media", "a");
    store.put("media", { ...removed, analysis: "ready" });
    store.add("media", removed);
    store.setList("media", [removed, left]);
    assert.deepEqual(store.media.map(({ id }) => id), ["b"]);
});
