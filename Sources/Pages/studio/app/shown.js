// What a player shows of a clip: the clip itself, or what a job makes of it.

import { api, versionKey } from "../../shared/api.js";
import { requestAsIs } from "./job.js";
import { nearestOutput, sourceAt } from "../../shared/playing/plot-map.js";

/**
 * `map` and `start`: which source time is shown when, and where in the clip its source begins; without a map it is the clip
 * itself. `evaluation`: that of the job.
 * @typedef {{ request: import("../../shared/types").Request, frameRate: number | null, length: number,
 *     map: import("../../shared/playing/plot-map.js").TimeMap | null, start: number,
 *     evaluation: import("../types").Evaluation | null }} Shown
 */

/** @type {(clip: import("../types").Media) => Shown} */
export const clipItself = ({ id, duration, video }) => ({
    request: requestAsIs(id), length: duration, frameRate: video?.frameRate ?? null, map: null, start: 0, evaluation: null,
});

/** @type {(request: import("../../shared/types").Request, evaluation: import("../types").Evaluation) => Shown} */
export const throughJob = (request, evaluation) => ({
    request, evaluation, map: evaluation.map, start: evaluation.sourceStart, length: evaluation.outputDuration,
    frameRate: evaluation.averageFrameRate ?? null,
});

/**
 * @type {(clip: import("../types").Media, shown: Pick<Shown, "request" | "length" | "frameRate">) =>
 *     import("../../shared/playing/film-feed.js").Film}
 */
export const filmOf = (clip, { request, length, frameRate }) => ({
    key: `${versionKey(clip)} ${JSON.stringify(request)}`, length, frameRate,
    open: (from, size, signal) => api.stream(request, from, size, signal),
});

/** @type {(shown: Shown, time: number) => number} the place in the clip that is shown at a time */
export const placeAt = ({ map, start }, time) => (map ? start + sourceAt(map, time) : time);

/**
 * When a place of the clip is shown; of several times the one that is about as far in as something else is now.
 * @type {(shown: Shown, place: number, share?: number) => number}
 */
export const timeOf = ({ map, start, length }, place, share = 0) => (
    map ? nearestOutput(map, place - start, share * length) : place);
