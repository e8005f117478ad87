// Drafts, and the jobs that are made from them.

import assert from "node:assert/strict";
import { test } from "node:test";

import "../../../../Tests/Pages/studio/capabilities.js";
import { changed, freshDraft, mendedDraft, withContainer, withMedia } from "./draft.js";
import {
    requestOf, segmentOf, withRequest, withSample, withSegment,
} from "./job.js";

const requestFor = (change, duration = 10) => requestOf(changed(freshDraft("a"), change), { name: "in.mov", duration });
const jobFor = (change, duration) => requestFor(change, duration).job;
const segmentFor = (change, duration) => segmentOf(jobFor(change, duration));

test("a fresh draft is the default curve", () => {
    assert.deepEqual(requestFor({}), {
        job: {
            timewarp: "job/1",
            timeline: { format: "source", tracks: [{ segments: [
                { media: "a", warp: { curve: "double-smoothstep", factor: 1.5, modifier: 0.5 } },
            ] }] },
            output: { path: "in-warped.mp4" },
            video: { rate: "source", frames: "hold" },
            audio: { mode: "varispeed" },
        },
    });
});

test("a built-in curve may be flipped", () => {
    const { warp } = segmentFor({ warp: { name: "triangle", factor: 2, flip: true } });
    assert.deepEqual(warp, { curve: "triangle", factor: 2, modifier: 0.5, flip: true });
});

test("a formula is written under what it gives", () => {
    const { warp } = segmentFor({ warp: { kind: "formula", formula: { as: "speed", text: "1+t" } } });
    assert.deepEqual(warp, { speed: "1+t" });
});

test("what plays backwards can't be flipped", () => {
    const keyframes = [{ at: "0%", speed: 1 }, { at: "100%", speed: -1 }];
    const { warp } = segmentFor({ warp: { kind: "keyframes", keyframes, flip: true } });
    assert.deepEqual(warp, { keyframes });
});

test("a curve that is flipped in its file and again in the page stays as its file has it", () => {
    const curve = { components: [], flip: true };
    const { warp } = segmentFor({ warp: { kind: "file", file: { name: "x", curve } } });
    assert.deepEqual(warp, curve);
});

test("frames and timecode are times of the clip, or of the output where that has a rate", () => {
    const clip = { name: "in.mov", duration: 10, video: { frameRate: 25 } };
    const of = (change) => segmentOf(requestOf(changed(freshDraft("a"), change), clip).job);
    assert.deepEqual(of({ range: { start: "50f", end: "0:00:04:10" } }).range, ["2", "4.4"]);
    assert.deepEqual(of({ range: { start: "25%", end: "50%" } }).range, ["2.5", "5"]);
    assert.equal(of({ warp: { fit: { on: true, text: "150f" } } }).duration, "6");
    assert.equal(of({ warp: { fit: { on: true, text: "150f" } }, video: { rate: "50" } }).duration, "3");
    assert.equal(of({ warp: { fit: { on: true, text: "soon" } } }).duration, "soon");
});

test("an empty length is the clip's", () => {
    assert.equal(segmentFor({ warp: { fit: { on: true, text: " " } } }, 12.5).duration, "12.5");
    assert.ok(!("duration" in segmentFor({ warp: { fit: { on: false, text: "3" } } })));
    assert.equal(segmentFor({ task: "stretch" }, 7.25).duration, "7.25");
    assert.deepEqual(
        segmentFor({ task: "scale", scale: { by: "duration", duration: "1:30" } }), { media: "a", duration: "1:30" });
    assert.deepEqual(segmentFor({ task: "scale" }), { media: "a", speed: 2 });
});

test("of what plays there and back the length of one way is sent, as it was typed", () => {
    for (const oneWay of ["1:30", "2700/25s", "1.0000004", "soon"]) {
        const segment = segmentFor({ task: "scale", boomerang: true, scale: { by: "duration", duration: oneWay } });
        assert.deepEqual(segment, { media: "a", oneWay, thereAndBack: true });
    }
    const sound = segmentFor({ task: "stretch", boomerang: true });
    assert.deepEqual(sound, { media: "a", duration: "10" });
});

test("sound is stretched on a track of its own, by its length or through anchors", () => {
    const { timeline } = jobFor({ task: "stretch", stretch: { to: "by", by: " -0.25 " } });
    assert.deepEqual(timeline.tracks, [{ carries: "sound", segments: [{ media: "a", longerBy: "-0.25" }] }]);
    const anchors = [[1, 2.5], [3, 4]];
    const byHand = requestFor({ task: "stretch", stretch: { to: "match", anchors } });
    assert.deepEqual(
        segmentOf(byHand.job), { media: "a", anchors: [{ source: 1, output: 2.5 }, { source: 3, output: 4 }] });
    assert.ok(!("reference" in byHand));
    const matched = requestFor({
        task: "stretch", stretch: { to: "match", reference: "b", length: "40", isMatched: true } });
    assert.deepEqual([segmentOf(matched.job), matched.reference], [{ media: "a", duration: "40" }, "b"]);
});

