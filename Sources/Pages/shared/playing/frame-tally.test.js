// Whether a preview shows as many frames as it should.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FrameTally } from "./frame-tally.js";

/** Steps of the preview's clock in a second. */
const STEPS = 60;

/** The shortage after each part, given as `[seconds, frames due a second, frames shown a second]`. */
function judged(...parts) {
    const tally = new FrameTally();
    let now = 0, shown = 0;
    tally.show(1, now);
    return parts.map(([seconds, due, rate]) => {
        for (let step = 0; step < seconds * STEPS; step += 1) {
            now += 1 / STEPS;
            shown += rate / STEPS;
            tally.show(Math.floor(shown), now);
            shown -= Math.floor(shown);
            tally.step(now, due);
        }
        return tally.shortage;
    });
}

test("a shortage is said while it lasts", () => {
    const [enough, short, better, again] = judged([4.1, 30, 30], [4, 30, 15], [4, 30, 25], [4, 30, 29]);
    assert.equal(enough, null);
    assert.deepEqual(short, { shown: 15, due: 30 });
    assert.deepEqual(better, { shown: 25, due: 30 }, "it isn't said and unsaid all the time");
    assert.equal(again, null);
});

test("a screen shows sixty frames a second", () => {
    assert.deepEqual(judged([4.1, 240, 58], [4, 240, 30]), [null, { shown: 30, due: 60 }]);
});

test("nothing is said of a freeze", () => {
    assert.deepEqual(judged([4.1, 0, 0], [4, 2, 0]), [null, null]);
});

test("a paused page misses nothing", () => {
    const tally = new FrameTally();
    tally.show(1, 0);
    for (let pause = 1; pause <= 7; pause += 1) tally.step(20 * pause, 30);
    assert.equal(tally.shortage, null);
});
