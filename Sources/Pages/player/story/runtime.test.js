// The page's runtime follows the traces: some made by hand, a thousand made by the library's runtime.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

import { freshState, resume, step } from "./runtime.js";
import { timewarp } from "../../../../Tests/Pages/program.js";
import { builtStory } from "../../../../Tests/Pages/player/built-story.js";

const TRACES = fileURLToPath(new URL("../../../../Tests/Pages/player/traces/", import.meta.url));
const manifestAt = (path) => JSON.parse(readFileSync(path, "utf8"));
const STORY = join(TRACES, "story.json");

/** Takes every step of the traces, one of which is on each line; returns them. */
function follow(manifest, lines, context) {
    const traces = lines.trim().split("\n").map((line) => JSON.parse(line));
    const differences = [];
    traces.forEach((trace, line) => {
        let state = freshState(manifest);
        trace.forEach(({ input, ...expected }, index) => {
            const result = step(manifest, state, input);
            state = result.state;
            if (!isDeepStrictEqual(result, expected)) differences.push({ line, index, input, expected, result });
        });
    });
    assert.deepEqual(differences.slice(0, 3), []);
    context.diagnostic(`${traces.length} traces, ${traces.flat().length} steps`);
    return traces;
}

test("it agrees with traces made by hand", (context) => {
    follow(manifestAt(STORY), readFileSync(join(TRACES, "by-hand.jsonl"), "utf8"), context);
});

/** 500 random walks of the library's runtime, which come to every phase. */
function followWalks(story, seed, context) {
    const lines = timewarp("story", "walk", story, "--random", "500", "--seed", String(seed));
    const traces = follow(manifestAt(story), lines, context);
    assert.equal(traces.length, 500);
    const phases = new Set(traces.flat().map(({ state }) => state.phase));
    for (const phase of ["playing", "choosing", "locked", "ended"]) assert.ok(phases.has(phase), phase);
}

test("it agrees with the library on 500 random walks through the test story", (context) => {
    followWalks(join(builtStory(), "film/story.json"), 1, context);
});

test("it agrees with the library on 500 random walks through the story of the traces", (context) => {
    followWalks(STORY, 2, context);
});

/** A state that was saved while the hall offered its choices. */
const SAVED = {
    segment: "hall", variables: { courage: 4, luck: 1 }, phase: "choosing", available: [0], next: null, fired: 1,
    history: [{ segment: "door", variables: { courage: 0, luck: 3 } }],
};

test("a variable is never −0, which JSON readers lose", () => {
    const manifest = manifestAt(STORY);
    manifest.segments.hall.choices[0].set = [["luck", [0, -1, "*"]]];
    const { state } = step(manifest, { ...SAVED, phase: "choosing" }, { do: "chose", choice: 0 });
    assert.ok(Object.is(state.variables.luck, 0));
});

test("a saved state is resumed at the start of its segment", () => {
    const { actions, state } = resume(manifestAt(STORY), SAVED);
    assert.deepEqual(actions, [{ do: "play", segment: "hall" }]);
    assert.deepEqual(state, { ...SAVED, phase: "playing", available: [], fired: 0 });
});

test("a saved state of another story is refused", () => {
    const manifest = manifestAt(STORY);
    const changes = [
        { segment: "cellar" }, { variables: { courage: 4 } }, { variables: { courage: 4, luck: "1" } },
        { phase: "ended" }, { history: [{ segment: "cellar", variables: SAVED.variables }] }, { history: null },
        { available: [2] }, { fired: 3 }, { phase: "locked" }, { next: "cellar" },
    ];
    for (const change of changes) {
        assert.equal(resume(manifest, { ...SAVED, ...change }), null, JSON.stringify(change));
    }
    for (const other of [null, 5]) assert.equal(resume(manifest, other), null);
});
