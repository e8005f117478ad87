// The ways in which this browser can play a story, the best one first, and what happens where one fails.

import { MediaSourceTimeline } from "./media-source.js";
import { NetworkError } from "./segment-store.js";
import { WholeFilesTimeline } from "./whole-files.js";

/** @typedef {import("../types.js").Timeline} Timeline */

export class Ways {
    /** @type {((onError: (error: unknown) => void) => Timeline)[]} makes a timeline in each way that is left */
    #ways = [];
    /** @type {Timeline | null} the one that was made last: what others still report doesn't matter any more */
    #timeline = null;

    /**
     * @param {import("../types.js").Manifest} manifest
     * @param {import("./screen.js").Screen} screen
     * @param {import("./segment-store.js").SegmentStore} store
     * @param {{ hold(): void, moveTo(timeline: Timeline): void, fail(error: unknown, retry: () => void): void }} acts
     *     to stand still, to go on with another timeline where the story is, and to say that the video can't be played
     */
    constructor(manifest, screen, store, acts) {
        this.acts = acts;
        const { type } = manifest.media;
        if (MediaSourceTimeline.canPlay(type)) {
            this.#ways.push((onError) =>
                new MediaSourceTimeline(
                    screen.active, manifest, store, onError, this.#ways.length === 1));
        }
        if (WholeFilesTimeline.canPlay(screen.active, type)) {
            this.#ways.push((onError) => new WholeFilesTimeline(screen, manifest, store, onError));
        }
    }

    /** Whether the browser says that it can't play the story at all. */
    get isEmpty() {
        return this.#ways.length === 0;
    }

    /** A timeline of the first way that can be opened. */
    async open() {
        for (;;) {
            const timeline = this.#make();
            try {
                await timeline.open();
                return timeline;
            } catch (error) {
                timeline.close();
                if (error instanceof NetworkError || this.#ways.length === 1) throw error;
                this.#ways.shift();
            }
        }
    }

    /** @returns {Timeline} */
    #make() {
        const [way] = this.#ways;
        /** @type {Timeline} */
        const timeline = way((error) => this.#onError(timeline, error));
        this.#timeline = timeline;
        return timeline;
    }

    /** @type {(timeline: Timeline, error: unknown) => void} goes on in the next way, if there is one */
    #onError(timeline, error) {
        if (timeline !== this.#timeline) return;
        console.warn("The video can't be played in this way.", error);
        this.acts.hold();
        if (!(error instanceof NetworkError) && this.#ways.length > 1) {
            this.#ways.shift();
            this.#goOn();
        } else {
            this.acts.fail(error, () => this.#goOn());
        }
    }

    async #goOn() {
        const timeline = this.#make();
        try {
            await timeline.open();
        } catch (error) {
            timeline.close();
            this.#onError(timeline, error);
            return;
        }
        if (timeline === this.#timeline) this.acts.moveTo(timeline);
        else timeline.close();
    }
}
