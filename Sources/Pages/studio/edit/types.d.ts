// An edit as the page has it.

import type { How, Segment } from "../types";

/**
 * A clip of an edit. Times are in seconds of the retimed clip, which lasts `whole`; `at` is when a sound begins in the edit, and
 * `dissolve` for how long it fades in; `gain` is in dB.
 */
export type EditClip = {
    segment: Segment, rate: string | null, name: string, whole: number, start: number, end: number, dissolve: number,
    fadeOut: number, at: number, gain: number,
};

export type Edit = { id: string, name: string, clips: EditClip[], sounds: EditClip[] };

/** An edit on the track, with the place of the selected clip or sound, which isn't a part of the draft. */
export type OpenEdit = Edit & { selected: number | null, selectedSound?: number | null };

export type Side = "start" | "end";

/** An end of a clip that is trimmed by its handle. */
export type Trimmed = { clip: EditClip, side: Side, handle: Element };

/** What the track does with its edit. */
export type TrackActs = {
    /** How long a frame of a clip lasts. */
    frameOf(media: string): number,
    posterOf(media: string): string | null,
    onEdit(edit: OpenEdit, how?: How): void,
    /** Null when the handle is let go of. */
    onTrim(trimmed: Trimmed | null): void,
    onSelect(index: number): void,
    onRemove(index: number): void,
    /** The window has another width. */
    onScale(): void,
};

/** A press on a clip of the track; on one of its ends if there is a `side`, which was at `before`. */
export type TrackDrag = {
    index: number, side?: Side, item: HTMLElement, from: number, distance: number,
    edit: OpenEdit, before: number, gesture: string,
};
