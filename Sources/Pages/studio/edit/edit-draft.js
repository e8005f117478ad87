// An edit: several clips in a row, as the draft has it. Pure functions, each of which gives a new edit.

import { plainText } from "../app/job.js";
import { clamped } from "../../shared/numbers.js";
import { durationText } from "../../shared/times.js";

/**
 * @typedef {import("./types").Edit} Edit
 * @typedef {import("./types").EditClip} EditClip
 * @typedef {import("./types").OpenEdit} OpenEdit
 */

/** The shortest clip and the longest dissolve, in seconds. */
const SHORTEST = 0.1, LONGEST_DISSOLVE = 10;

/**
 * @param {import("../types").Segment} segment
 * @param {string} name
 * @param {number} whole
 * @param {string} [rate] the frame rate for which it lasts `whole`
 * @returns {EditClip} a whole retimed clip
 */
export function clipOf(segment, name, whole, rate = "source") {
    const turns = Boolean(segment.thereAndBack);
    return { segment, rate: turns ? rate : null, name, whole, start: 0, end: whole, dissolve: 0, fadeOut: 0, at: 0, gain: 0 };
}

/** @type {(clip: EditClip) => number} how long a clip is on the track */
export const lengthOf = ({ start, end }) => end - start;

/** @param {Edit} edit */
export const totalOf = ({ clips }) => clips.reduce((sum, clip) => sum + lengthOf(clip), 0);

/** @type {(edit: OpenEdit, clip: EditClip) => OpenEdit} the edit with a clip after the selected one, or at its end */
export function withClip(edit, clip) {
    const at = edit.selected === null ? edit.clips.length : edit.selected + 1;
    return mended({ ...edit, clips: edit.clips.toSpliced(at, 0, clip), selected: at });
}

/** @type {(edit: OpenEdit, index: number) => OpenEdit} */
export function withoutClip(edit, index) {
    const clips = edit.clips.toSpliced(index, 1);
    return mended({ ...edit, clips, selected: clips.length > 0 ? Math.min(index, clips.length - 1) : null });
}

/** @type {(edit: OpenEdit, from: number, to: number) => OpenEdit} the edit with a clip at another place of the row */
export function withMoved(edit, from, to) {
    const place = clamped(to, 0, edit.clips.length - 1);
    const clips = edit.clips.toSpliced(from, 1).toSpliced(place, 0, edit.clips[from]);
    return mended({ ...edit, clips, selected: place });
}

/** @type {(edit: OpenEdit, index: number, change: Partial<EditClip>) => OpenEdit} the edit with a clip changed */
export function withChange(edit, index, change) {
    return mended({
        ...edit, selected: index,
        clips: edit.clips.with(index, { ...edit.clips[index], ...change }),
    });
}

/**
 * The edit with a clip's start or end moved; the other end stays.
 * @type {(edit: OpenEdit, index: number, to: { start?: number, end?: number }) => OpenEdit}
 */
export function withTrim(edit, index, { start, end }) {
    const clip = edit.clips[index];
    return withChange(edit, index, start === undefined
        ? { end: clamped(end ?? clip.end, clip.start + SHORTEST, clip.whole) }
        : { start: clamped(start, 0, clip.end - SHORTEST) });
}

/** @type {(edit: OpenEdit, sound: EditClip) => OpenEdit} the edit with a sound, which ends with the video */
export function withSound(edit, sound) {
    const end = clamped(totalOf(edit) - sound.at, SHORTEST, sound.whole);
    return { ...edit, sounds: [...edit.sounds, { ...sound, end }], selected: null, selectedSound: edit.sounds.length };
}

/** @type {(edit: OpenEdit, index: number) => OpenEdit} */
export const withoutSound = (edit, index) => ({ ...edit, sounds: edit.sounds.toSpliced(index, 1), selectedSound: null });

/** @type {(edit: OpenEdit, index: number, change: Partial<EditClip>) => OpenEdit} */
export const withSoundChange = (edit, index, change) => ({
    ...edit, selected: null, selectedSound: index,
    sounds: edit.sounds.with(index, fitted({ ...edit.sounds[index], ...change })),
});

