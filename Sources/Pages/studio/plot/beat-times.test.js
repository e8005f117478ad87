// Where the beats of a sound are on an axis of the plot.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromProgram } from "../../../../Tests/Pages/program.js";
import { isNear, isWithin } from "../../../../Tests/Pages/numbers.js";
import { outputOf, sourceAt } from "../../shared/playing/plot-map.js";
import { atMultiple, timesOnAxis } from "./beat-times.js";

const BEATS = Array.from({ length: 10 }, (_, i) => 0.5 + i);
const RAMP = {
    sourceStart: 0, sourceDuration: 10,
    ...fromProgram("--curve", "double-smoothstep", "--factor", "2.2", "--modifier", "0.7"),
};
const WHOLE = { from: 0, to: 10 };

test("beats of the output stand at what is shown then", () => {
    const heard = BEATS.filter((time) => time <= RAMP.outputDuration);
    const places = timesOnAxis(BEATS, "output", RAMP, "source", WHOLE);
    assert.equal(places.length, heard.length);
    places.forEach((place, i) => isWithin(outputOf(RAMP.map, place), 1e-3, heard[i]));
});

test("at half the tempo every other beat is there, and at twice it one more between two", () => {
    const found = { tempo: 100, onsets: [0.1], beats: [0, 1, 2, 4, 5] };
    assert.equal(atMultiple(found, 1), found);
    assert.deepEqual(atMultiple(found, 1 / 2), { tempo: 50, onsets: [0.1], beats: [0, 2, 5] });
    assert.deepEqual(atMultiple(found, 1 / 4).beats, [0, 5]);
    assert.deepEqual(atMultiple(found, 2), { tempo: 200, onsets: [0.1], beats: [0, 0.5, 1, 1.5, 2, 3, 4, 4.5, 5] });
    const none = { beats: [] };
    assert.equal(atMultiple(none, 2), none);
});

test("beats of a clip stand where the clip has them, counted from its range", () => {
    assert.deepEqual(timesOnAxis(BEATS, "source", RAMP, "source", WHOLE), BEATS);
    const later = { ...RAMP, sourceStart: 4, sourceDuration: 3 };
    assert.deepEqual(timesOnAxis(BEATS, "source", later, "source", { from: 0, to: 3 }), [0.5, 1.5, 2.5]);
    assert.deepEqual(timesOnAxis(BEATS, "source", RAMP, "source", { from: 2, to: 4 }), [2.5, 3.5]);
});

test("over the output a beat of the clip stands as often as it is shown", () => {
    const thereAndBack = {
        ...RAMP, outputDuration: 20, map: { output: [0, 10, 20], source: [0, 10, 0] },
    };
    const places = timesOnAxis([2.5], "source", thereAndBack, "output", { from: 0, to: 20 });
    assert.deepEqual(places, [2.5, 17.5]);
    for (const place of places) isNear(sourceAt(thereAndBack.map, place), 2.5);
});
