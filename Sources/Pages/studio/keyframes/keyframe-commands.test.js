// Commands on a stretch: what they do in it, and that they do nothing else.

import assert from "node:assert/strict";
import test from "node:test";

import { held, ramped, reversed, rewound, sped } from "./keyframe-commands.js";
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

test("a stretch changes to a speed and keeps it, or stops and goes on as before", () => {
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

/** Fails unless a stretch is played backwards, and the rest as it was. */
function isReversed(before, { from, to }, source, isOutput, text) {
    const { keyframes } = reversed(before, { from, to }, source), { duration } = source;
    const old = played(before, duration, 8000), now = played(keyframes, duration, 8000), { length } = knots(before, source);
    const when = (place) => {
        if (isOutput) return place;
        let [low, high] = [0, length];
        for (let step = 0; step < 50; step += 1) {
            const middle = (low + high) / 2;
            if (old(middle) < place) low = middle;
            else high = middle;
        }
        return low;
    };
    const [start, end] = [when(from), when(to)], tolerance = 0.015 + 4e-3 * duration;
    isWithin(knots(keyframes, source).length, 2e-3 * length, length, text);
    if (start > 0.1) playsAlike(now, old, 0, start, 0, tolerance, `${text}, before`);
    // The last keyframe is where the witness ends.
    const last = Number(keyframes[keyframes.length - 1].at.slice(0, -1));
    if (last > end + 0.1) playsAlike(now, old, end, last, 0, tolerance, `${text}, after`);
    for (const hop of HOPS) {
        isWithin(now(start + hop * (end - start)), tolerance, old(end - hop * (end - start)), `${text}, in the stretch at ${hop}`);
    }
    return keyframes;
}

test("a stretch is played backwards, and the rest stays", () => {
    const next = numbers(17), random = (low, high) => low + (high - low) * next.next().value;
    for (let round = 0; round < 60; round += 1) {
        const duration = random(4, 12), source = { duration, frameRate: 25 };
        const before = ["0%", ...Array.from({ length: 2 }, () => `${random(5, 95).toFixed(4)}%`)
            .sort((a, b) => parseFloat(a) - parseFloat(b)), "100%"].map((at) => ({
            at, speed: random(0.3, 2), easing: EASINGS[Math.floor(random(0, 5))] }));
        const from = random(0, 0.5 * duration);
        isReversed(before, { from, to: from + random(0.2, 0.5) * duration }, source, false, `round ${round}`);
    }
});

test("a stretch at either end, one with a jump and a freeze in it, and one that is reversed again", () => {
    const text = JSON.stringify, even = list(["0%", 1, "linear"], ["100%", 1]);
    const first = isReversed(even, { from: 0, to: 4 }, SOURCE, false, "at the start");
    assert.deepEqual(first.map(({ at, speed, source }) => [at, speed, source]), [["0s", -1, "4s"], ["4s", -1, undefined],
        ["4s", 1, "4s"], ["10s", 1, undefined]], text(first));
    const last = isReversed(even, { from: 6, to: 10 }, SOURCE, false, "at the end");
    assert.deepEqual(last.map(({ at, speed, source }) => [at, speed, source]), [["0s", 1, undefined], ["6s", 1, undefined],
        ["6s", -1, "10s"], ["10s", -1, undefined], ["10s", 0, undefined]], text(last));
    const frozen = list(["0s", 1, "hold"], ["2s", 2, "hold"], ["3s", 0, "hold"], ["4s", 1, "linear"], ["6s", 2, "hold"]);
    const made = isReversed(frozen, { from: 1, to: 5 }, SOURCE, true, "a freeze");
    const again = reversed(made, { from: 1, to: 5 }, SOURCE).keyframes, was = played(frozen, 10), now = played(again, 10);
    playsAlike(now, was, 0, 6, 0, 0.06, "reversed twice");
    assert.equal(reversed(frozen, { from: 3, to: 4 }, SOURCE), null);
});

test("a hold, a speed and a ramp in a film that cuts leave its cuts where they are", () => {
    const { keyframes: before } = reversed(list(["0%", 1, "linear"], ["100%", 1]), { from: 4, to: 8 }, SOURCE);
    const old = played(before, 10);
    const pause = played(held(before, 2, 1.5, SOURCE).keyframes, 10);
    playsAlike(pause, old, 2, 9.9, 1.5, 0.02, "after a hold");
    for (const command of [sped, ramped]) {
        const { keyframes } = command(before, { from: 4, to: 8 }, 2, SOURCE), { length } = knots(keyframes);
        playsAlike(played(keyframes, 10), old, 8, 9.9, length - 10, 0.02, command.name);
        playsAlike(played(keyframes, 10), old, 0, 4, 0, 0.02, command.name);
    }
});
