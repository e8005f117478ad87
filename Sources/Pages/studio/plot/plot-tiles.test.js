// At which level a clip is looked at.

import assert from "node:assert/strict";
import test from "node:test";

import { levelFor, LONGEST_SOUND } from "./plot-tiles.js";

test("each level has steps half as long, and sound no tiles that are too long to decode", () => {
    assert.equal(levelFor(10, 1000, 0.01), 0);
    assert.equal(levelFor(10, 1000, 0.006), 1);
    assert.equal(levelFor(10, 1000, 0.001), 4);
    // Half an hour: tiles of 900 s aren't made.
    assert.equal(levelFor(1800, 1000, 1), 1);
    assert.equal(levelFor(1800, 1000, 1, LONGEST_SOUND), 2);
    assert.equal(levelFor(1800, 1000, 2, LONGEST_SOUND), 0);
    assert.equal(levelFor(36_000, 1000, 20, LONGEST_SOUND), 6);
});