test("the file is named by what is done, and a sample as one", () => {
    const names = ["a.b.mov", "plain", ".mov"].map((name) => (
        requestOf({ ...freshDraft("a"), task: "reverse", container: "mkv" }, { name, duration: 1 }).job.output.path));
    assert.deepEqual(names, ["a.b-reversed.mkv", "plain-reversed.mkv", ".mov-reversed.mkv"]);
    const { job } = withSample(requestFor({}), { start: "1", end: "3" });
    assert.deepEqual(job.output, { path: "in-warped-sample.mp4", range: ["1", "3"] });
});

test("a task has only its modes of sound", () => {
    assert.equal(jobFor({ task: "reverse", sound: { mode: "keep" } }).audio.mode, "keep");
    assert.equal(jobFor({ task: "reverse", sound: { mode: "keep-pitch" } }).audio.mode, "varispeed");
    assert.deepEqual(segmentFor({ task: "reverse" }), { media: "a", play: "reversed" });
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
        { warp: { fit: { on: true, text: "1001/30" } }, boomerang: true },
        { task: "scale", scale: { by: "factor", factor: 3 }, boomerang: true },
        { task: "scale", scale: { by: "duration", duration: "2.5" }, boomerang: true },
        { task: "stretch", stretch: { to: "by", by: "-250ms" } },
        { task: "stretch", stretch: { to: "match", anchors: [[0, 1], [2, 3]] } },
        { task: "stretch", stretch: { to: "match", reference: "b", length: "40", isMatched: true } },
        {
            task: "reverse", range: { start: "1", end: "2" }, container: "mkv",
            video: { rate: "24", codec: "ffv1", smart: true }, sound: { mode: "mute" },
        },
        { task: "scale", sound: { mode: "keep-pitch", tune: "speech" } },
        { sound: { mode: "keep-pitch", freeze: "hold" }, video: { frames: "motion", skipRepeats: true, shutter: 180 } },
    ];
    for (const change of changes) {
        const request = requestFor(change);
        assert.deepEqual(requestOf(withRequest(freshDraft("b"), request), { name: "in.mov", duration: 10 }), request);
    }
});
test("what the server sends is what was set, though it has other words for it", () => {
    // As the response to POST /api/renders has it.
    const job = {
        timewarp: "job/1",
        timeline: { format: "source", tracks: [{ segments: [
            { media: "a", range: ["5"], speed: "30000/1001", thereAndBack: true },
        ] }] },
        output: { path: "in-scaled.webm", existing: "refuse", indexFirst: true, metadata: true },
        video: { mode: "retimed", rate: "24000/1001", frames: "blend", skipRepeats: false, quality: 30 },
        audio: { mode: "keep-pitch", tune: "speech", freeze: "silence", interpolation: "sinc" },
        resources: { jobs: 1, memoryBytes: 268435456, threads: 0 },
    };
    const draft = withRequest(freshDraft("b"), { job });
    assert.deepEqual([draft.container, draft.scale.by, draft.boomerang], ["webm", "speed", true]);
    assert.equal(draft.scale.speed, 30000 / 1001);
    const again = requestOf(draft, { name: "in.mov", duration: 10 }).job;
    assert.deepEqual(segmentOf(again), { media: "a", range: ["5"], speed: 30000 / 1001, thereAndBack: true });
    assert.deepEqual(again.video, { rate: "24000/1001", frames: "blend", quality: 30 });
    assert.deepEqual(again.audio, { mode: "keep-pitch", tune: "speech" });
    // A kind of file that the page doesn't offer.
    const sound = { ...job, output: { path: "in.wav" } };
    assert.equal(withRequest(freshDraft("b"), { job: sound }).container, "mp4");
});

test("each clip keeps how it is retimed, and a new one is as it is", () => {
    const first = changed(freshDraft("a"), {
        warp: { name: "triangle", factor: 3 }, range: { start: "1", end: "2" }, boomerang: true, container: "mov" });
    const second = changed(withMedia(first, "b"), { task: "scale", scale: { speed: 4 } });
    assert.deepEqual([second.warp, second.range, second.boomerang], [freshDraft().warp, null, false]);
    assert.equal(second.container, "mov", "how it is written is the same for all");
    const again = withMedia(second, "a");
    assert.deepEqual({ ...again, others: {} }, first);
    assert.deepEqual(withMedia(again, "b"), { ...second, others: { a: { ...second.others.a } } });
    // A segment of another clip doesn't take that clip's settings away either.
    assert.equal(withSegment(first, { media: "c", speed: 2 }).others.a.warp.factor, 3);
    assert.equal(withMedia(first, "a"), first);
    assert.deepEqual(mendedDraft(JSON.parse(JSON.stringify(second))), second);
});

test("what was kept badly is mended", () => {
    const kept = {
        media: "m", task: "scale", warp: { factor: "many", kind: "keyframes" },
        video: 5, range: { start: "1", end: "2" }, unknown: 1, others: { n: { warp: { kind: "file" } }, o: 3 },
    };
    const { task, warp, scale, stretch, range, boomerang } = freshDraft(), fresh = { task, warp, scale, stretch, range, boomerang };
    assert.deepEqual(mendedDraft(kept), {
        ...freshDraft(), media: "m", task: "scale", range: { start: "1", end: "2" },
        others: Object.fromEntries(["n", "o"].map((id) => [id, fresh])),
    });
});
