// Drafts, and the render requests that are made from them.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
    changed, freshDraft, mendedDraft, requestOf, withContainer, withRequest,
} from "../../../Sources/TimeWarpStudio/Public/render-request.js";

const requestFor = (change, duration = 10) => requestOf(changed(freshDraft("a"), change), duration);

test("a fresh draft is the default curve", () => {
    assert.deepEqual(requestFor({}), {
        media: "a", task: "warp", range: null, boomerang: false, container: "mp4",
        video: { rate: "source", frames: "hold", codec: null, quality: null, preset: null },
        sound: { mode: "varispeed", tune: "music", codec: null, bitRate: null },
        curve: { curve: "double-smoothstep", factor: 1.5, modifier: 0.5 }, fit: null,
    });
});

test("a built-in curve may be flipped", () => {
    const { curve } = requestFor({ warp: { name: "triangle", factor: 2, flip: true } });
    assert.deepEqual(curve, { curve: "triangle", factor: 2, modifier: 0.5, flip: true });
});

test("a formula is written under what it gives", () => {
    const { curve } = requestFor({ warp: { kind: "formula", formula: { as: "speed", text: "1+t" } } });
    assert.deepEqual(curve, { speed: "1+t" });
});

test("what plays backwards can't be flipped", () => {
    const keyframes = [{ at: "0%", speed: 1 }, { at: "100%", speed: -1 }];
    const { curve } = requestFor({ warp: { kind: "keyframes", keyframes, flip: true } });
    assert.deepEqual(curve, { keyframes });
});

test("a curve that is flipped in its file and again in the page stays as its file has it", () => {
    const curve = { components: [], flip: true };
    const request = requestFor({ warp: { kind: "file", file: { name: "x", curve } } });
    assert.deepEqual(request.curve, curve);
});

test("an empty length is the clip's", () => {
    assert.equal(requestFor({ warp: { fit: { on: true, text: " " } } }, 12.5).fit, "12.5");
    assert.equal(requestFor({ warp: { fit: { on: false, text: "3" } } }).fit, null);
    assert.deepEqual(requestFor({ task: "stretch" }, 7.25).stretch, { duration: "7.25" });
    const { scale } = requestFor({ task: "scale", scale: { by: "duration", duration: "1:30" } });
    assert.deepEqual(scale, { duration: "1:30" });
    assert.deepEqual(requestFor({ task: "scale" }).scale, { speed: 2 });
});

test("a task has only its modes of sound", () => {
    assert.equal(requestFor({ task: "reverse", sound: { mode: "keep" } }).sound.mode, "keep");
    const other = requestFor({ task: "reverse", sound: { mode: "keep-pitch" } });
    assert.equal(other.sound.mode, "varispeed");
    assert.ok(!("curve" in other));
});

test("a container takes only its codecs", () => {
    const draft = changed(freshDraft(), { video: { codec: "vp9" }, sound: { codec: "aac" } });
    const { video, sound, container } = withContainer(draft, "webm");
    assert.deepEqual([video.codec, sound.codec, container], ["vp9", null, "webm"]);
});

test("a draft comes back from its request", () => {
    const changes = [
        { warp: { name: "power", factor: 3, flip: true, fit: { on: true, text: "9" } } },
        { warp: { kind: "formula", formula: { as: "integral", text: "t^2" } } },
        { warp: { kind: "keyframes", keyframes: [{ at: "0", speed: 1, easing: "hold" }] } },
        { warp: { kind: "file", file: { name: "c", curve: { components: [] } } } },
        { task: "scale", scale: { by: "factor", factor: 3 }, boomerang: true },
        { task: "stretch", stretch: { to: "by", by: "-250ms" } },
        {
            task: "reverse", range: { start: "1", end: "2" }, container: "mkv",
            video: { rate: "24", codec: "ffv1" }, sound: { mode: "mute" },
        },
        { task: "scale", sound: { mode: "keep-pitch", tune: "speech" } },
    ];
    for (const change of changes) {
        const request = requestFor(change);
        assert.deepEqual(requestOf(withRequest(freshDraft("b"), request), 10), request);
    }
});

test("what was kept badly is mended", () => {
    const kept = {
        media: "m", task: "scale", warp: { factor: "many", kind: "keyframes" },
        video: 5, range: { start: "1", end: "2" }, unknown: 1,
    };
    assert.deepEqual(mendedDraft(kept), {
        ...freshDraft(), media: "m", task: "scale", range: { start: "1", end: "2" },
    });
});
