// How edits are saved: one request after another, and nothing twice.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setImmediate } from "node:timers/promises";

Object.assign(globalThis, { addEventListener() {}, document: { addEventListener() {} } });
const { EditSaver } = await import("./edit-saver.js");

const edit = (name) => ({ id: "1", name, clips: [] });

let sent = [], conflicts = 0, saved = [], saver;

/** Answers the request that was sent first, and lets all go on that waits for it. */
async function answer(status, body = {}) {
    sent.shift().resolve({ ok: status < 300, status, text: async () => JSON.stringify(body) });
    await setImmediate();
}

const names = () => sent.map(({ body }) => body?.name ?? "a question");

beforeEach(() => {
    sent = [], conflicts = 0, saved = [];
    globalThis.fetch = (_, { body }) => new Promise((resolve) => {
        sent.push({ body: body && JSON.parse(body), resolve });
    });
    saver = new EditSaver({
        onChange: () => {}, onSaved: ({ name }) => saved.push(name), onFailure: () => { conflicts += 1; },
    });
    saver.knows(edit("old"));
});

test("what is about to be sent isn't sent again", async () => {
    saver.want(edit("new"));
    const all = saver.flush();
    // The page shows its edit again in the same instant, before the request is made.
    saver.want(edit("new"));
    await setImmediate();
    assert.deepEqual(names(), ["new"]);
    assert.equal(saver.isBehind, true);
    await answer(200);
    await all;
    assert.equal(saver.isBehind, false);
    assert.deepEqual(saved, ["new"]);
    assert.equal(saver.versionOf("1"), 2);
});

test("a newer state follows the one that is under way", async () => {
    saver.want(edit("new"));
    saver.flush();
    saver.want(edit("newer"));
    const all = saver.flush();
    saver.want(edit("newer"));
    await setImmediate();
    await answer(200);
    assert.deepEqual(names(), ["newer"]);
    // Nobody is told that all is saved.
    assert.equal(saver.isBehind, true);
    assert.equal(sent[0].body.basis, 2);
    await answer(200);
    await all;
    assert.deepEqual(saved, ["new", "newer"]);
    assert.deepEqual(names(), []);
});

test("what the server has refused isn't sent again until another version is known", async () => {
    saver.want(edit("new"));
    saver.flush();
    await setImmediate();
    await answer(409);
    // It asks whether the version there is its own.
    assert.deepEqual(names(), ["a question"]);
    await answer(200, { ...edit("other"), version: 2 });
    assert.equal(conflicts, 1);
    saver.want(edit("new"));
    assert.equal(saver.isBehind, false);
    saver.knows(edit("other"), 2);
    saver.want(edit("new"));
    const all = saver.flush();
    await setImmediate();
    assert.equal(sent[0].body.basis, 2);
    await answer(200);
    await all;
    assert.deepEqual(saved, ["new"]);
});
