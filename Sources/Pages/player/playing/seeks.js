// The viewer can't seek in a story: that could pass over a decision. A browser may offer it all the same, on a lock screen,
// by a media key, or in a small window.

/**
 * Milliseconds after which a seek to what is buffered won't end any more: where there is another way to play, and where
 * nothing can be done but to wait for a busy machine.
 */
const LONGEST_SEEK = 1500, LONGEST_WAIT = 10000;

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
     * @param {() => void} onStuck called when a seek to what is buffered doesn't end
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
        video.addEventListener("seeked", () => this.forget(), { signal });
        signal.addEventListener("abort", () => this.forget());
    }

    /** Forgets a seek that has ended, or that was in an element that is no longer seen. */
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
     * WebKitGTK may never end a seek where a video waited for data, or one that follows another at once. So a seek is asked
     * for once more before it counts as stuck.
     * @param {number} time
     */
    #expectEnd(time, wasRepeated = false) {
        clearTimeout(this.#deadline);
        const before = this.#ranges.join();
        this.#deadline = setTimeout(() => {
            if (!this.video.seeking) return;
            const isBuffered = this.#isBuffered(time);
            if (isBuffered && wasRepeated) {
                this.onStuck();
                return;
            }
            // While data arrive, the browser waits for them, as it should.
            if (isBuffered || before === this.#ranges.join()) this.video.currentTime = time;
            this.#expectEnd(time, isBuffered);
        }, this.longest);
    }

    /** Pairs of times between which the video is buffered. */
    get #ranges() {
        const { buffered } = this.video;
        return Array.from({ length: buffered.length }, (_, index) => [buffered.start(index), buffered.end(index)]);
    }

    /** @param {number} time */
    #isBuffered(time) {
        return this.#ranges.some(([start, end]) => start <= time && time < end);
    }
}
