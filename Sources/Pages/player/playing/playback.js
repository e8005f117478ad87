// Connects the runtime with the timeline: carries out the runtime's actions on the timeline, and
// reports presented frames to the runtime.

import { partsOf } from "./manifest.js";
import { foreseen, freshState, reachable, resume, step } from "../story/runtime.js";

/** @typedef {import("../types.js").Piece} Piece */
/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Action} Action */
/** @typedef {import("../types.js").Timeline} Timeline */

/**
 * Seconds before a segment's end at which the segment is appended that follows without a choice. A
 * choice taken later still counts, but then decoders must be flushed, which takes a moment.
 */
const LEAD = 0.6;

export class Playback {
    /** @type {State | null} */
    state = null;
    /** @type {Piece} at first, nothing */
    #piece = { name: "", frames: 0, parts: [] };
    #frame = -1;
    #isFresh = false;
    /** Whether the viewer wants the video to play, whatever keeps it from playing. */
    #isWanted = false;
    /** Whether the video is paused until there is something to play. */
    #isHeld = false;
    /** Whether the segment's end came while the viewer wanted a pause. */
    #isOver = false;
    #isConcluded = false;
    #timer = 0;

    /**
     * @param {{ manifest: import("../types.js").Manifest, video: HTMLVideoElement, timeline: Timeline,
     *     store: import("./segment-store.js").SegmentStore }} parts
     * @param {{ onSteps(actions: Action[], after: import("../types.js").After): void,
     *     onTime(segment: string, seconds: number): void, onPlaying(): void, onRefusal(): void }} listeners
     *     `onPlaying` is called when `isPlaying` may have changed
     */
    constructor({ manifest, video, timeline, store }, listeners) {
        this.manifest = manifest;
        this.video = video;
        this.timeline = timeline;
        this.store = store;
        this.listeners = listeners;
        this.frameRate = manifest.media.frameRate;
        for (const event of ["play", "pause"]) {
            video.addEventListener(event, () => this.#notice());
        }
        // A seek to the end from outside pauses the video, and is taken back.
        video.addEventListener("seeked", () => this.#isHeld || this.#play());
        for (const event of ["timeupdate", "waiting", "ended"]) {
            video.addEventListener(event, () => this.#noticeEnd());
        }
    }

    /** @type {(name: string) => void} shows a segment's first frame, before the story has begun */
    preview(name) {
        this.store.keep(this.#filesOf(name, null));
        this.#begin(name);
        this.#isFresh = true;
    }

    start() {
        this.#run(step(this.manifest, freshState(this.manifest), { do: "start" }));
    }

    /** @type {(saved: unknown) => boolean} returns whether the saved state is of this story and could be resumed */
    resume(saved) {
        const result = resume(this.manifest, saved);
        if (result) this.#run(result);
        return result !== null;
    }

    /** @param {number} index */
    choose(index) {
        this.#input({ do: "chose", choice: index });
    }

    back() {
        this.#input({ do: "back" });
    }

    restart() {
        this.#input({ do: "restart" });
    }

    get canToggle() {
        return this.state !== null && ["playing", "choosing", "locked"].includes(this.state.phase);
    }

    /** @type {(plays: boolean) => void} plays or pauses, as the viewer wants it from now on */
    want(plays) {
        if (!this.canToggle) return;
        this.#isWanted = plays;
        if (plays) this.#play();
        else this.video.pause();
        this.listeners.onPlaying();
    }

    /** Whether the video plays, or will as soon as it can. */
    get isPlaying() {
        return this.#isWanted && this.canToggle;
    }

    /** Whether the video should play, and doesn't. */
    get isWaiting() {
        return this.isPlaying && (this.video.paused || this.video.readyState < 3);
    }

    /** Follows what plays or pauses the video from outside: a small window of the browser, a call. */
    #notice() {
        const { paused, ended, error, seeking } = this.video;
        // WebKitGTK plays on after a seek from the end of an ended stream.
        if (!paused && !this.canToggle) this.video.pause();
        else if (paused === !this.#isWanted) return;
        else if (!paused) this.want(true);
        // Of itself a video pauses where it ends or breaks.
        else if (this.canToggle && !this.#isHeld && !seeking && !ended && !error && !this.#isAtEnd) {
            this.want(false);
        }
    }

    /** The time of the presented frame in its segment, in seconds. */
    get time() {
        return Math.max(0, this.#frame) / this.frameRate;
    }

    /** @type {(mediaTime: number) => void} must be called with the time of each presented frame */
    onFrame(mediaTime) {
        if (!this.state) return;
        const at = this.timeline.at(mediaTime);
        if (!at) return;
        while (at.piece !== this.#piece) {
            if (this.timeline.after(this.#piece) === null) return;
            if (!this.timeline.pieces.includes(at.piece)) return;
            this.#input({ do: "finished" });
        }
        if (at.frame < this.#frame) return;
        this.timeline.shown = mediaTime;
        this.#frame = at.frame;
        const { events } = this.manifest.segments[this.state.segment];
        if (events[this.state.fired]?.at <= this.time) {
            this.#input({ do: "reached", time: this.time });
        }
        this.listeners.onTime(this.state.segment, this.time);
        this.#lookAhead(at.piece.frames - 1 - at.frame);
    }

    /** @param {number} framesLeft */
    #lookAhead(framesLeft) {
        if (framesLeft > LEAD * this.frameRate) return;
        this.#prepareNext();
        const left = this.timeline.untilCrossing(this.#piece, this.#frame);
        if (left < 1.5 * this.#frameDuration) this.#overIn(left);
    }

    /** Appends what follows, or ends the stream. */
    #prepareNext() {
        if (!this.state || this.timeline.after(this.#piece) !== null) return;
        const next = foreseen(this.manifest, this.state);
        if (next !== null) this.timeline.append(next);
        else if (!this.#isConcluded) this.timeline.conclude();
        this.#isConcluded = next === null;
    }

    /** Notices the end of a segment by its time, because the browser may not report its last frames. */
    #noticeEnd() {
        if (!this.canToggle || this.timeline.isCrossing) return;
        const left = this.timeline.untilCrossing(this.#piece, null);
        // Without what follows, the video would wait for it for ever.
        if (left * this.video.playbackRate < LEAD) this.#prepareNext();
        if (this.#isAtEnd) this.#overIn(left);
    }

    get #isAtEnd() {
        return this.timeline.isCrossing
            || this.timeline.untilCrossing(this.#piece, null) < 2.5 * this.#frameDuration;
    }

    /** How many seconds a frame is shown. */
    get #frameDuration() {
        return 1 / this.frameRate / this.video.playbackRate;
    }

    /** @param {number} seconds */
    #overIn(seconds) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#over(), 1000 * Math.max(0, seconds));
    }

    /** Handles the end of the last frame's presentation. */
    #over() {
        this.#isOver = !this.#isWanted;
        if (this.#isOver) return;
        if (this.timeline.after(this.#piece)) this.#cross();
        else if (this.canToggle) this.#finish();
    }

    /** A busy browser doesn't report every frame, but at the end the last one has been on the screen. */
    #finish() {
        this.#frame = this.#piece.frames - 1;
        if (this.state) this.listeners.onTime(this.state.segment, this.time);
        this.#input({ do: "finished" });
    }

    /** Goes to the piece that follows, if there is one and its time has come. */
    #cross() {
        this.timeline.cross(() => this.#isWanted, (error) => this.#onError(error));
    }

    /** @param {import("../types.js").Input} input */
    #input(input) {
        if (this.state) this.#run(step(this.manifest, this.state, input));
    }

    /** @param {import("../types.js").Result} result */
    #run({ state, actions }) {
        const hasChanged = actions.length > 0 || state.phase !== this.state?.phase;
        this.state = state;
        const timeBefore = this.time;
        for (const action of actions) this.#carryOut(action);
        if (!hasChanged) return;
        if (!this.canToggle) this.hold();
        this.#prefetch(state);
        this.listeners.onSteps(actions, { state, timeBefore, time: this.time });
    }

    /** @param {Action} action */
    #carryOut(action) {
        switch (action.do) {
        case "play":
            if (!this.#isFresh || this.#piece.name !== action.segment) this.#begin(action.segment);
            this.#isFresh = false;
            this.want(true);
            break;
        case "leave":
            this.timeline.leave(this.#piece, Math.max(0, this.#frame));
            // Where the browser doesn't play across a join by itself.
            this.#overIn(0);
            break;
        case "lock":
            this.#follow(action.segment);
            break;
        case "jump":
            // Where no frame has been reported since another timeline took over, nothing has been appended yet.
            this.#enter(this.timeline.after(this.#piece) ?? this.timeline.append(action.segment));
            this.timeline.forgetBefore(this.#piece);
            this.#play();
            break;
        }
    }

    /** @param {string} segment */
    #begin(segment) {
        this.hold();
        this.#enter(this.timeline.begin(segment));
    }

    /** What is on the screen stands still until there is something else to play. The viewer's wish stays. */
    hold() {
        this.#isHeld = true;
        this.video.pause();
    }

    /** @param {Piece} piece */
    #enter(piece) {
        clearTimeout(this.#timer);
        this.#isOver = this.#isConcluded = false;
        this.#piece = piece;
        this.#frame = -1;
    }

    /** @type {(segment: string) => void} appends what follows, in place of what was only expected to follow */
    #follow(segment) {
        const next = this.timeline.after(this.#piece);
        if (next?.name === segment) return;
        if (next) this.timeline.withdrawAfter(this.#piece);
        this.timeline.append(segment);
        // What was withdrawn may have been about to be on the screen.
        this.#noticeEnd();
    }

    /** @type {(timeline: Timeline) => void} goes on with another timeline, in the same segment and at the same frame */
    moveTo(timeline) {
        const before = this.timeline;
        this.timeline = timeline;
        this.hold();
        // A busy browser reports frames late; the paused video's time tells which one is on the screen.
        const at = before.at(this.video.currentTime);
        const frame = Math.max(0, this.#frame, at?.piece === this.#piece ? at.frame : 0);
        before.close();
        this.#enter(timeline.begin(this.#piece.name, frame));
        this.#play();
    }

    /** Plays as soon as the timeline is ready, if the viewer wants it then. */
    async #play() {
        const { ready } = this.timeline;
        await ready;
        // Something else may have to be ready by now.
        if (ready !== this.timeline.ready || !this.isPlaying) return;
        this.#isHeld = false;
        // A file that has ended would start again.
        if (this.#isOver || this.video.ended) this.#over();
        else this.#cross();
        if (!this.isPlaying || this.timeline.isCrossing || this.video.ended) return;
        try {
            await this.video.play();
        } catch (error) {
            this.#onError(/** @type {Error} */ (error));
        }
    }

    /**
     * Browsers may refuse to play if the viewer has done nothing yet, or to save energy.
     * @param {Error} error
     */
    #onError({ name }) {
        if (name !== "NotAllowedError" || !this.isPlaying) return;
        this.want(false);
        this.listeners.onRefusal();
    }

    /**
     * Fetches the segments that may follow, and keeps the last decision's segment for going back.
     * @param {State} now
     */
    #prefetch(now) {
        const files = this.#piece.parts.map(({ file }) => file);
        const follow = (/** @type {State} */ state) => {
            for (const name of reachable(this.manifest, state)) {
                files.push(...this.#filesOf(name, state.segment));
            }
        };
        follow(now);
        for (const { goto, immediately } of this.manifest.segments[now.segment].choices) {
            if (immediately) files.push(...this.#filesOf(goto, null));
        }
        if (now.phase === "locked") {
            follow(step(this.manifest, now, { do: "finished" }).state);
        }
        const last = now.history.at(-1);
        const file = last && this.manifest.segments[last.segment].file;
        if (file && this.store.has(file)) files.push(file);
        this.store.keep(files);
    }

    /**
     * The files of a segment as it is played after another one, or after none (null).
     * @type {(name: string, before: string | null) => string[]}
     */
    #filesOf(name, before) {
        return partsOf(this.manifest, name, before).map(({ file }) => file);
    }
}
