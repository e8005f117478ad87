// The draft that the page edits. It has the settings of every tab and every kind of curve; the job that is made from it
// (job.js) has only those that are used.

import { capabilities, named } from "./capabilities.js";

/** The ranges of the sliders; number fields take any value. */
export const RANGES = {
    factor: { min: 0.1, max: 4, step: 0.01 },
    modifier: { min: 0.1, max: 1, step: 0.01 },
};

/**
 * @typedef {import("../types").Draft} Draft
 * @typedef {import("../types").WarpDraft} WarpDraft
 */

/** @type {("scale" | "speed" | "integral")[]} what a formula of a curve may mean */
const FORMULAS = ["scale", "speed", "integral"];

/**
 * The sound modes that a task supports.
 * @param {import("../types").Task} task
 */
export const soundModes = (task) => capabilities.soundModes
    .filter(({ hints }) => task in hints).map(({ name }) => name);

/**
 * @param {string | null} media
 * @returns {Draft}
 */
export function freshDraft(media = null) {
    return {
        media,
        task: "warp",
        warp: {
            kind: "built-in", name: "double-smoothstep", factor: 1.5, modifier: 0.5, flip: false,
            formula: { as: "scale", text: "1 + sin(pi*t)" }, keyframes: null, seed: null, uncut: null, file: null,
            fit: { on: false, text: "" },
        },
        scale: { by: "speed", factor: 2, speed: 2, duration: "" },
        stretch: {
            to: "duration", duration: "", by: "+0.25",
            // By sound: `length` and `anchors` come from `reference` if `isMatched`, else the anchors are set by hand.
            reference: null, anchors: null, length: null, isMatched: false,
        },
        range: null,
        boomerang: false,
        video: {
            rate: "source", frames: "hold", smart: false, skipRepeats: false, shutter: null, codec: null, quality: null,
            preset: null,
        },
        sound: { mode: "varispeed", tune: "music", freeze: "silence", codec: null, bitRate: null },
        container: "mp4",
        others: {},
        edit: null,
    };
}

/** @type {(draft: Draft) => import("../types").Retiming} */
const retimingOf = ({ task, warp, scale, stretch, range, boomerang }) => ({
    task, warp, scale, stretch, range, boomerang });

/** Whether nobody has changed yet how the clip of a draft is retimed. */
export const isUntouched = (/** @type {Draft} */ draft) => (
    JSON.stringify(retimingOf(draft)) === JSON.stringify({ ...retimingOf(freshDraft()), task: draft.task }));

/**
 * The draft with members replaced, two levels deep: `{ warp: { factor: 2 } }`.
 * @param {Draft} draft
 * @param {import("../types").DraftChange} change
 */
