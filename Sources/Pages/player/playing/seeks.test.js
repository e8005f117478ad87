// Seeks: the video goes back where something else has it seek, and a seek that never ends is noticed.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { Seeks } from "./seeks.js";

/** A video element that ends a seek when it is told to. */
class Video extends EventTarget {
    seeking = false;
    paused = true;
    ranges = [[0, 10]];
    #time = 0;

    get currentTime() {
        return this.#time;
    }

    set currentTime(time) {
        this.#time = time;
        this.seeking = true;
        this.dispatchEvent(new Event("seeking"));
    }

    get buffered() {
        const { ranges } = this;
        return { length: ranges.length, start: (range) => ranges[range][0], end: (range) => ranges[range][1] };
    }

    end() {
        this.seeking = false;
        this.dispatchEvent(new Event("seeked"));
    }
}

const { setTimeout, clearTimeout } = globalThis;
let timers, waits, video, stuck, asked, closing, seeks;

/** All timers that wait are due. */
function pass() {
    const due = timers;
    timers = [];
    for (const act of due) act();
}

beforeEach(() => {
    [timers, waits] = [[], []];
    globalThis.setTimeout = (act, milliseconds) => {
        timers.push(act);
        waits.push(milliseconds);
        return act;
    };
    globalThis.clearTimeout = (act) => { timers = timers.filter((each) => each !== act); };
    [video, stuck, asked, closing] = [new Video(), 0, [], new AbortController()];
    video.addEventListener("seeking", () => asked.push(video.currentTime));
    seeks = new Seeks(video, () => 5, closing.signal, () => { stuck += 1; });
});
afterEach(() => Object.assign(globalThis, { setTimeout, clearTimeout }));

test("a seek from outside is taken back, and those of the timeline aren't", () => {
    video.currentTime = 1;
    assert.deepEqual([video.currentTime, seeks.isGoingBack], [5, true]);
    video.end();
    assert.equal(seeks.isGoingBack, false);
    seeks.to(2);
    assert.deepEqual([video.currentTime, seeks.isGoingBack], [2, false]);
});

test("a seek that ends is never stuck", () => {
    seeks.to(2);
    video.end();
    pass();
    assert.equal(stuck, 0);
    // The browser is late to tell of its end.
    seeks.to(3);
    video.seeking = false;
    pass();
    assert.equal(stuck, 0);
});

test("a seek to what is buffered that doesn't end is asked for again, and then is stuck, whoever began it", () => {
    seeks.to(2);
    pass();
    assert.deepEqual([stuck, asked], [0, [2, 2]]);
    pass();
    assert.equal(stuck, 1);
    video.end();
    video.currentTime = 1;
    pass();
    assert.deepEqual([stuck, asked.slice(2)], [1, [1, 5, 5]]);
    pass();
    assert.deepEqual([stuck, asked.length], [2, 5]);
});

test("a seek that ends when it is asked for again isn't stuck", () => {
    video.currentTime = 1;
    pass();
    assert.equal(seeks.isGoingBack, true);
    video.end();
    pass();
    assert.deepEqual([stuck, seeks.isGoingBack], [0, false]);
});

test("a seek to what isn't there yet waits for it, however long", () => {
    video.ranges = [[0, 2]];
    seeks.to(7);
    video.ranges = [[0, 5]];
    pass();
    // Something arrived: what the browser does isn't disturbed.
    assert.deepEqual(asked, [7]);
    pass();
    pass();
    assert.deepEqual([stuck, asked], [0, [7, 7, 7]]);
    video.ranges = [[0, 9]];
    pass();
    pass();
    assert.equal(stuck, 1);
});

test("a video that stands after a seek is sent over the gap before it, and then is stuck", () => {
    video.paused = false;
    video.ranges = [[2.0125, 10]];
    seeks.to(2);
    video.end();
    pass();
    assert.deepEqual([stuck, asked, seeks.isGoingBack], [0, [2, 2.0125], false]);
    video.end();
    pass();
    assert.equal(stuck, 1);
});

test("a video that waits for data after a seek, that plays, that is paused or that is at its end isn't stuck", () => {
    video.paused = false;
    video.ranges = [[3, 10]];
    seeks.to(2);
    video.end();
    pass();
    video.paused = true;
    video.ranges = [[0, 10]];
    pass();
    Object.assign(video, { paused: false, ended: true });
    seeks.to(9.99);
    video.end();
    pass();
    assert.deepEqual([stuck, asked], [0, [2, 9.99]]);
    video.ended = false;
    seeks.to(4);
    video.currentTime = 4.5;
    video.end();
    pass();
    assert.deepEqual([stuck, asked.slice(2)], [0, [4, 4.5]]);
});

test("nothing is stuck after the end", () => {
    seeks.to(2);
    closing.abort();
    pass();
    assert.equal(stuck, 0);
});

test("where there is no other way to play, a busy machine gets more time", () => {
    seeks.to(2);
    new Seeks(new Video(), () => 5, closing.signal, () => {}, true).to(2);
    assert.deepEqual(waits, [1500, 10000]);
});
