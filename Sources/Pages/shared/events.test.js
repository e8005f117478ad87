// Events from the server, while it goes away and comes back. A fake EventSource stands for the connection.

import assert from "node:assert/strict";
import { test } from "node:test";

import { listen } from "./events.js";
import "../../../Tests/Browser/tools/manual-clock.js";

const sources = [];

class FakeEventSource extends EventTarget {
    static CLOSED = 2;
    readyState = 0;

    constructor() {
        super();
        sources.push(this);
    }

    close() {
        this.readyState = FakeEventSource.CLOSED;
    }
}

/** The page, which is shown all the time. */
Object.assign(globalThis, {
    EventSource: FakeEventSource, document: Object.assign(new EventTarget(), { hidden: false }),
    addEventListener: () => {},
});

test("a break is said once and mended", (context) => {
    const { manualClock } = globalThis;
    manualClock.install();
    context.after(() => manualClock.remove());
    const told = [];
    listen(
        { hello: () => told.push("hello"), render: ({ id }) => told.push(id) }, (isThere) => told.push(isThere));
    const say = (kind, data) => sources.at(-1).dispatchEvent(
        data === undefined ? new Event(kind) : new MessageEvent(kind, { data }));
    say("open");
    say("hello", "{}");
    // A short interruption isn't told.
    say("error");
    say("open");
    say("hello", "{}");
    manualClock.pass(1700);
    told.push("break");
    // The browser gives up.
    sources.at(-1).readyState = FakeEventSource.CLOSED;
    say("error");
    say("error");
    manualClock.pass(2300);
    say("open");
    say("render", '{"id":"r"}');
    assert.deepEqual(told, ["hello", "hello", "break", false, true, "r"]);
    assert.ok(sources.length > 1, "a connection that was given up is opened anew");
});
