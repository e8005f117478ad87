// The viewer can't seek in a story: that could pass over a decision. A browser may offer it all the same, on a lock screen,
// by a media key, or in a small window.

/**
 * Milliseconds after which a seek to what is buffered won't end any more: where there is another way to play, and where
 * nothing can be done but to wait for a busy machine.
 */
const LONGEST_SEEK = 1500, LONGEST_WAIT = 10000;
/** The longest gap that WebKit plays over, in seconds, and how far the clock of a video that stands may have gone. */
export const LONGEST_GAP = 2002 / 24000;
const STANDING = 0.02;

export class Seeks {
    /** Whether a seek that a timeline has asked for hasn't ended. */
    #isAsked = false;
    #deadline = 0;
    /** Whether the video is on its way back: frames that are reported until then aren't the story's. */
    isGoingBack = false;

    /**
     * @param {HTMLVideoElement} video
     * @param {() => number | null} back gives the time to which the video goes back if something else has it seek;
     *     null to leave it
     * @param {AbortSignal} signal ends this
     * @param {() => void} onStuck called when a seek to what is buffered doesn't end, or nothing plays after it
     * @param {boolean} isLastWay whether there is no other way to play
     */
    constructor(video, back, signal, onStuck = () => {}, isLastWay = false) {
        this.video = video;
        this.onStuck = onStuck;
        this.longest = isLastWay ? LONGEST_WAIT : LONGEST_SEEK;
        video.addEventListener("seeking", () => {
            if (this.#isAsked) return;
            const time = back();
            if (time === null) return;
            this.isGoingBack = true;
            this.to(time);
        }, { signal });
        video.addEventListener("seeked", () => { this.#isAsked = this.isGoingBack = false; }, { signal });
        signal.addEventListener("abort", () => this.forget());
    }

    /** Forgets a seek in an element that is no longer seen. */
    forget() {
        clearTimeout(this.#deadline);
        this.#isAsked = this.isGoingBack = false;
    }

    /** @param {number} time */
    to(time) {
        this.#isAsked = true;
        this.video.currentTime = time;
        this.#expectEnd(time);
    }

    /**
     * WebKitGTK may never end a seek where a video waited for data, or one that follows another at once; or it ends it and
     * stands there, before a gap that it plays over elsewhere. So a seek is asked for once more before it counts as stuck.
     * @param {number} time
     */
    #expectEnd(time, wasRepeated = false) {
        clearTimeout(this.#deadline);
        const before = this.#ranges.join();
        this.#deadline = setTimeout(() => {
            const { seeking } = this.video;
            if (!seeking && !this.#stands(time)) return;
            const place = this.#buffered(time);
            if (place !== null && wasRepeated) {
                this.onStuck();
                return;
            }
            // While data arrive, the browser waits for them, as it should.
            if (place !== null || (seeking && before === this.#ranges.join())) {
                this.#isAsked = true;
                this.video.currentTime = place ?? time;
            }
            this.#expectEnd(time, place !== null);
        }, this.longest);
    }

    /** @type {(time: number) => boolean} whether the video should play, and is still where it was sent */
    #stands(time) {
        const { paused, ended, currentTime } = this.video;
        return !paused && !ended && Math.abs(currentTime - time) < STANDING;
    }

    /** Pairs of times between which the video is buffered. */
    get #ranges() {
        const { buffered } = this.video;
        return Array.from({ length: buffered.length }, (_, index) => [buffered.start(index), buffered.end(index)]);
    }

    /** @type {(time: number) => number | null} the first buffered time from a time on, over a gap; null if there is none */
    #buffered(time) {
        const range = this.#ranges.find(([start, end]) => start - LONGEST_GAP <= time && time < end);
        return range ? Math.max(time, range[0]) : null;
    }
}
