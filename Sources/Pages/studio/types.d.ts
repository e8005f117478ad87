// The studio's own values. What the server sends and takes is in ../shared/server.d.ts.

import type { Curve, How, Job, Media, Request, Segment } from "../shared/types";

export type Task = "warp" | "scale" | "stretch" | "reverse";

/**
 * A keyframe as the server takes it: `at` is "0.4", "40%" or "6s"; `easing` is how the speed changes to the next
 * keyframe, "smooth" if missing.
 */
/** `source`: the time of the clip to which the film cuts there, such as `4s`. */
export type Keyframe = { at: string, speed: number, easing?: string, source?: string };

/** The used part of a clip, in seconds. */
export type UsedPart = { start: number, duration: number };

export type WarpDraft = {
    kind: "built-in" | "formula" | "keyframes" | "file",
    name: string, factor: number, modifier: number, flip: boolean,
    formula: { as: "scale" | "speed" | "integral", text: string },
    keyframes: Keyframe[] | null,
    /** The curve that the keyframes were made from, as JSON. */
    seed: string | null,
    /** The keyframes and the part of the clip that they were made on, which a shorter part has cut. */
    uncut: { keyframes: Keyframe[], part: UsedPart, cut: Keyframe[] } | null,
    file: { name: string, curve: Curve } | null,
    fit: { on: boolean, text: string },
};

/** `length` and `anchors` come from comparing with `reference` if `isMatched`, else the anchors are set by hand. */
export type StretchDraft = {
    to: "duration" | "by" | "match", duration: string, by: string, reference: string | null,
    anchors: [number, number][] | null, length: string | null, isMatched: boolean,
};

/** What the page edits: the settings of every tab. The job that is made from it has only those that are used. */
export type Draft = {
    /** The clip's id. */
    media: string | null,
    task: Task,
    warp: WarpDraft,
    scale: { by: "factor" | "speed" | "duration", factor: number, speed: number, duration: string },
    stretch: StretchDraft,
    range: { start: string, end: string } | null,
    boomerang: boolean,
    video: {
        rate: string, frames: string, smart: boolean, skipRepeats: boolean, shutter: number | null,
        codec: string | null, quality: number | null, preset: string | null,
    },
    sound: { mode: string, tune: string, freeze: string, codec: string | null, bitRate: number | null },
    container: string,
    /** How other clips are retimed, by their ids. */
    others: Record<string, Retiming>,
    /** The edit that is open; it isn't stored with the rest. */
    edit: import("./edit/edit-draft.js").Edit | null,
};

/** What of a draft belongs to its clip. */
export type Retiming = Pick<Draft, "task" | "warp" | "scale" | "stretch" | "range" | "boomerang">;

/** A change of a draft, two levels deep. */
export type DraftChange = {
    [Key in keyof Draft]?: Draft[Key] extends object ? Partial<Draft[Key]> : Draft[Key] | null
};

export type { Curve, How, Job, Media, Request, Segment };

/** What the server has lists of, and the kind of an item of each. */
export type Lists = {
    media: import("../shared/types").Media, renders: import("../shared/types").Render,
    curves: import("../shared/types").KeptCurve,
};

/** The evaluation of the present request. */
export type Evaluation = import("../shared/types").WholeEvaluation;
