// The job that is made from a draft, as in a job file, and the draft that is made from a job.

import { changed, CONTAINERS, curveOf, freshDraft, soundModes, withCurve } from "./draft.js";
import { ratioOf } from "../../shared/numbers.js";
import { durationText } from "../../shared/times.js";

/**
 * A segment of a job's timeline: the clip, and how it is retimed. Its media is the identity of a clip.
 * @typedef {{ media: string, range?: string[], warp?: object, play?: "reversed", duration?: string, oneWay?: string,
 *     scale?: number | string, speed?: number | string, longerBy?: string, anchors?: { source: number, output: number }[], thereAndBack?: boolean }} Segment
 * @typedef {{ timeline: object, output: object, video: object, audio: object }} Job
 * @typedef {{ job: Job, reference?: string }} Request what the server evaluates and renders; `reference` is the clip that
 *     the sound was compared with
 */

/** @returns {Segment} */
export const segmentOf = ({ timeline }) => timeline.tracks[0].segments[0];

/** The identity of the clip of a request. */
export const mediaOf = ({ job }) => segmentOf(job).media;

/** @returns {"warp" | "scale" | "stretch" | "reverse"} what a job does */
export const taskOf = ({ timeline }) => (
    timeline.tracks[0].carries === "sound" ? "stretch" : taskOfSegment(segmentOf({ timeline })));

function taskOfSegment({ warp, play }) {
    if (warp) return "warp";
    return play === "reversed" ? "reverse" : "scale";
}

/** The request for an item that has a job, such as a render. */
export const requestFor = ({ job, reference }) => ({ job, ...present({ reference }) });

/** The request with another segment. */
export function withSegmentOf(request, segment) {
    const { job } = request;
    const [track] = job.timeline.tracks;
    const timeline = { ...job.timeline, tracks: [{ ...track, segments: [segment] }] };
    return { ...request, job: { ...job, timeline } };
}

/** The request for a part of the output. @param {{ start: string, end: string }} part */
export function withSample(request, { start, end }) {
    const { job } = request;
    const path = job.output.path.replace(/(?=\.[^.]*$)/, "-sample");
    return { ...request, job: { ...job, output: { path, range: [start, end] } } };
}

const DEEDS = { warp: "warped", scale: "scaled", stretch: "stretched", reverse: "reversed" };

/**
 * The request of a draft, to be evaluated and rendered.
 * @param {{ name: string, duration: number }} clip the draft's clip; its duration replaces one that is left empty
 * @returns {Request}
 */
export function requestOf(draft, { name, duration }) {
    const { task, container, stretch } = draft;
    const { rate, frames, ...video } = draft.video;
    const { mode, tune, ...audio } = draft.sound;
    const used = soundModes(task).includes(mode) ? mode : "varispeed";
    const track = {
        ...task === "stretch" ? { carries: "sound" } : {}, segments: [retimed(draft, duration)],
    };
    const stem = name.replace(/\.[^.]*$/, "") || name;
    return {
        job: {
            timewarp: "job/1",
            timeline: { format: "source", tracks: [track] },
            output: { path: `${stem}-${DEEDS[task]}.${container}` },
            video: { rate, frames, ...present(video) },
            audio: { mode: used, ...used === "keep-pitch" ? { tune } : {}, ...present(audio) },
        },
        ...task === "stretch" && stretch.to === "match" && stretch.isMatched ? { reference: stretch.reference } : {},
    };
}

const present = (members) => Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined));

/** @returns {Segment} the clip of a draft */
function retimed(draft, duration) {
    const { media, task, range } = draft;
    const turns = draft.boomerang && task !== "stretch";
    const length = (text) => text.trim() || durationText(duration);
    const lasting = (text) => ({ [turns ? "oneWay" : "duration"]: length(text) });
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
        media, ...range && task !== "stretch" ? { range: [range.start || "0", ...range.end ? [range.end] : []] } : {},
        ...how(),
        ...turns ? { thereAndBack: true } : {},
    };
}

function stretched({ to, by, duration, anchors, length, isMatched }, lengthOf) {
    if (to === "by") return { longerBy: by.trim() };
    if (to !== "match") return { duration: lengthOf(duration) };
    if (!isMatched) return { anchors: pointsOf(anchors ?? []) };
    return { ...anchors ? { anchors: pointsOf(anchors) } : {}, duration: length };
}

const pointsOf = (anchors) => anchors.map(([source, output]) => ({ source, output }));

/**
 * The draft with the retiming of a segment, and its clip.
 * @param {Segment} segment
 * @param {string} [task] what is done
 */
export function withSegment(draft, segment, task = taskOfSegment(segment), reference = null) {
    const [start, end] = segment.range ?? [];
    const { thereAndBack = false } = segment;
    const length = segment.oneWay ?? segment.duration;
    const result = {
        ...draft, task, media: segment.media, range: segment.range ? { start, end } : null,
        boomerang: thereAndBack,
    };
    switch (task) {
    case "warp":
        return changed(withCurve(result, segment.warp, "the curve of this render"), {
            warp: { fit: { on: length !== undefined, text: length ?? "" } },
        });
    case "scale": return changed(result, { scale: scaleOf(segment, length) });
    case "stretch": return changed(result, { stretch: stretchOf(segment, reference) });
    default: return result;
    }
}

function scaleOf({ scale, speed }, duration) {
    if (duration !== undefined) return { by: "duration", duration };
    return scale === undefined ? { by: "speed", speed: ratioOf(speed ?? 1) } : { by: "factor", factor: ratioOf(scale) };
}

function stretchOf({ anchors, duration, longerBy }, reference) {
    if (anchors || reference) {
        return {
            to: "match", reference, length: duration ?? null, isMatched: reference !== null,
            anchors: anchors?.map(({ source, output }) => [Number(source), Number(output)]) ?? null,
        };
    }
    return longerBy === undefined ? { to: "duration", duration } : { to: "by", by: longerBy };
}

/** The draft with the settings of a request; those of other tasks stay as in `draft`. */
export function withRequest(draft, { job, reference = null }) {
    const { video, sound } = freshDraft();
    const known = (fresh, given) => Object.fromEntries(
        Object.entries(fresh).map(([key, usual]) => [key, given[key] ?? usual]));
    const ending = job.output.path.split(".").at(-1);
    const result = {
        ...draft, container: ending in CONTAINERS ? ending : "mp4",
        video: known(video, job.video), sound: known(sound, job.audio),
    };
    return withSegment(result, segmentOf(job), taskOf(job), reference);
}
