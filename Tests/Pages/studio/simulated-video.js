// A simulated video that a preview controls: it obeys play and seek with the delays of a real one, and
// stalls when told to.

import { sourceAt } from "../../../Sources/Pages/shared/playing/plot-map.js";
import { freshPreview, previewStep } from "../../../Sources/Pages/shared/playing/preview.js";

/** Seconds. */
const FRAME = 1 / 30, STEP = 1 / 60, LATENCY = 0.04, START = 0.05;

/** A map through points, each given as `[output, source]`. */
export const mapOf = (points) => ({
    output: points.map(([output]) => output), source: points.map(([, source]) => source) });

/** How many frames apart two source times are. */
export const framesBetween = (one, other) => Math.abs(one - other) / FRAME;

/** The video itself. Its time passes where it plays. */
class Video {
    rate = 1;
    isPaused = true;
    seeks = 0;
    #target = null;
    /** When the seek ends, and when playing begins to show something. */
    #until = 0;
    #starts = 0;

    /**
     * @param {number} time
     * @param {{ latency: number, ahead: number | null, stall: [number, number] | null }} ways
     */
    constructor(time, ways) {
        this.time = time;
        this.ways = ways;
    }

    get isSeeking() {
        return this.#target !== null;
    }

    isStalledAt(now) {
        const { stall } = this.ways;
        return stall !== null && now > stall[0] && now < stall[1];
    }

    hasStartedAt(now) {
        return now >= this.#starts;
    }

    pass(now, step) {
        if (this.isSeeking && now >= this.#until) {
            this.time = this.#target;
            this.#target = null;
        }
        // Some browsers' time runs at once, although nothing is shown yet.
        const moves = this.ways.ahead !== null || this.hasStartedAt(now);
        if (moves && !this.isPaused && !this.isSeeking && !this.isStalledAt(now)) this.time += this.rate * step;
    }

    obey({ paused, seekTo, rate }, now) {
        const wasPaused = this.isPaused;
        this.isPaused = paused;
        if (seekTo !== null) {
            this.seeks += 1;
            this.#target = seekTo;
            this.#until = now + this.ways.latency;
        }
        if (paused) return;
        if (wasPaused || seekTo !== null) this.#starts = now + (this.ways.ahead ?? START);
        this.rate = rate;
    }
}

/**
 * Plays a map through a simulated video until it is over, but no longer than `seconds`.
 *
 * @param {number[][]} points of the map, each `[output, source]`
 * @param {object} [options] `output`: where it starts; `latency` of a seek; `stall`: from when to when the
 *     video stands still; `jitter`: how uneven the steps are, as a share; `fetching`: seconds until a second's
 *     small frames arrive, null without small frames; `ahead`: for how many seconds the video's time runs
 *     before it shows anything
 */
export function simulate(points, {
    pace = 1, loop = false, output = 0, latency = LATENCY, seconds = 20, stall = null, jitter = 0, fetching = null,
    ahead = null,
} = {}) {
    const map = mapOf(points), end = map.output.at(-1), log = [], arrives = new Map();
    const video = new Video(output === 0 ? 0 : sourceAt(map, output), { latency, ahead, stall });
    let state = freshPreview(output, 0), small = null, isOver = false, now = 0;
    const hasImage = fetching === null ? null : (source) => {
        const second = Math.floor(source);
        if (!arrives.has(second)) arrives.set(second, now + fetching);
        return arrives.get(second) <= now;
    };
    for (let tick = 1; now < seconds && !isOver; tick += 1) {
        const step = STEP + jitter * (tick % 3 - 1) * STEP;
        now += step;
        video.pass(now, step);
        const { state: next, act } = previewStep(state, {
            now, map, pace, loop, source: video.time, isSeeking: video.isSeeking,
            isShowing: ahead === null || video.hasStartedAt(now),
            canPlay: !video.isSeeking && !video.isStalledAt(now), frame: FRAME, latency, hasImage,
        });
        state = next;
        video.obey(act, now);
        isOver = act.isOver;
        // A small frame covers the video until the video shows its own.
        small = act.show ?? (!video.isSeeking && state.awaits === null ? null : small);
        log.push({
            output: state.output, shown: small ?? video.time, wanted: sourceAt(map, Math.min(state.output, end)),
            rate: act.rate, isPaused: act.paused,
        });
    }
    return { log, seeks: video.seeks, isOver, now };
}
