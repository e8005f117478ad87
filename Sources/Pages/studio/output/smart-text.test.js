import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateText } from "./smart-text.js";

const plain = "encode only what changes";

test("the switch says what it keeps, and why nothing is", () => {
    assert.equal(estimateText({ kept: 9, encoded: 1, reason: "black" }, true), "keeps 90 % of the video as it is stored");
    assert.equal(estimateText({ kept: 0, encoded: 5, reason: "it is interlaced" }, true), "keeps nothing: it is interlaced");
});

test("without smart rendering more than half is worth a word", () => {
    assert.equal(estimateText({ kept: 9, encoded: 1 }, false), "would keep 90 % of the video as it is stored");
    assert.equal(estimateText({ kept: 1, encoded: 1 }, false), plain);
});

test("nothing is said of what isn't known, or has no video", () => {
    assert.equal(estimateText(null, true), plain);
    assert.equal(estimateText({ kept: 0, encoded: 0 }, true), plain);
});
