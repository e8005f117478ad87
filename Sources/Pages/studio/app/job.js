// The job that is made from a draft, as in a job file, and the draft that is made from a job.

import { capabilities, named } from "./capabilities.js";
import { changed, containerOf, curveOf, freshDraft, soundModes, withCurve, withMedia } from "./draft.js";
import { ratioOf } from "../../shared/numbers.js";
import { durationText, plainDuration } from "../../shared/times.js";

/**
 * A segment is a clip, which its media is the identity of, and how it is retimed.
 * @typedef {import("../../shared/types").Segment} Segment
 * @typedef {import("../../shared/types").Job} Job
 * @typedef {import("../../shared/types").Request} Request
 * @typedef {import("../types").Draft} Draft
 * @typedef {import("../types").StretchDraft} StretchDraft
 */

/** @type {(job: { timeline: Job["timeline"] }) => Segment} */
export const segmentOf = ({ timeline }) => timeline.tracks[0].segments[0];

/** @type {(request: { job: Job }) => string} the identity of the clip of a request */
export const mediaOf = ({ job }) => segmentOf(job).media;

/** @type {(job: { timeline: Job["timeline"] }) => import("../types").Task} what a job does */
export const taskOf = ({ timeline }) => (
    timeline.tracks[0].carries === "sound" ? "stretch" : taskOfSegment(segmentOf({ timeline })));

/**
 * @param {Segment} segment
 * @returns {import("../types").Task}
 */
function taskOfSegment({ warp, play }) {
    if (warp) return "warp";
    return play === "reversed" ? "reverse" : "scale";
}

/** The extension of the file that a job makes, which says what kind of file. */
const endingOf = (/** @type {Job} */ { output }) => output.path.split(".").at(-1) ?? "";

/** @type {(request: { job: Job }) => boolean} whether only sound is written, whatever the clip has */
export const isSoundOnly = ({ job }) => containerOf(endingOf(job)).videoCodecs.length === 0;

/** @type {(item: Request) => Request} the request for an item that has a job, such as a render */
export const requestFor = ({ job, reference }) => ({ job, ...present({ reference }) });

/** @type {(request: Request, segment: Segment) => Request} the request with another segment */
export const withSegmentOf = (request, segment) => {
    const { job } = request;
    const [track] = job.timeline.tracks;
    const timeline = { ...job.timeline, tracks: [{ ...track, segments: [segment] }] };
    return { ...request, job: { ...job, timeline } };
};

/**
 * The request for a clip as it is.
 * @param {string} media
 * @returns {Request}
 */
export const requestAsIs = (media) => ({
    job: {
        timewarp: "job/1", timeline: { format: "source", tracks: [{ segments: [{ media, speed: 1 }] }] },
        output: { path: "clip.mp4" },
    },
});

/**
 * The request for the same with the source's own frames alone, or frames that are made in another way, and the plainest sound.
 * @type {(request: Request, frames?: string) => Request}
 */
export const asSeen = (request, frames = "hold") => {
    const { job } = request, { skipRepeats, ...video } = job.video ?? {};
    const made = { ...video, frames, ...skipRepeats && frames !== "hold" ? { skipRepeats } : {} };
    return { ...request, job: { ...job, video: made, audio: { mode: "varispeed" } } };
};

/** @type {(request: Request, part: { start: string, end: string }) => Request} the request for a part of the output */
export const withSample = (request, { start, end }) => {
    const { job } = request;
    const path = job.output.path.replace(/(?=\.[^.]*$)/, "-sample");
    return { ...request, job: { ...job, output: { path, range: [start, end] } } };
};

/** @type {(given: unknown) => string} a value as text, which is the same in whatever order its members are */
export function plainText(given) {
    return JSON.stringify(given, (_, value) => (
        typeof value !== "object" || value === null || Array.isArray(value) ? value
            : Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)
                .sort(([a], [b]) => (a < b ? -1 : 1)))));
}

const DEEDS = { warp: "warped", scale: "scaled", stretch: "stretched", reverse: "reversed" };

/**
 * The request of a draft, to be evaluated and rendered.
 * @param {Draft} draft
 * @param {{ name: string, duration: number, video?: { frameRate?: number | null } | null }} clip the draft's clip; its duration
 *     replaces one that is left empty
 * @returns {Request}
 */
export function requestOf(draft, clip) {
    const { task, container, stretch } = draft, { name } = clip;
    const { rate, frames, smart, skipRepeats, ...video } = draft.video;
    const { mode, tune, freeze, ...audio } = draft.sound;
    const used = soundModes(task).includes(mode) ? mode : "varispeed";
    /** @type {Job["timeline"]["tracks"][0]} */
    const track = {
        ...task === "stretch" ? { carries: "sound" } : {}, segments: [retimed(draft, clip)],
    };
    const stem = name.replace(/\.[^.]*$/, "") || name;
    return {
        job: {
            timewarp: "job/1",
            timeline: { format: "source", tracks: [track] },
            output: { path: `${stem}-${DEEDS[task]}.${container}` },
            video: { rate, frames, ...smart ? { smart } : {}, ...present(video),
                ...skipRepeats && frames !== "hold" ? { skipRepeats } : {} },
            audio: { mode: used, ...used === "keep-pitch" ? { tune, ...freeze === "hold" ? { freeze } : {} } : {}, ...present(audio) },
        },
        ...stretch.reference && task === "stretch" && stretch.to === "match" && stretch.isMatched
            ? { reference: stretch.reference } : {},
    };
}

