// The ways in which this browser can play a story, the best one first, and what happens where one fails.

import { MediaSourceTimeline } from "./media-source.js";
import { NetworkError } from "./segment-store.js";
import { WholeFilesTimeline } from "./whole-files.js";

export class Ways {
    /** Makes a timeline in each of the ways that are left. */
    #ways = [];
    /** The timeline that was made last: what others still report doesn't matter any more. */
    #timeline = null;

    /**
     * @param parts `{ manifest, screen, store }`
     * @param acts `{ hold(), moveTo(timeline), fail(error, retry) }`: to stand still, to go on with another timeline where
     *     the story is, and to say that the video can't be played
     */
    constructor({ manifest, screen, store }, acts) {
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

    #make() {
        const [way] = this.#ways;
        const timeline = way((error) => this.#onError(timeline, error));
        this.#timeline = timeline;
        return timeline;
    }

    /** Goes on in the next way, if there is one. */
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
