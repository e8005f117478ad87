// The preview's decisions, with a simulated video.

import assert from "node:assert/strict";
import { test } from "node:test";

import { carriedOver } from "./preview.js";
import { isAbove, isAtLeast, isAtMost, isBelow, isNear, largest } from "../../../../Tests/Pages/numbers.js";
import { framesBetween, mapOf, simulate } from "../../../../Tests/Pages/studio/simulated-video.js";

/** Half speed, double speed, normal speed. */
const RAMP = [[0, 0], [2, 1], [3, 3], [5, 5]];
const PLAIN = [[0, 0], [4, 4]];

/** The largest distance in frames between the wanted and the shown frame, after `after`. */
const worst = ({ log }, after = 0) => largest(
    log.filter(({ output }) => output >= after).map(({ wanted, shown }) => framesBetween(wanted, shown)));

const between = ({ log }, from, to) => log.filter(({ output }) => output > from && output < to);

/** A run that shows what it should, and takes so many seconds. */
function follow(points, seconds, options) {
    const run = simulate(points, options);
    assert.ok(run.isOver);
    isBelow(worst(run), 2);
    isBelow(Math.abs(run.now - seconds), 0.3, `it took ${run.now} s`);
    return run;
}

test("a ramp is followed by the rate alone", () => {
    const run = follow(RAMP, 5);
    assert.equal(run.seeks, 0);
    const slow = between(run, 0.5, 1.8).filter(({ isPaused }) => !isPaused);
    isAtMost(largest(slow.map(({ rate }) => Number(rate.toFixed(1)))), 0.6);
});

test("an uneven clock does no harm", () => {
    follow(RAMP, 5, { jitter: 0.8 });
});

test("a video's time may run before it shows anything", () => {
    for (const [points, seconds] of [[RAMP, 5], [PLAIN, 4], [[[0, 0], [2, 8]], 2]]) {
        const run = simulate(points, { ahead: 0.15 });
        assert.ok(run.isOver);
        isAtMost(run.seeks, 1);
        isBelow(Math.abs(run.now - seconds), 0.3, `it took ${run.now} s`);
        isBelow(worst(run, 0.5), 2);
    }
});

test("a freeze stands still", () => {
    const run = follow([[0, 0], [1, 1], [3, 1], [4, 2]], 4);
    const paused = between(run, 1.2, 2.8).map(({ isPaused }) => isPaused);
    assert.deepEqual(new Set(paused), new Set([true]));
    isAtMost(run.seeks, 2);
});

test("backwards is sought", () => {
    isAbove(follow([[0, 0], [1, 1], [2, 0], [3, 1]], 3).seeks, 10);
});

test("backwards shows small frames", () => {
    const run = follow([[0, 0], [4, 4], [6, 0], [8, 2]], 8, { fetching: 0 });
    isAtMost(run.seeks, 2);
    assert.equal(largest(between(run, 4.05, 5.95).map(({ shown, wanted }) => Math.abs(shown - wanted))), 0);
});

test("the clock waits for small frames", () => {
    const late = simulate([[0, 0], [4, 4], [6, 0], [8, 2]], { fetching: 0.25 });
    assert.ok(late.isOver);
    isBelow(worst(late), 2);
    isAbove(late.now, 8.9);
});

test("what is too fast for browsers shows small frames", () => {
    assert.equal(simulate([[0, 0], [1, 40]], { fetching: 0 }).seeks, 0);
});

test("backwards waits for slow seeks", () => {
    const run = simulate([[0, 2], [1, 0]], { output: 0.0001, latency: 0.3 });
    assert.ok(run.isOver);
    isBelow(worst(run, 0.01), 2);
    isAbove(run.now, 2);
});

test("a cut is crossed", () => {
    const cuts = [
        [[[0, 0], [1, 1], [1, 5], [2, 6]], {}],
        [[[0, 5], [1, 4], [1, 1], [2, 0]], { output: 0.001 }],
    ];
    for (const [points, options] of cuts) {
        const run = simulate(points, { seconds: 10, ...options });
        assert.ok(run.isOver);
        const wrong = run.log.filter(({ shown, wanted }) => framesBetween(shown, wanted) > 2);
        isBelow(wrong.length, 10, "no longer than the one seek takes");
        isBelow(run.now, 2.5);
    }
});

test("what is too fast for browsers is sought", () => {
    const run = simulate([[0, 0], [1, 40]], { seconds: 60 });
    assert.ok(run.isOver);
    isBelow(worst(run), 2);
    assert.deepEqual(new Set(run.log.map(({ isPaused }) => isPaused)), new Set([true]));
});

test("the clock waits while the video stalls", () => {
    const run = simulate(PLAIN, { stall: [1, 2] });
    assert.ok(run.isOver);
    isBelow(worst(run), 2);
    isAbove(run.now, 4.9);
});

test("a shuttle backwards ends at the start", () => {
    const run = simulate(RAMP.slice(0, 3), { pace: -1, output: 2.999, seconds: 5 });
    assert.ok(run.isOver);
    isBelow(run.log.at(-1).output, 0.01);
});

test("a loop starts again and again", () => {
    const { log, isOver } = simulate([[0, 0], [1, 1]], { loop: true, seconds: 3.5 });
    assert.ok(!isOver);
    const turns = log.filter(({ output }, index) => index > 0 && log[index - 1].output - output > 0.5);
    isAtLeast(turns.length, 3);
});

test("a new map goes on at the same place", () => {
    const carried = (output, before, after, shift = 0) => carriedOver(
        { output }, mapOf(before), mapOf(after), shift).output;
    const slow = [[0, 0], [8, 4]], short = [[0, 0], [2, 2]], thereAndBack = [[0, 0], [4, 4], [8, 0]];
    isNear(carried(1, PLAIN, slow), 2);
    isNear(carried(2, slow, PLAIN), 1);
    isNear(carried(2, PLAIN, short, 1), 1, 6, "a later range");
    isNear(carried(3, PLAIN, short), 2, 6, "beyond the new range");
    isNear(carried(6, thereAndBack, thereAndBack), 6, 6, "the way back stays");
});
