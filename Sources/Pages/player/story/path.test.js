// The scenes that a viewer has come through, and what is stored of them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

const MANIFEST = JSON.parse(readFileSync(
    new URL("../../../../Tests/Pages/player/traces/story.json", import.meta.url), "utf8"));
let stored = new Map();

globalThis.localStorage = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => stored.set(key, value),
    removeItem: (key) => stored.delete(key),
};
const { Path } = await import("./path.js");
const { savedState, saveState } = await import("./saves.js");

beforeEach(() => {
    stored = new Map();
});

const state = (segment, history = [], variables = {}) => ({
    segment, variables, phase: "playing", available: [], next: null, fired: 0,
    history: history.map((each) => ({ segment: each, variables })),
});

/** A viewer who came by the door to the garden, and back to the door. */
function walked() {
    const path = new Path(MANIFEST);
    path.begin(state("intro"));
    path.follow(state("door"));
    path.choose(0);
    path.follow(state("hall", ["door"], { courage: 1 }));
    path.choose(1);
    path.follow(state("garden", ["door", "hall"], { courage: 1 }));
    path.choose(1);
    path.follow(state("door", ["door", "hall", "garden"], { courage: 1 }));
    return path;
}

const namesIn = ({ steps }) => steps.map(({ segment }) => segment);
const chosenIn = (path) => path.steps.map((step) => path.chosenIn(step));

test("each scene is a step with its title and what was chosen there", () => {
    const path = walked(), labels = (name, choice) => MANIFEST.segments[name].choices[choice].label;
    assert.deepEqual(namesIn(path), ["intro", "door", "hall", "garden", "door"]);
    assert.deepEqual(chosenIn(path), [null, labels("door", 0), labels("hall", 1), labels("garden", 1), null]);
    assert.equal(path.titleOf("hall"), MANIFEST.segments.hall.title ?? "hall");
});

test("a scene that goes round is one step", () => {
    const path = new Path(MANIFEST);
    path.begin(state("hall"));
    path.follow(state("hall"));
    path.follow(state("hall"));
    assert.deepEqual(namesIn(path), ["hall"]);
    path.choose(1);
    path.follow(state("garden", ["hall"]));
    assert.deepEqual(namesIn(path), ["hall", "garden"]);
    assert.ok(path.hasTaken("hall", "hall") && path.hasTaken("hall", "garden"));
    assert.ok(!path.hasTaken("garden", "hall"));
});

test("a viewer returns to a scene with what was known and decided there", () => {
    const path = walked(), now = state("door", ["door", "hall", "garden"], { courage: 1 });
    const { segment, variables, phase, history } = path.stateAt(2, now);
    assert.deepEqual([segment, variables, phase], ["hall", { courage: 1 }, "playing"]);
    assert.deepEqual(history.map((each) => each.segment), ["door"]);
    const steps = path.steps;
    path.cutAt(2);
    path.enterAgain(state("hall", ["door"], { courage: 1 }));
    assert.deepEqual(namesIn(path), ["intro", "door", "hall"]);
    assert.deepEqual(chosenIn(path).at(-1), null);
    path.takeBack(steps);
    assert.deepEqual(namesIn(path), ["intro", "door", "hall", "garden", "door"]);
});

test("back leads to the last step with that decision, and forgets what came after it", () => {
    const path = walked();
    path.back(state("garden", ["door", "hall"], { courage: 1 }));
    assert.deepEqual(namesIn(path), ["intro", "door", "hall", "garden"]);
    path.back(state("door"));
    assert.deepEqual(namesIn(path), ["intro", "door"]);
    assert.deepEqual(chosenIn(path), [null, null]);
});

test("after a reload the path and what was seen are still there", () => {
    walked();
    const path = new Path(MANIFEST);
    path.resume(state("door", ["door", "hall", "garden"], { courage: 1 }));
    assert.deepEqual(namesIn(path), ["intro", "door", "hall", "garden", "door"]);
    assert.equal(path.seenCount, 4);
    assert.ok(path.hasSeen("garden") && !path.hasSeen("end"));
    assert.ok(path.hasTaken("intro", "door") && path.hasTaken("garden", "door"));
    // What was seen stays when the viewer begins again.
    path.begin(state("intro"));
    assert.deepEqual([namesIn(path), path.seenCount], [["intro"], 4]);
});

test("a stored path that doesn't lead to the saved state is made from its decisions", () => {
    walked();
    const path = new Path(MANIFEST);
    path.resume(state("end", ["door", "garden"]));
    assert.deepEqual(namesIn(path), ["door", "garden", "end"]);
});

test("what is stored of another version of the story isn't known", () => {
    stored.set(`timewarp:seen:${MANIFEST.id}`, JSON.stringify({
        scenes: ["door", "gone"], ways: [["door", "gone"], ["intro", "door"], "door"] }));
    stored.set(`timewarp:path:${MANIFEST.id}`, JSON.stringify([
        { segment: "gone", depth: 0, choice: null }, { segment: "door", depth: 0, choice: null }]));
    const path = new Path(MANIFEST);
    assert.equal(path.seenCount, 1);
    assert.ok(path.hasTaken("intro", "door") && !path.hasTaken("door", "gone"));
    path.resume(state("door"));
    assert.deepEqual(namesIn(path), ["door"]);
});

test("a story that has ended leaves no state, and one that can't be stored goes on", () => {
    saveState(MANIFEST, state("garden"));
    assert.equal(savedState(MANIFEST).segment, "garden");
    saveState(MANIFEST, { ...state("end"), phase: "ended" });
    assert.equal(savedState(MANIFEST), null);
    localStorage.setItem = () => { throw new Error("full"); };
    assert.deepEqual(namesIn(walked()), ["intro", "door", "hall", "garden", "door"]);
});
