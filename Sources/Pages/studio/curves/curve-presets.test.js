// The presets of speed ramps.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { root } from "../../../../Tests/Pages/program.js";

// The tiles listen to the page's window, which isn't here.
globalThis.addEventListener = () => {};
const { PRESETS } = await import("./curve-presets.js");

test("the ramps by intent are the example files", () => {
    assert.equal(PRESETS.length, 7);
    for (const [name, , keyframes] of PRESETS) {
        const file = join(root, "Examples/curves", `${name.toLowerCase().replaceAll(" ", "-")}.json`);
        assert.deepEqual(JSON.parse(readFileSync(file, "utf8")).keyframes, keyframes, name);
    }
});
