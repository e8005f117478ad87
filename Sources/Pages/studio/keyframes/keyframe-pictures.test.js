// Edits of speeds leave keyframes at their pictures.

import assert from "node:assert/strict";
import test from "node:test";

import { knotsOf, withPicturesHeld } from "./keyframe-pictures.js";
import { EASINGS, list, numbers, speedAt } from "../../../../Tests/Pages/keyframes.js";
import { isWithin } from "../../../../Tests/Pages/numbers.js";

const withSpeed = (keyframes, index, speed) => keyframes.map((each, i) => (i === index ? { ...each, speed } : each));
const pictures = (keyframes, duration) => knotsOf(keyframes, duration).knots.map(({ source }) => source);

/** The pictures of keyframes over the output by summing up small steps, as the program's map has them. */
function summed(keyframes, duration, steps = 4000) {
    const places = keyframes.map(({ at }) => Number(at.slice(0, -1)) / 100);
    const ways = [0];
    for (let step = 0; step < steps; step += 1) {
        const place = (step + 0.5) / steps;
        const i = places.findLastIndex((each) => each <= place);
        const speed = i < 0 ? keyframes[0].speed : i === places.length - 1 ? keyframes[i].speed
            : speedAt(keyframes[i], keyframes[i + 1].speed, (place - places[i]) / (places[i + 1] - places[i]));
        ways.push(ways[step] + speed / steps);
    }
    const low = Math.min(...ways), high = Math.max(...ways);
    return places.map((place) => (ways[Math.round(place * steps)] - low) / (high - low) * duration);
}

test("the pictures of keyframes over the output are those of the map", () => {
    for (const keyframes of [
        list(["0%", 1], ["30%", -0.5, "linear"], ["60%", 2], ["100%", 0.5]),
        list(["10%", 0, "hold"], ["25%", 3, "bezier(0.3,0,0.7,1)"], ["80%", -1]),
        list(["0%", -1], ["50%", 1, "hold"], ["75%", -0.25, "linear"], ["100%", 2]),
    ]) {
        pictures(keyframes, 12).forEach((picture, i) => isWithin(picture, 0.02, summed(keyframes, 12)[i]));
    }
});

test("a speed that becomes 0 leaves every keyframe at its picture, and comes back", () => {
    const before = list(["0%", 1], ["25%", 2], ["50%", 0.5], ["75%", 1], ["100%", 1]);
    const stopped = withPicturesHeld(before, withSpeed(before, 2, 0), 10);
    assert.equal(stopped[2].speed, 0);
    pictures(stopped, 10).forEach((picture, i) => isWithin(picture, 1e-4, 2.5 * i));
    const again = withPicturesHeld(stopped, withSpeed(stopped, 2, 0.5), 10);
    pictures(again, 10).forEach((picture, i) => isWithin(picture, 1e-4, 2.5 * i));
    assert.deepEqual(again.map(({ at }) => at), before.map(({ at }) => at));
});

test("where the film turns, keyframes after the turn are at their pictures again", () => {
    const before = list(["0%", 1], ["30%", 1], ["40%", 1], ["50%", 1], ["60%", 1], ["100%", 1]);
    const turned = withPicturesHeld(before, withSpeed(before, 2, -2), 10);
    const [, one, , three, four, end] = pictures(turned, 10);
    // From 3 s on it slows down, runs back, and is on its way again.
    for (const [picture, expected] of [[one, 3], [four, 6], [end, 10]]) isWithin(picture, 1e-4, expected);
    assert.ok(three < 5);
});

test("any change of one speed leaves those beyond its neighbours at their pictures", () => {
    const next = numbers(7);
    const random = (low, high) => low + (high - low) * next.next().value;
    for (let round = 0; round < 300; round += 1) {
        const duration = random(1, 4000), count = 4 + Math.floor(random(0, 5));
        const places = Array.from({ length: count }, () => random(0, 100)).sort((a, b) => a - b);
        const before = places.map((place) => ({
            at: `${place.toFixed(4)}%`, speed: random(0.1, 4), easing: EASINGS[Math.floor(random(0, 5))],
        }));
        // Before the first one the film moves at its speed, and begins with the clip.
        const index = 1 + Math.floor(random(0, count - 1));
        const speed = [0, random(-0.05, 0), random(0.1, 4)][round % 3];
        const after = withPicturesHeld(before, withSpeed(before, index, speed), duration);
        const [old, now] = [pictures(before, duration), pictures(after, duration)];
        now.forEach((picture, i) => {
            // A piece that is held at 0 or below doesn't come to the next one.
            const isHeld = i === index + 1 && before[index].easing === "hold" && speed <= 0;
            if (!isHeld) isWithin(picture, 2e-4 * duration, old[i]);
        });
    }
});

test("a film that stands still altogether moves again as it did", () => {
    const before = list(["0%", 1], ["50%", 0], ["100%", 1]);
    const first = withPicturesHeld(before, withSpeed(before, 0, 0), 10);
    const still = withPicturesHeld(first, withSpeed(first, 2, 0), 10);
    const again = withPicturesHeld(still, withSpeed(still, 0, 1), 10);
    for (const keyframes of [first, still, again]) {
        const places = keyframes.map(({ at }) => parseFloat(at));
        assert.ok(places.every((place, i) => Number.isFinite(place) && place >= (places[i - 1] ?? 0)), String(places));
    }
});

test("a keyframe at the end of a freeze is dragged: the freeze lasts longer, and the rest stays", () => {
    const before = list(["0%", 1, "linear"], ["40%", 0, "hold"], ["60%", 1, "hold"], ["80%", 2, "hold"]);
    const old = pictures(before, 10), { length } = knotsOf(before, 10);
    const after = withPicturesHeld(before, before.map((each, i) => (i === 2 ? { ...each, at: "70%" } : each)), 10);
    pictures(after, 10).forEach((picture, i) => isWithin(picture, 1e-4, old[i]));
    const { knots, length: now } = knotsOf(after, 10);
    isWithin(knots[2].output - knots[1].output, 1e-4, 0.3 * length);
    isWithin(now, 1e-4, 1.1 * length);
});

test("a cut to another picture leaves the others at theirs", () => {
    const cutTo = (at, source, speed) => ({ at, speed, easing: "hold", source });
    const before = [
        { at: "0s", speed: 1, easing: "hold" }, cutTo("4s", "8s", -1), cutTo("8s", "8s", 1), { at: "10s", speed: 1, easing: "hold" },
    ];
    const after = withPicturesHeld(before, before.with(2, { ...before[2], source: "9s" }), 12);
    isWithin(pictures(after, 12)[2], 1e-5, 9);
    [0, 1, 3].forEach((i) => isWithin(pictures(after, 12)[i], 1e-5, pictures(before, 12)[i]));
    // The picture at 10 s is nearer now.
    isWithin(parseFloat(after[3].at), 1e-5, 9);
});
