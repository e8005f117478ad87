// Whole files take turns: a join is counted in seconds of the wall clock, at every speed.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { WholeFilesTimeline } from "./whole-files.js";

const { requestAnimationFrame } = globalThis;
const { now } = performance;
let seconds, frames;

/** A video element whose clock the test moves. */
class Video extends EventTarget {
    currentTime = 0;
    playbackRate = 1;
    paused = false;
    ended = false;
}

function timelineOf(active, standby) {
    const screen = { active, standby, video: active, videos: [active, standby] };
    return new WholeFilesTimeline(screen, { media: { frameRate: 30 } }, null, assert.fail);
}

/** Moves the clock, and the video from when it begins to move. */
function pass(video, duration, moving = duration) {
    seconds += duration;
    video.currentTime += moving * video.playbackRate;
    for (const frame of frames.splice(0)) frame();
}

beforeEach(() => {
    seconds = 0;
    frames = [];
    performance.now = () => 1000 * seconds;
    globalThis.requestAnimationFrame = (frame) => frames.push(frame);
    globalThis.document = { pictureInPictureElement: null };
});

afterEach(() => {
    performance.now = now;
    globalThis.requestAnimationFrame = requestAnimationFrame;
    delete globalThis.document;
});

test("what is left of a piece takes as long as its speed says, less the start of the next", () => {
    const [active, standby] = [new Video(), new Video()];
    const timeline = timelineOf(active, standby);
    const piece = { frames: 60, isShown: true };
    active.currentTime = 1;
    const start = 1 - timeline.untilCrossing(piece);
    assert.ok(start > 0 && start < 0.1);
    for (const [speed, left] of [[0.5, 2], [1, 1], [2, 0.5]]) {
        active.playbackRate = speed;
        assert.ok(Math.abs(timeline.untilCrossing(piece) - (left - start)) < 1e-9, `speed ${speed}`);
    }
    assert.equal(timeline.untilCrossing({ frames: 60, isShown: false }), Infinity);
});

test("how long a video takes to begin is learned, and the same at every speed", () => {
    for (const speed of [0.5, 1, 2]) {
        const [active, standby] = [new Video(), new Video()];
        const timeline = timelineOf(active, standby);
        const piece = { frames: 30, isShown: true };
        const usual = 1 - timeline.untilCrossing(piece);
        standby.playbackRate = speed;
        standby.dispatchEvent(new Event("play"));
        pass(standby, 0.12, 0.01);
        for (let step = 0; step < 8; step += 1) pass(standby, 0.1);
        // It took 0.11 s, and counts half.
        const learned = 1 - timeline.untilCrossing(piece);
        assert.ok(Math.abs(learned - (usual + 0.11) / 2) < 1e-9, `speed ${speed}: ${learned}`);
    }
});
