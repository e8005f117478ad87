// The viewer can't seek in a story: that could pass over a decision. A browser may offer it all the same, on a lock screen,
// by a media key, or in a small window.

export class Seeks {
    /** Whether a seek that a timeline has asked for hasn't ended. */
    #isAsked = false;
    /** Whether the video is on its way back: frames that are reported until then aren't the story's. */
    isGoingBack = false;

    /**
     * @param back gives the time to which the video goes back if something else has it seek; null to leave it
     */
    constructor(video, back, signal) {
        this.video = video;
        video.addEventListener("seeking", () => {
            if (this.#isAsked) return;
            const time = back();
            if (time === null) return;
            this.isGoingBack = true;
            this.to(time);
        }, { signal });
        video.addEventListener("seeked", () => this.forget(), { signal });
    }

    /** Forgets a seek that has ended, or that was in an element that is no longer seen. */
    forget() {
        this.#isAsked = this.isGoingBack = false;
    }

    to(time) {
        this.#isAsked = true;
        this.video.currentTime = time;
    }
}