/** @type {(sound: EditClip) => EditClip} a sound fades within its length */
function fitted(sound) {
    const length = sound.end - sound.start, dissolve = clamped(sound.dissolve, 0, length);
    return { ...sound, dissolve, fadeOut: clamped(sound.fadeOut, 0, length - dissolve) };
}

/** @type {(edit: OpenEdit, index: number, at: number) => OpenEdit} a sound begins before the video ends */
export const withSoundMoved = (edit, index, at) => (
    withSoundChange(edit, index, { at: clamped(at, 0, Math.max(0, totalOf(edit) - SHORTEST)) }));

/**
 * The edit with a sound's start or end moved. What is heard stays at its time.
 * @type {(edit: OpenEdit, index: number, side: "start" | "end", to: number) => OpenEdit}
 */
export function withSoundTrim(edit, index, side, to) {
    const { start, end, whole, at } = edit.sounds[index];
    if (side === "end") return withSoundChange(edit, index, { end: clamped(to, start + SHORTEST, whole) });
    const moved = clamped(to, Math.max(0, start - at), end - SHORTEST);
    return withSoundChange(edit, index, { start: moved, at: at + moved - start });
}

/**
 * The edit with nothing that can't be: the first clip has no dissolve, and the others as much more of the
 * retimed clips at both sides of the cut as their dissolves need: half of each.
 * @type {(edit: OpenEdit) => OpenEdit}
 */
function mended(edit) {
    const clips = edit.clips.map((clip) => ({ ...clip }));
    clips.forEach((clip, index) => {
        const before = clips[index - 1];
        // Both clips keep the shortest length beside what the dissolve takes of them.
        const most = before ? Math.min(LONGEST_DISSOLVE, 2 * (clip.end - SHORTEST),
            2 * (before.whole - before.start - SHORTEST)) : 0;
        clip.dissolve = clamped(clip.dissolve, 0, Math.max(0, most));
        if (clip.dissolve === 0) return;
        const half = clip.dissolve / 2;
        clip.start = Math.max(clip.start, half);
        before.end = Math.min(before.end, before.whole - half);
    });
    for (const clip of clips) {
        clip.end = Math.max(clip.end, Math.min(clip.whole, clip.start + SHORTEST));
        clip.start = Math.min(clip.start, Math.max(0, clip.end - SHORTEST));
    }
    return { ...edit, clips };
}

/** @type {(edit: Edit) => import("../../shared/types").Edit} an edit as the server takes it */
export function bodyOf({ name, clips, sounds = [] }) {
    const sent = sounds.map((sound) => ({ ...sentClip(sound), at: durationText(sound.at) }));
    return { name, clips: clips.map(sentClip), ...sent.length > 0 ? { sounds: sent } : {} };
}

/** @type {(clip: EditClip) => import("../../shared/types").EditClip} */
const sentClip = ({ segment, rate, start, end, dissolve, fadeOut, whole, gain }) => ({
    segment, rate: rate ?? undefined, whole, start: durationText(start), end: durationText(end),
    ...dissolve > 0 ? { dissolve: durationText(dissolve) } : {},
    ...fadeOut > 0 ? { fadeOut: durationText(fadeOut) } : {}, ...gain ? { gain } : {},
});

/** @type {(clip: EditClip) => string} how a clip is retimed, as text */
export const retimingText = ({ segment, rate }) => plainText({ segment, rate });

/** @type {(edit: Edit) => string} an edit as text, which is the same for the same edit */
export const textOf = (edit) => plainText(bodyOf(edit));

/**
 * An edit as the server has it.
 * @param {import("../../shared/types").KeptEdit} kept
 * @param {(media: string) => string} [nameOf]
 * @returns {Edit}
 */
export function editOf({ id, name, clips, sounds = [] }, nameOf = () => "") {
    /** @type {(clip: import("../../shared/types").EditClip) => EditClip} */
    const clipFrom = ({ segment, rate = null, start, end, dissolve, fadeOut, whole, at, gain = 0 }) => ({
        segment, rate, name: nameOf(segment.media), whole: whole ?? Number(end),
        start: Number(start ?? 0), end: Number(end ?? whole), dissolve: Number(dissolve ?? 0),
        fadeOut: Number(fadeOut ?? 0), at: Number(at ?? 0), gain,
    });
    return { id, name, clips: clips.map(clipFrom), sounds: sounds.map(clipFrom) };
}
