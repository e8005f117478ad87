// The questions to the server while a request is being edited.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";

import { createEvaluator } from "./evaluator.js";

test("of many questions the latest is asked", async () => {
    const asked = [], answered = [], open = [];
    const ask = createEvaluator((request) => new Promise((done) => {
        asked.push(request);
        open.push(() => done({ request }));
    }), ({ request }, _, isLatest) => answered.push([request, isLatest]));
    const answer = async () => {
        open.shift()();
        // This comes after everything that promises have to carry on.
        await setImmediate();
    };
    ["a", "b", "c"].forEach(ask);
    await answer();
    await answer();
    ask("d");
    ask(null);
    await answer();
    assert.deepEqual(asked, ["a", "c", "d"]);
    assert.deepEqual(answered, [["a", false], ["c", true]]);
});
