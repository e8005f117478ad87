// The viewer's wish to play isn't lost by what the browser does of itself.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Playback } from "./playback.js";

const manifest = JSON.parse(readFileSync(new URL("../../../../Tests/Pages/player/traces/story.json", import.meta.url), "utf8"));
const settled = () => new Promise((resume) => { setImmediate(resume); });

/** A video element whose events come later than what they tell, as a browser's do. */
class Video extends EventTarget {
    paused = true;
    ended = false;
    error = null;
    seeking = false;
    playbackRate = 1;
    readyState = 4;
    currentTime = 0;

    play() {
        if (this.paused) this.#turn(false, "play");
        return Promise.resolve();
    }

    pause() {
        if (!this.paused) this.#turn(true, "pause");
    }

    #turn(paused, event) {
        this.paused = paused;
        setImmediate(() => this.dispatchEvent(new Event(event)));
    }
}

/** A timeline on which the video has come to the end of the only segment. */
class Timeline {
    pieces = [];
    ready = Promise.resolve();
    /** How many seconds the video's time is before the end of the segment. */
    left = Infinity;

    begin(name) {
        this.pieces = [];
        return this.append(name);
    }

    append(name) {
        const { frames } = manifest.segments[name];
        const first = this.pieces.reduce((sum, piece) => sum + piece.frames, 0);
        this.pieces.push({ name, first, frames, parts: [] });
        return this.pieces.at(-1);
    }

    after(piece) {
        return this.pieces[this.pieces.indexOf(piece) + 1] ?? null;
    }

    at(time) {
        const tick = Math.round(time * 30);
        const piece = this.pieces.find(({ first, frames }) => tick >= first && tick < first + frames);
        return piece ? { piece, frame: tick - piece.first } : null;
    }

    untilCrossing(piece, frame) {
        return frame === null ? this.left : (piece.frames - frame) / 30;
    }

    conclude() {}
    cross() {}
    forgetBefore(piece) {
        this.pieces = this.pieces.slice(this.pieces.indexOf(piece));
    }
}

/** A story that has begun its scene `garden`, which ends with a choice. */
async function begun(onTime = (segment, time) => {}) {
    const video = new Video(), timeline = new Timeline();
    const store = { keep() {}, has: () => false };
    const playback = new Playback(
        { manifest, video, timeline, store },
        { onSteps() {}, onTime, onPlaying() {}, onRefusal() { assert.fail("refused"); } });
    const state = {
        segment: "garden", variables: manifest.variables, phase: "playing", available: [], next: null, fired: 0,
        history: [],
    };
    assert.ok(playback.resume(state));
    await settled();
    return { playback, video, timeline };
}

/** The same story at the end of that scene, where it waits for a choice. */
async function waiting() {
    const { playback, video } = await begun();
    for (let frame = 0; frame < manifest.segments.garden.frames; frame += 1) playback.onFrame(frame / 30);
    await new Promise((resume) => { setTimeout(resume, 100); });
    assert.equal(playback.state.phase, "waiting");
    await settled();
    assert.ok(video.paused);
    return { playback, video };
}

test("a video that plays by itself while the film waits is stopped, and plays once something is chosen", async () => {
    const { playback, video } = await waiting();
    video.play();
    await settled();
    assert.ok(video.paused);
    // Before the browser tells of that pause.
    playback.choose(0);
    await settled();
    await settled();
    assert.equal(playback.state.segment, "door");
    assert.deepEqual([playback.isPlaying, video.paused], [true, false]);
});

test("a viewer's pause from outside stays one", async () => {
    const { playback, video } = await waiting();
    playback.choose(0);
    await settled();
    await settled();
    video.pause();
    await settled();
    assert.deepEqual([playback.isPlaying, video.paused], [false, true]);
});

test("a video that breaks pauses, and what takes over plays", async () => {
    for (const end of [{ ended: true }, { error: { code: 3 } }]) {
        const { playback, video } = await begun();
        video.paused = true;
        Object.assign(video, end);
        video.dispatchEvent(new Event("pause"));
        assert.ok(playback.isPlaying);
    }
});

test("where a busy browser reports no frame near the end, the stream ends by the video's time", async () => {
    const { video, timeline } = await begun();
    let concluded = 0;
    timeline.conclude = () => { concluded += 1; };
    for (const [left, event, expected] of [[0.7, "timeupdate", 0], [0.5, "waiting", 1], [0.4, "waiting", 1]]) {
        timeline.left = left;
        video.dispatchEvent(new Event(event));
        assert.equal(concluded, expected);
    }
});

test("where a busy browser doesn't report the last frames, the time at the end is the last frame's all the same", async () => {
    const times = [];
    const { playback, video, timeline } = await begun((segment, time) => times.push(time));
    playback.onFrame(0);
    timeline.left = 0.01;
    video.dispatchEvent(new Event("timeupdate"));
    await new Promise((resume) => { setTimeout(resume, 100); });
    assert.equal(playback.state.phase, "waiting");
    const last = (manifest.segments.garden.frames - 1) / 30;
    assert.deepEqual(times, [0, last]);
    // What is reported late doesn't lead back.
    playback.onFrame(last - 1 / 30);
    assert.equal(times.at(-1), last);
});
