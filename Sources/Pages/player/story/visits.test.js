// What is told to the author's address, and when.

import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";

import { isAbove, isBelow, largest } from "../../../../Tests/Pages/numbers.js";
import "../../../../Tests/Browser/tools/manual-clock.js";

const MANIFEST = { id: "x", analytics: "https://example.org/" };
const page = Object.assign(new EventTarget(), { hidden: false });
/** Of the window. */
let leave = () => {};
/** Bytes that the browser takes at once. */
let room = Infinity;
let beacons = [], refusals = 0;

Object.assign(globalThis, {
    document: page,
    addEventListener: (kind, act) => {
        if (kind === "pagehide") leave = act;
    },
});
const setBeacon = (sendBeacon) => Object.defineProperty(globalThis, "navigator", {
    value: { sendBeacon }, configurable: true,
});
const { Visits } = await import("./visits.js");

globalThis.manualClock.install();
after(() => globalThis.manualClock.remove());

beforeEach(() => {
    beacons = [], refusals = 0, room = Infinity, page.hidden = false, leave = () => {};
    setBeacon((address, body) => {
        if (body.size > room) {
            refusals += 1;
            return false;
        }
        beacons.push({ address, body });
        return true;
    });
});

const lines = async () => {
    const texts = await Promise.all(beacons.map(({ body }) => body.text()));
    return texts.join("").split("\n").slice(0, -1).map((line) => JSON.parse(line));
};

test("lines that come together are sent together, after a second", async () => {
    const visits = new Visits(MANIFEST);
    visits.note({ type: "start", segment: "prologue" });
    globalThis.manualClock.pass(900);
    visits.note({ type: "way", from: "prologue", to: "door", by: "then" });
    assert.equal(beacons.length, 0);
    globalThis.manualClock.pass(100);
    assert.equal(beacons.length, 1);
    assert.equal(beacons[0].address, MANIFEST.analytics);
    assert.equal(beacons[0].body.type, "text/plain");
    const [start, way] = await lines();
    assert.match(start.visit, /^[0-9a-f]{16}$/);
    assert.ok(!Number.isNaN(Date.parse(start.at)));
    assert.deepEqual([start.story, start.type, start.segment], ["x", "start", "prologue"]);
    assert.deepEqual([way.visit, way.from, way.to, way.by], [start.visit, "prologue", "door", "then"]);
});

test("what waits is sent when the viewer leaves or looks at another page", async () => {
    const visits = new Visits(MANIFEST);
    visits.note({ type: "start", segment: "door" });
    leave();
    assert.equal(beacons.length, 1);
    visits.note({ type: "end", segment: "door" });
    page.dispatchEvent(new Event("visibilitychange"));
    assert.equal(beacons.length, 1, "the page is shown");
    page.hidden = true;
    page.dispatchEvent(new Event("visibilitychange"));
    assert.deepEqual((await lines()).map(({ type }) => type), ["start", "end"]);
});

test("what a browser that is still sending refuses is sent later, in pieces", async () => {
    room = 0;
    const visits = new Visits(MANIFEST);
    for (let number = 0; number < 200; number += 1) {
        visits.note({ type: "event", name: "n".repeat(1000), number });
    }
    globalThis.manualClock.pass(2000);
    isAbove(refusals, 1);
    assert.equal(beacons.length, 0);
    room = 65_536;
    globalThis.manualClock.pass(1000);
    isAbove(beacons.length, 10);
    assert.deepEqual((await lines()).map(({ number }) => number), Array.from({ length: 200 }, (_, i) => i));
    isBelow(largest(beacons.map(({ body }) => body.size)), 20_000);
});

test("while nothing can be sent, a thousand lines are kept", async () => {
    room = 0;
    const visits = new Visits(MANIFEST);
    for (let number = 0; number < 1100; number += 1) visits.note({ type: "event", number });
    room = Infinity;
    leave();
    assert.deepEqual((await lines()).map(({ number }) => number), Array.from({ length: 1000 }, (_, i) => i));
});

test("without an address, or in a browser without beacons, nothing is sent and nothing fails", () => {
    const silent = new Visits({ id: "x", analytics: null });
    silent.note({ type: "start", segment: "door" });
    setBeacon(undefined);
    const old = new Visits(MANIFEST);
    old.note({ type: "start", segment: "door" });
    globalThis.manualClock.pass(5000);
    leave();
    assert.equal(beacons.length, 0);
});