export function changed(draft, change) {
    /** @type {Record<string, any>} */
    const result = { ...draft };
    for (const [key, value] of Object.entries(change)) {
        const isGroup = isPlain(value) && isPlain(result[key]) && key !== "range";
        result[key] = isGroup ? { ...result[key], ...value } : value;
    }
    return /** @type {Draft} */ (result);
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The draft with another clip, which is retimed as it was, or not yet.
 * @param {Draft} draft
 * @param {string} media
 * @returns {Draft}
 */
export function withMedia(draft, media) {
    if (media === draft.media) return draft;
    const { [media]: own, ...others } = draft.others;
    /** @type {Partial<Draft>} */
    const known = own ?? {};
    return {
        ...draft, ...retimingOf(freshDraft()), task: draft.task, ...known, media,
        others: draft.media === null ? others : { ...others, [draft.media]: retimingOf(draft) },
    };
}

/** The container with a name, which the program can write. */
export const containerOf = (/** @type {string} */ name) => (
    named(capabilities.containers, name) ?? capabilities.containers[0]);

/**
 * The draft with another container. Codecs that the container doesn't support become its default.
 * @param {Draft} draft
 * @param {string} container
 * @returns {Draft}
 */
export function withContainer(draft, container) {
    const { videoCodecs, audioCodecs } = containerOf(container);
    /** @type {(codec: string | null, list: string[]) => string | null} */
    const kept = (codec, list) => (codec !== null && list.includes(codec) ? codec : null);
    return {
        ...draft, container,
        video: { ...draft.video, codec: kept(draft.video.codec, videoCodecs) },
        sound: { ...draft.sound, codec: kept(draft.sound.codec, audioCodecs) },
    };
}

/**
 * Whether keyframes freeze, play backwards or cut: they are over the output. Such keyframes can't be flipped.
 * @param {{ speed: number, source?: string }[] | null} keyframes
 */
export const isTimed = (keyframes) => keyframes?.some(({ speed, source }) => speed <= 0 || source !== undefined) ?? false;

/**
 * Whether a draft's curve is mirrored.
 * @param {Pick<WarpDraft, "kind" | "flip" | "keyframes">} warp
 */
export const isFlipped = ({ kind, flip, keyframes }) => (
    flip && !(kind === "keyframes" && isTimed(keyframes)));

/**
 * The curve of a draft, as written in curve files.
 * @param {WarpDraft} warp
 * @returns {import("../types").Curve}
 */
export function curveOf(warp) {
    const { kind, name, factor, modifier, flip, formula, keyframes, file } = warp;
    const turned = isFlipped(warp) ? { flip: true } : {};
    switch (kind) {
    case "keyframes":
        return { keyframes: keyframes ?? [], ...turned };
    case "formula":
        return { [formula.as]: formula.text, ...turned };
    case "file": {
        const { flip: wasFlipped = false, ...curve } = file?.curve ?? {};
        return wasFlipped !== flip ? { ...curve, flip: true } : curve;
    }
    default:
        return { curve: name, factor, modifier, ...turned };
    }
}

/**
 * The draft with a saved curve or a curve from a file.
 * @param {Draft} draft
 * @param {import("../types").Curve} curve
 * @param {string} name the name to show for a curve that the page can't edit
 */
export function withCurve(draft, { timewarp, ...curve }, name) {
    const { flip = false } = curve;
    /** @type {Partial<WarpDraft>} */
    const change = { flip };
    const formula = FORMULAS.find((each) => curve[each] !== undefined);
    if (typeof curve.curve === "string") {
        const { factor = 1.5, modifier = 0.5 } = curve;
        Object.assign(change, { kind: "built-in", name: curve.curve, factor, modifier });
    } else if (formula) {
        Object.assign(change, { kind: "formula", formula: { as: formula, text: curve[formula] ?? "" } });
    } else if (Array.isArray(curve.keyframes)) {
        Object.assign(change, { kind: "keyframes", keyframes: curve.keyframes });
    } else {
        Object.assign(change, { kind: "file", flip: false, file: { name, curve } });
    }
    return changed(draft, { task: "warp", warp: change });
}

/**
 * A stored draft in which members that are missing, or of another type, are replaced by the defaults. The open edit
 * isn't stored with it.
 * @param {unknown} kept
 * @returns {Draft}
 */
export function mendedDraft(kept) {
    /** @type {(sample: any, value: any) => any} */
    const mend = (sample, value) => {
        if (!isPlain(sample)) {
            const isLike = sample === null || typeof value === typeof sample;
            return value === undefined || !isLike ? sample : value;
        }
        if (!isPlain(value)) return sample;
        return Object.fromEntries(
            Object.entries(sample).map(([key, each]) => [key, mend(each, value[key])]));
    };
    /** @type {<Some extends import("../types").Retiming>(sample: Some, value: any) => Some} */
    const mended = (sample, value) => {
        const result = mend(sample, value);
        if (result.warp.kind === "keyframes" && !result.warp.keyframes) result.warp.kind = "built-in";
        if (result.warp.kind === "file" && !result.warp.file) result.warp.kind = "built-in";
        return result;
    };
    const { others } = /** @type {any} */ (kept) ?? {}, sample = freshDraft();
    return {
        ...mended(sample, kept), edit: null,
        others: Object.fromEntries(Object.entries(isPlain(others) ? others : {}).map(
            ([id, each]) => [id, mended(retimingOf(sample), each)])),
    };
}
