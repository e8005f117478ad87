// Keyframes stay at their pictures when another part of the clip is used.

import assert from "node:assert/strict";
import test from "node:test";

import { freshDraft } from "../app/draft.js";
import { EASINGS, list, numbers, played } from "../../../../Tests/Pages/keyframes.js";
import { isWithin } from "../../../../Tests/Pages/numbers.js";
import { knotsOf } from "./keyframe-pictures.js";
import { keyframesIn, withRange } from "./keyframe-range.js";
import { parseAt } from "./keyframe-text.js";

/** What both play, from the same picture on for some seconds, is the same. */
function assertSame(before, after, old, now, label) {
    const oldAt = played(old, before.duration), nowAt = played(now, after.duration);
    const first = Math.max(before.start, after.start), last = Math.min(before.start + before.duration, after.start + after.duration);
    const reached = (at, part, length) => {
        let [low, high] = [0, length];
        for (let step = 0; step < 50; step += 1) {
            const middle = (low + high) / 2;
            if (at(middle) < first + 0.01 - part.start) low = middle;
            else high = middle;
        }
        return low;
    };
    const lengths = [knotsOf(old, before.duration).length, knotsOf(now, after.duration).length];
    // It is played in 4000 steps, which may show a jump of the speed a step or two early or late.
    const error = 0.02 + 8 * Math.max(...lengths) / 4000;
    const [from, start] = [reached(oldAt, before, lengths[0]), reached(nowAt, after, lengths[1])];
    for (let step = 1; step < 40; step += 1) {
        const time = step / 40 * (lengths[0] - from), picture = before.start + oldAt(from + time);
        if (picture > last - 0.01) break;
        isWithin(after.start + nowAt(start + time), error, picture, label);
    }
}

test("any other part leaves speeds, freezes and easings at their pictures", () => {
    const next = numbers(11), random = (low, high) => low + (high - low) * next.next().value;
    for (let round = 0; round < 200; round += 1) {
        const places = Array.from({ length: 2 + Math.floor(random(0, 5)) }, () => random(0, 100)).sort((a, b) => a - b);
        const keyframes = places.map((place, i) => ({
            at: `${place.toFixed(4)}%`, easing: EASINGS[Math.floor(random(0, 5))],
            speed: round % 2 === 1 && i === 1 && places.length > 2 ? 0 : random(0.2, 4),
        }));
        const before = { start: random(5, 10), duration: random(6, 12) };
        const after = { start: before.start + random(-4, 2.5), duration: random(4, 10) };
        const kept = keyframesIn(keyframes, before, after);
        assertSame(before, after, keyframes, kept, JSON.stringify([keyframes, before, after]));
        for (const { at } of kept) assert.ok(parseAt(at), `${at} is no place`);
    }
});

test("a part that grows goes on at the first and the last speed, and beyond a freeze at normal speed", () => {
    const before = { start: 4, duration: 4 }, after = { start: 2, duration: 8 };
    const ramp = keyframesIn(list(["0%", 2, "linear"], ["100%", 0.5]), before, after);
    assert.deepEqual(ramp, list(["25%", 2, "linear"], ["75%", 0.5]));
    const frozen = list(["0%", 0, "hold"], ["50%", 1, "hold"], ["100%", 0, "hold"]);
    const at = played(keyframesIn(frozen, before, after), 8);
    // 2 s come before, the freeze, what was played, and 2 s that come after the freeze, which is of no length.
    for (const [output, picture] of [[1, 1], [2.5, 2], [5.5, 2], [6.5, 2.5], [11, 7]]) isWithin(at(output), 0.02, picture);
});

test("a rewind follows to a longer part, and else stays as it is", () => {
    const keyframes = list(["0%", 1, "hold"], ["40%", -1, "hold"], ["60%", 1, "hold"]), before = { start: 2, duration: 6 };
    const longer = keyframesIn(keyframes, before, { start: 1, duration: 9 });
    isWithin(played(longer, 9)(1), 0.02, 1);
    isWithin(played(longer, 9)(5), 0.02, 5);
    isWithin(played(longer, 9)(6), 0.02, 4);
    assert.equal(keyframesIn(keyframes, before, { start: 3, duration: 5 }), keyframes);
});

test("what a shorter part cuts off comes back, unless the keyframes were changed", () => {
    const draft = freshDraft("clip"), clip = { duration: 10, video: { frameRate: 25 } };
    draft.warp = { ...draft.warp, kind: "keyframes", keyframes: list(["10%", 1], ["50%", 0.25], ["90%", 1]) };
    const short = withRange(draft, { start: "4", end: "100f" }, clip), part = withRange(draft, { start: "4", end: "6" }, clip);
    assert.equal(short.warp.keyframes, draft.warp.keyframes, "a part that is none changes nothing");
    assert.deepEqual(part.warp.keyframes.map(({ at }) => at), ["0%", "50%", "100%"]);
    isWithin(part.warp.keyframes[1].speed, 1e-9, 0.25);
    assert.deepEqual(withRange(part, null, clip).warp.keyframes, draft.warp.keyframes);
    const edited = { ...part, warp: { ...part.warp, keyframes: list(["0%", 1], ["50%", 2], ["100%", 1]) } };
    assert.deepEqual(withRange(edited, null, clip).warp.keyframes, list(["40%", 1], ["50%", 2], ["60%", 1]));
});

test("flipped keyframes stay where they play", () => {
    const draft = freshDraft("clip"), clip = { duration: 10, video: null };
    draft.warp = { ...draft.warp, kind: "keyframes", flip: true, keyframes: list(["20%", 2], ["100%", 1]) };
    // At speed 1 at the start, and at 2 from 8 s on.
    const { warp } = withRange(draft, { start: "0", end: "8" }, clip);
    assert.deepEqual(warp.keyframes.map(({ at, speed }) => [at, speed]), [["0%", 2], ["100%", 1]]);
});
