// Rows of clips: what can't be is mended.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
    bodyOf, clipOf, editOf, retimingText, textOf, withChange, withSound, withSoundChange, withSoundMoved, withSoundTrim,
    withTrim,
} from "./edit-draft.js";
import { isNear } from "../../../../Tests/Pages/numbers.js";

// Node 18 is older than the browsers that the pages are made for.
Array.prototype.with ??= function withReplaced(index, value) {
    return this.map((each, place) => (place === index ? value : each));
};

/** An edit of two clips of four seconds. */
const PAIR = {
    id: "e", name: "e", selected: null, sounds: [], clips: [4, 4].map((length) => clipOf({ media: "m" }, "n", length)) };

/** Whether an edit's clips are as wanted, each given as `[start, end, dissolve]`. */
function hasClips({ clips }, wanted) {
    assert.equal(clips.length, wanted.length);
    clips.forEach(({ start, end, dissolve }, index) => {
        [start, end, dissolve].forEach((each, member) => isNear(each, wanted[index][member]));
    });
}

test("a dissolve takes half of its length from the clip before", () => {
    hasClips(withChange(PAIR, 1, { dissolve: 1 }), [[0, 3.5, 0], [0.5, 4, 1]]);
});

test("a dissolve leaves both clips some time", () => {
    // The clip before begins at 3.5 s of 4.
    hasClips(
        withChange(withTrim(PAIR, 0, { start: 3.5 }), 1, { dissolve: 3 }), [[3.5, 3.6, 0], [0.4, 4, 0.8]]);
    hasClips(
        withChange(withTrim(PAIR, 1, { end: 0.3 }), 1, { dissolve: 3 }), [[0, 3.8, 0], [0.2, 0.3, 0.4]]);
});

test("the first clip has no dissolve", () => {
    hasClips(withChange(PAIR, 0, { dissolve: 3 }), [[0, 4, 0], [0, 4, 0]]);
});

test("a sound fades within its length", () => {
    const edit = { ...PAIR, sounds: [clipOf({ media: "m" }, "n", 4)], selectedSound: 0 };
    const fades = ({ sounds: [{ dissolve, fadeOut }] }) => [dissolve, fadeOut];
    const faded = withSoundChange(withSoundChange(edit, 0, { dissolve: 1 }), 0, { fadeOut: 9 });
    assert.deepEqual(fades(faded), [1, 3]);
    assert.deepEqual(fades(withSoundTrim(faded, 0, "end", 2)), [1, 1]);
    assert.deepEqual(fades(editOf({ ...bodyOf(faded), id: "e" })), [1, 3]);
});

test("the order of members makes no other edit", () => {
    const given = { media: "m", warp: { curve: "ramp", factor: 2 }, range: null };
    const edit = { id: "e", name: "e", clips: [clipOf(given, "n", 4)] };
    const [{ segment: _, ...clip }] = JSON.parse(JSON.stringify(bodyOf(edit))).clips;
    const segment = { warp: { factor: 2, curve: "ramp" }, media: "m" };
    const back = editOf({ clips: [{ ...clip, segment }], name: "e", id: "e" });
    assert.equal(textOf(edit), textOf(back));
});

test("the frame rate counts where a clip turns", () => {
    const turning = { media: "m", thereAndBack: true };
    const [kept] = editOf({ clips: bodyOf({ name: "e", clips: [clipOf(turning, "n", 4, "60")] }).clips }).clips;
    assert.equal(retimingText(kept), retimingText(clipOf(turning, "other", 4, "60")));
    assert.notEqual(retimingText(kept), retimingText(clipOf(turning, "n", 4, "24")));
    assert.equal(retimingText(clipOf({ media: "m" }, "n", 4, "60")), retimingText(clipOf({ media: "m" }, "n", 4)));
});

test("a sound ends with the picture, and what is heard stays at its time when its start is trimmed", () => {
    const edit = withSound(PAIR, clipOf({ media: "music" }, "m", 60));
    const is = ({ sounds: [{ at, start, end }] }, wanted) => [at, start, end].forEach((each, n) => isNear(each, wanted[n]));
    is(edit, [0, 0, 8]);
    const later = withSoundMoved(edit, 0, 3);
    is(later, [3, 0, 8]);
    is(withSoundMoved(edit, 0, 100), [7.9, 0, 8]);
    is(withSoundMoved(edit, 0, -1), [0, 0, 8]);
    is(withSoundTrim(later, 0, "start", 2), [5, 2, 8]);
    is(withSoundTrim(withSoundTrim(later, 0, "start", 2), 0, "start", -9), [3, 0, 8]);
    is(withSoundTrim(withSoundMoved(withSoundTrim(later, 0, "start", 2), 0, 1), 0, "start", 0), [0, 1, 8]);
    is(withSoundTrim(later, 0, "end", 99), [3, 0, 60]);
    is(withSoundTrim(later, 0, "end", 0), [3, 0, 0.1]);
});

test("an edit goes to the server and comes back with its sounds and gains", () => {
    const edit = withSound({ ...PAIR, clips: PAIR.clips.map((clip) => ({ ...clip, gain: -6 })) },
        { ...clipOf({ media: "music" }, "m", 60), at: 2, gain: 3 });
    const { selected, selectedSound, ...kept } = edit;
    assert.deepEqual([selected, selectedSound], [null, 0]);
    const names = { m: "n", music: "m" };
    assert.deepEqual(editOf({ id: "e", ...JSON.parse(JSON.stringify(bodyOf(edit))) }, (media) => names[media]), kept);
    assert.equal("sounds" in bodyOf(PAIR), false);
});
