// Commands on a stretch: what they do in it, and that they do nothing else.

import assert from "node:assert/strict";
import test from "node:test";

import { held, ramped, rewound, sped } from "./keyframe-commands.js";
import { knotsOf } from "./keyframe-pictures.js";
import { EASINGS, list, numbers, played } from "../../../../Tests/Pages/keyframes.js";
import { isWithin } from "../../../../Tests/Pages/numbers.js";

const RAMP = list(["0%", 1], ["40%", 0.25], ["60%", 0.25], ["100%", 1]);
/** With a frame rate at which a fifth of a frame is 8 ms. */
const SOURCE = { duration: 10, frameRate: 25 };
const HOPS = [0.02, 0.2, 0.4, 0.6, 0.8, 0.98];

const knots = (keyframes, { duration } = SOURCE) => knotsOf(keyframes, duration);

/** Fails unless one stretch of the output shows what another did. */
function playsAlike(now, old, from, to, later, tolerance, text) {
    for (const hop of HOPS) {
        const at = from + hop * (to - from);
        isWithin(now(at + later), tolerance, old(at), `${text} at ${at}`);
    }
}

test("a hold puts in a freeze, and leaves the rest as it was", () => {
    const next = numbers(11), random = (low, high) => low + (high - low) * next.next().value;
    for (let round = 0; round < 60; round += 1) {
        const duration = random(2, 20), source = { duration, frameRate: 25 };
        const before = Array.from({ length: 3 + round % 4 }, () => random(0, 100)).sort((a, b) => a - b)
            .map((place) => ({ at: `${place.toFixed(4)}%`, speed: random(0.2, 3), easing: EASINGS[Math.floor(random(0, 5))] }));
        const at = random(0, duration), seconds = random(0.1, 4);
        const { keyframes, selected } = held(before, at, seconds, source);
        const old = played(before, duration), now = played(keyframes, duration);
        const { length } = knots(before, source), after = knots(keyframes, source);
        isWithin(after.length, 1e-3 * length, length + seconds);
        const [start, end] = selected.map((i) => after.knots[i]);
        isWithin(end.output - start.output, 2e-5 * length, seconds);
        isWithin(start.source, 1e-5 * duration, at);
        const tolerance = 0.009 + 2e-3 * duration;
        playsAlike(now, old, 0, start.output, 0, tolerance, `before, round ${round}`);
        playsAlike(now, old, start.output, length, seconds, tolerance, `after, round ${round}`);
        for (const hop of HOPS) isWithin(now(start.output + hop * seconds), tolerance, at, `in the hold, round ${round}`);
    }
});

test("a ramp that is turned over to the output keeps its pictures within a fifth of a frame", () => {
    for (const easing of EASINGS) {
        for (const [speed, after] of [[1, 0.25], [0.25, 2], [1, 0.1], [0.1, 8]]) {
            const before = list(["0%", speed, easing], ["100%", after]);
            const { keyframes } = held(before, 0, 1, SOURCE);
            const old = played(before, 10, 40000), now = played(keyframes, 10, 40000);
            playsAlike(now, old, 0, knots(before).length, 1, 0.0085, `${easing} from ${speed} to ${after}`);
        }
    }
});

test("a hold at either end adds no piece beyond it", () => {
    const first = held(RAMP, 0, 2, SOURCE).keyframes, last = held(RAMP, 10, 2, SOURCE).keyframes;
    assert.deepEqual(first.slice(0, 2).map(({ speed }) => speed), [0, 0]);
    assert.equal(first.length, RAMP.length + 2);
    assert.deepEqual(last.slice(-2).map(({ speed }) => speed), [0, 0]);
    isWithin(knots(last).length, 1e-4, knots(RAMP).length + 2);
});

