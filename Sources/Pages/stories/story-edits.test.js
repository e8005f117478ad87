import assert from "node:assert/strict";
import { test } from "node:test";
import * as edits from "./story-edits.js";

/** @typedef {import("./types").Change} Change */
/** @typedef {import("./types").StoryText} StoryText */

/** @returns {StoryText} */
const locked = () => ({
    title: "The locked room", start: "door",
    segments: {
        door: {
            media: "door.mp4", default: "hall",
            choices: [{ label: "Open", goto: "hall" }, { label: "Wait", goto: "door" }, { label: "Again", goto: "hall" }],
        },
        hall: { media: "hall.mp4", then: "end" },
        "a/b~c": { media: "x.mp4", role: "epilogue" },
        end: { media: "end.mp4", role: "epilogue" },
    },
});

const nowhere = { showAt: 2, times: [] };

/** A story after changes, as the server makes them. @param {StoryText} story @param {Change[]} changes */
function after(story, changes) {
    const root = structuredClone(story);
    for (const { path, value, time, key } of changes) {
        const steps = path.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
        const last = steps.pop() ?? "";
        const owner = steps.reduce((each, step) => /** @type {any} */ (each)[step], /** @type {any} */ (root));
        if (key !== undefined) {
            assert.ok(Object.hasOwn(owner, last));
            owner[key] = owner[last];
            delete owner[last];
        } else if (time !== undefined) owner[last] = String(time);
        else if (value !== undefined) owner[last === "-" ? owner.length : last] = JSON.parse(value);
        else {
            assert.ok(Object.hasOwn(owner, last), path);
            if (Array.isArray(owner)) owner.splice(Number(last), 1);
            else delete owner[last];
        }
    }
    return root;
}

/** All that leads to a segment. @param {StoryText} story @param {string} name */
const leads = ({ start, segments }, name) => [
    start, ...Object.values(segments).flatMap((each) => [each.default, each.then, ...(each.choices ?? []).map(({ goto }) => goto)]),
].filter((each) => each === name).length;

test("a dropped clip becomes a segment that ends the story, with a name of its own", () => {
    const { name, changes } = edits.addSegment(locked(), "../media/1/hall.mp4");
    assert.equal(name, "hall 2");
    assert.deepEqual(after(locked(), changes).segments[name], { media: "../media/1/hall.mp4", role: "epilogue" });
});

test("a first choice leads on by itself, is shown, and its segment ends the story no more", () => {
    const story = after(locked(), edits.addChoice(locked(), "a/b~c", "hall", { showAt: 1.5, times: [] }));
    assert.deepEqual(story.segments["a/b~c"], {
        media: "x.mp4", choices: [{ label: "Hall", goto: "hall" }], default: "hall",
        events: [{ at: "1.5", do: "showControls" }],
    });
    const more = after(story, edits.addChoice(story, "a/b~c", "door", { showAt: 1.5, times: [1.5] }));
    assert.deepEqual(more.segments["a/b~c"].choices?.map(({ goto }) => goto), ["hall", "door"]);
    assert.equal(more.segments["a/b~c"].default, "hall");
    assert.equal(more.segments["a/b~c"].events?.length, 1);
});

test("what followed without a choice follows if nobody chooses", () => {
    const { hall } = after(locked(), edits.addChoice(locked(), "hall", "door", nowhere)).segments;
    assert.deepEqual([hall.then, hall.default, hall.choices?.[0].goto], [undefined, "end", "door"]);
});

test("events are in the order of time", () => {
    const story = locked();
    story.segments.hall.events = [{ at: "1", do: "a" }, { at: "3", do: "b" }];
    for (const [at, place] of [[0.5, 0], [2, 1], [3, 2], [9, 2]]) {
        const { events } = after(story, edits.addEvent(story, "hall", "new", at, [1, 3])).segments.hall;
        assert.deepEqual(events?.[place], { at: String(at), do: "new" });
        assert.equal(events?.length, 3);
    }
});

test("with its last choice a segment ends the story, and the default goes with the choice that led there", () => {
    let story = locked();
    story = after(story, edits.removeChoice(story, "door", 0));
    assert.equal(story.segments.door.default, "hall", "another choice leads there");
    story = after(story, edits.removeChoice(story, "door", 1));
    assert.equal(story.segments.door.default, "door");
    story = after(story, edits.removeChoice(story, "door", 0));
    assert.deepEqual(story.segments.door, { media: "door.mp4", role: "epilogue" });
});

test("a segment is renamed wherever it is named", () => {
    for (const name of Object.keys(locked().segments)) {
        const story = after(locked(), edits.renameSegment(locked(), name, "new/~"));
        assert.equal(leads(story, name), 0);
        assert.equal(leads(story, "new/~"), leads(locked(), name));
        assert.deepEqual(Object.keys(story.segments).length, 4);
    }
});

test("nothing leads to a segment that was removed, and the last one stays", () => {
    for (const name of Object.keys(locked().segments)) {
        const story = after(locked(), edits.removeSegment(locked(), name));
        assert.equal(leads(story, name), 0, name);
        assert.ok(Object.hasOwn(story.segments, story.start));
        assert.equal(Object.keys(story.segments).length, 3);
    }
    const { end } = locked().segments;
    assert.deepEqual(edits.removeSegment({ title: "", start: "end", segments: { end } }, "end"), []);
});

test("what follows a segment is one thing", () => {
    for (const name of ["door", "hall", "end"]) {
        for (const value of ["", edits.AGAIN, edits.TO + "door", edits.TO + "end"]) {
            const story = after(locked(), edits.setFollower(locked(), name, value));
            assert.equal(edits.followerOf(story.segments[name]), value, `${name} ${value}`);
            const { default: other, then, loop } = story.segments[name];
            assert.ok([other, then, loop].filter((each) => each !== undefined).length <= 1);
        }
    }
    assert.equal(after(locked(), edits.setFollower(locked(), "end", edits.TO + "door")).segments.end.role, undefined);
});

test("a value that may be left out is, if it is empty", () => {
    const { hall, end } = locked().segments;
    assert.deepEqual(edits.setOrRemove(hall, "", "segments", "hall", "title"), []);
    assert.deepEqual(edits.setOrRemove(end, "", "segments", "end", "role"), [{ path: "/segments/end/role" }]);
    assert.deepEqual(edits.setOrRemove(hall, true, "x"), [{ path: "/x", value: "true" }]);
});

test("a new story is of its clips, in their order", () => {
    const story = JSON.parse(edits.newStory("Two \"doors\"", ["b/door.mp4", "a.mov", "door.mp4"]));
    assert.equal(story.title, "Two \"doors\"");
    assert.equal(story.start, "door");
    assert.deepEqual(Object.entries(story.segments).map(([name, { media }]) => [name, media]),
        [["door", "b/door.mp4"], ["a", "a.mov"], ["door 2", "door.mp4"]]);
});

test("a file is named from the story's folder", () => {
    for (const [file, story, path] of [
        ["a.mp4", "s.json", "a.mp4"], ["media/1/a.mp4", "films/s.json", "../media/1/a.mp4"],
        ["films/x/a.mp4", "films/s.json", "x/a.mp4"], ["films/a.mp4", "films/x/y/s.json", "../../a.mp4"],
        ["a", "a/s.json", "../a"],
    ]) assert.equal(edits.pathFrom(file, story), path);
});