/** @param {object} members */
const present = (members) => Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined));

/**
 * The clip of a draft.
 * @param {Draft} draft
 * @param {Parameters<typeof requestOf>[1]} clip
 * @returns {Segment}
 */
function retimed(draft, { duration, video }) {
    const { media, task, range } = draft;
    const turns = draft.boomerang && task !== "stretch";
    const rate = ratioOf(draft.video.rate) || video?.frameRate;
    const length = (/** @type {string} */ text) => plainDuration(text.trim() || durationText(duration), rate, duration);
    const place = (/** @type {string} */ text) => plainDuration(text, video?.frameRate, duration);
    const lasting = (/** @type {string} */ text) => ({ [turns ? "oneWay" : "duration"]: length(text) });
    /** @type {() => Partial<Segment>} */
    const how = () => {
        switch (task) {
        case "warp": {
            const { fit } = draft.warp;
            return { warp: curveOf(draft.warp), ...fit.on ? lasting(fit.text) : {} };
        }
        case "scale": {
            const { by, factor, speed } = draft.scale;
            if (by === "duration") return lasting(draft.scale.duration);
            return by === "factor" ? { scale: factor } : { speed };
        }
        case "stretch": return stretched(draft.stretch, length);
        default: return { play: "reversed" };
        }
    };
    return {
        media: media ?? "",
        ...range && task !== "stretch" ? { range: [place(range.start || "0"), ...range.end ? [place(range.end)] : []] } : {},
        ...how(),
        ...turns ? { thereAndBack: true } : {},
    };
}

/** @type {(draft: StretchDraft, lengthOf: (text: string) => string) => Partial<Segment>} */
const stretched = ({ to, by, duration, anchors, length, isMatched }, lengthOf) => {
    if (to === "by") return { longerBy: by.trim() };
    if (to !== "match") return { duration: lengthOf(duration) };
    if (!isMatched) return { anchors: pointsOf(anchors ?? []) };
    return { ...anchors ? { anchors: pointsOf(anchors) } : {}, ...length === null ? {} : { duration: length } };
};

/** @param {[number, number][]} anchors */
const pointsOf = (anchors) => anchors.map(([source, output]) => ({ source, output }));

/**
 * The draft with the retiming of a segment, and its clip.
 * @param {Draft} draft
 * @param {Segment} segment
 * @param {import("../types").Task} [task] what is done
 * @param {string | null} [reference] the clip that the sound was compared with
 * @returns {Draft}
 */
export function withSegment(draft, segment, task = taskOfSegment(segment), reference = null) {
    const [start = "", end = ""] = segment.range ?? [];
    const { thereAndBack = false } = segment;
    const length = textOf(segment.oneWay ?? segment.duration);
    const result = {
        ...withMedia(draft, segment.media), task, boomerang: Boolean(thereAndBack),
        range: segment.range ? { start: String(start), end: String(end) } : null,
    };
    switch (task) {
    case "warp":
        return changed(withCurve(result, segment.warp ?? {}, "the curve of this render"), {
            warp: { fit: { on: length !== undefined, text: length ?? "" } },
        });
    case "scale": return changed(result, { scale: scaleOf(segment, length) });
    case "stretch": return changed(result, { stretch: stretchOf(segment, reference) });
    default: return result;
    }
}

/** @param {string | number | undefined} time */
const textOf = (time) => (time === undefined ? undefined : String(time));

/** @type {(segment: Segment, duration?: string) => Partial<Draft["scale"]>} */
const scaleOf = ({ scale, speed }, duration) => {
    if (duration !== undefined) return { by: "duration", duration };
    return scale === undefined ? { by: "speed", speed: ratioOf(speed ?? 1) } : { by: "factor", factor: ratioOf(scale) };
};

/** @type {(segment: Segment, reference: string | null) => Partial<StretchDraft>} */
const stretchOf = ({ anchors, duration, longerBy }, reference) => {
    if (anchors || reference) {
        return {
            to: "match", reference, length: textOf(duration) ?? null, isMatched: reference !== null,
            anchors: anchors?.map(({ source, output }) => [Number(source), Number(output)]) ?? null,
        };
    }
    return longerBy === undefined ? { to: "duration", duration: textOf(duration) ?? "" }
        : { to: "by", by: String(longerBy) };
};

/**
 * The draft with the settings of a request; those of other tasks stay as in `draft`.
 * @type {(draft: Draft, request: Request) => Draft}
 */
export const withRequest = (draft, { job, reference }) => {
    const { video, sound } = freshDraft();
    /** @type {<Group extends object>(fresh: Group, given: Record<string, any> | undefined) => Group} */
    const known = (fresh, given) => /** @type {any} */ (Object.fromEntries(
        Object.entries(fresh).map(([key, usual]) => [key, given?.[key] ?? usual])));
    const ending = endingOf(job);
    const result = {
        ...draft, container: named(capabilities.containers, ending) ? ending : "mp4",
        video: known(video, job.video), sound: known(sound, job.audio),
    };
    return withSegment(result, segmentOf(job), taskOf(job), reference ?? null);
};