test("a stretch gets one speed, over the source exactly", () => {
    const { keyframes, selected } = sped(RAMP, { from: 2, to: 7 }, 2, SOURCE);
    assert.deepEqual(keyframes.map(({ at, speed }) => [at, speed]), [["0%", 1], ["20%", 0.625], ["20%", 2], ["70%", 2],
        ["70%", 0.3671875], ["100%", 1]]);
    assert.deepEqual(selected, [2, 3]);
    const old = played(RAMP, 10), now = played(keyframes, 10);
    const [, , start, end] = knots(keyframes).knots;
    isWithin(end.output - start.output, 1e-6, 2.5);
    playsAlike(now, old, 0, start.output, 0, 0.01, "before");
    isWithin(knots(keyframes).length - end.output, 1e-3, knots(RAMP).length - outputOf(RAMP, 7));
});

/** When a picture is shown first, in the output. */
function outputOf(keyframes, source) {
    const at = played(keyframes, 10), { length } = knots(keyframes);
    let [low, high] = [0, length];
    for (let step = 0; step < 40; step += 1) {
        const middle = (low + high) / 2;
        if (at(middle) < source) low = middle;
        else high = middle;
    }
    return low;
}

test("a plateau between jumps takes another speed without more keyframes", () => {
    const once = sped(RAMP, { from: 4, to: 6 }, 0.5, SOURCE).keyframes;
    const twice = sped(once, { from: 4, to: 6 }, 2, SOURCE).keyframes;
    assert.equal(twice.length, once.length);
    assert.deepEqual(sped(once, { from: 4, to: 6 }, 0.25, SOURCE).keyframes.map(({ speed }) => speed), [1, 0.25, 0.25, 1]);
});

test("a stretch goes over to a speed and on from there, or stops and goes on as before", () => {
    const { keyframes, selected } = ramped(RAMP, { from: 6, to: 8 }, 2, SOURCE);
    assert.deepEqual(keyframes.map(({ at, speed }) => [at, speed]), [["0%", 1], ["40%", 0.25], ["60%", 0.25], ["80%", 2],
        ["100%", 1]]);
    assert.deepEqual(selected, [2, 3]);
    const stopped = ramped(RAMP, { from: 6, to: 8 }, 0, SOURCE).keyframes;
    const { knots: all } = knots(stopped);
    const stop = all.findIndex(({ speed }) => speed === 0);
    isWithin(all[stop].source, 1e-4, 8);
    isWithin(all[stop + 1].source, 1e-4, 8);
    isWithin(all[stop + 1].speed, 1e-9, 0.625);
    // From a quarter to none over 2 s of the source: at half of a quarter on average.
    isWithin(all[stop].output - all[stop - 1].output, 1e-3, 16);
});

test("a rewind plays a stretch, back, and again", () => {
    const { keyframes, selected } = rewound(RAMP, { from: 2, to: 8 }, 3, SOURCE);
    const { knots: all, length } = knots(keyframes), [back, again] = selected.map((i) => all[i]);
    isWithin(back.source, 1e-4, 8);
    isWithin(again.source, 1e-4, 2);
    isWithin(again.output - back.output, 1e-4, 2);
    const old = played(RAMP, 10, 20000), now = played(keyframes, 10, 20000);
    const start = outputOf(RAMP, 2), stop = outputOf(RAMP, 8);
    playsAlike(now, old, 0, stop, 0, 0.015, "first");
    playsAlike(now, old, start, knots(RAMP).length, again.output - start, 0.015, "again");
    isWithin(length, 1e-3, knots(RAMP).length + 2 + stop - start);
    const end = rewound(RAMP, { from: 8, to: 10 }, 2, SOURCE).keyframes;
    isWithin(knots(end).knots.at(-1).source, 1e-4, 10);
});

test("what doesn't move has no speed and no way back", () => {
    const { keyframes } = held(RAMP, 3, 2, SOURCE), { knots: all } = knots(keyframes);
    const freeze = { from: all[2].output, to: all[3].output };
    assert.equal(sped(keyframes, freeze, 2, SOURCE), null);
    assert.equal(ramped(keyframes, freeze, 2, SOURCE), null);
    assert.equal(rewound(keyframes, freeze, 2, SOURCE), null);
    // A hold in a hold lengthens it.
    isWithin(knots(held(keyframes, freeze.from + 1, 1, SOURCE).keyframes).length, 1e-4, knots(keyframes).length + 1);
});
