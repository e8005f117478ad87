// The draft that the page edits. It has the settings of every tab and every kind of curve; the job that is made from it
// (job.js) has only those that are used.

/** The ranges of the sliders; number fields take any value. */
export const RANGES = {
    factor: { min: 0.1, max: 4, step: 0.01 },
    modifier: { min: 0.1, max: 1, step: 0.01 },
};

/** The codecs that each container supports; the first is the default. */
export const CONTAINERS = {
    mp4: { video: ["h264", "hevc", "av1", "vp9"], audio: ["aac", "opus", "flac"] },
    mov: { video: ["h264", "hevc", "prores"], audio: ["aac", "pcm"] },
    mkv: {
        video: ["h264", "hevc", "av1", "vp9", "ffv1", "prores"],
        audio: ["opus", "aac", "flac", "pcm", "mp3"],
    },
    webm: { video: ["vp9", "av1"], audio: ["opus"] },
    gif: { video: ["gif"], audio: [] },
};

const SOUND_MODES = {
    warp: ["varispeed", "keep-pitch", "keep", "mute"],
    scale: ["varispeed", "keep-pitch", "keep", "mute"],
    stretch: ["varispeed", "keep-pitch"],
    reverse: ["varispeed", "keep", "mute"],
};

/** The sound modes that a task supports. */
export const soundModes = (task) => SOUND_MODES[task];

/** @param {string | null} media */
export function freshDraft(media = null) {
    return {
        media,
        task: "warp",
        warp: {
            kind: "built-in", name: "double-smoothstep", factor: 1.5, modifier: 0.5, flip: false,
            formula: { as: "scale", text: "1 + sin(pi*t)" }, keyframes: null, seed: null, file: null,
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
        video: { rate: "source", frames: "hold", codec: null, quality: null, preset: null },
        sound: { mode: "varispeed", tune: "music", codec: null, bitRate: null },
        container: "mp4",
        edit: null,
    };
}

/**
 * The draft with members replaced, two levels deep: `{ warp: { factor: 2 } }`.
 * @template T
 * @param {T} draft
 * @param {object} change
 * @returns {T}
 */
export function changed(draft, change) {
    const result = { ...draft };
    for (const [key, value] of Object.entries(change)) {
        const isGroup = isPlain(value) && isPlain(draft[key]) && key !== "range";
        result[key] = isGroup ? { ...draft[key], ...value } : value;
    }
    return result;
}

const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The draft with another clip, all of which is used. */
export const withMedia = (draft, media) => ({ ...draft, media, range: null });

/** The draft with another container. Codecs that the container doesn't support become its default. */
export function withContainer(draft, container) {
    const { video, audio } = CONTAINERS[container];
    const kept = (codec, list) => (list.includes(codec) ? codec : null);
    return {
        ...draft, container,
        video: { ...draft.video, codec: kept(draft.video.codec, video) },
        sound: { ...draft.sound, codec: kept(draft.sound.codec, audio) },
    };
}

/** Whether keyframes freeze or play backwards. Such keyframes can't be flipped. */
export const isTimed = (keyframes) => keyframes.some(({ speed }) => speed <= 0);

/** Whether a draft's curve is mirrored. */
export const isFlipped = ({ kind, flip, keyframes }) => (
    flip && !(kind === "keyframes" && isTimed(keyframes)));

/** The curve of a draft, as written in curve files. */
export function curveOf(warp) {
    const { kind, name, factor, modifier, flip, formula, keyframes, file } = warp;
    const turned = isFlipped(warp) ? { flip: true } : {};
    switch (kind) {
    case "keyframes":
        return { keyframes, ...turned };
    case "formula":
        return { [formula.as]: formula.text, ...turned };
    case "file": {
        const { flip: wasFlipped = false, ...curve } = file.curve;
        return wasFlipped !== flip ? { ...curve, flip: true } : curve;
    }
    default:
        return { curve: name, factor, modifier, ...turned };
    }
}

/**
 * The draft with a saved curve or a curve from a file.
 * @param {string} name the name to show for a curve that the page can't edit
 */
export function withCurve(draft, { timewarp: _, ...curve }, name) {
    const { flip = false } = curve;
    const change = { flip };
    const formula = ["scale", "speed", "integral"].find((each) => each in curve);
    if (typeof curve.curve === "string") {
        const { factor = 1.5, modifier = 0.5 } = curve;
        Object.assign(change, { kind: "built-in", name: curve.curve, factor, modifier });
    } else if (formula) {
        Object.assign(change, { kind: "formula", formula: { as: formula, text: curve[formula] } });
    } else if (Array.isArray(curve.keyframes)) {
        Object.assign(change, { kind: "keyframes", keyframes: curve.keyframes });
    } else {
        Object.assign(change, { kind: "file", flip: false, file: { name, curve } });
    }
    return changed(draft, { task: "warp", warp: change });
}

/**
 * A stored draft in which members that are missing, or of another type, are replaced by the defaults. The open edit isn't
 * stored with it.
 */
export function mendedDraft(kept) {
    const mend = (sample, value) => {
        if (!isPlain(sample)) {
            const isLike = sample === null || typeof value === typeof sample;
            return value === undefined || !isLike ? sample : value;
        }
        if (!isPlain(value)) return sample;
        return Object.fromEntries(
            Object.entries(sample).map(([key, each]) => [key, mend(each, value[key])]));
    };
    const draft = mend(freshDraft(), kept);
    if (draft.warp.kind === "keyframes" && !draft.warp.keyframes) draft.warp.kind = "built-in";
    if (draft.warp.kind === "file" && !draft.warp.file) draft.warp.kind = "built-in";
    return { ...draft, edit: null };
}
