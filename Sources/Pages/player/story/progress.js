// Time and progress of the scene that plays. A branching story has no length of its own, so both are those of the scene.

import { clockTime, words } from "../controls/words.js";

export class Progress {
    #text = "";
    #share = "";

    /**
     * @param {Record<"progress" | "clock", HTMLElement>} elements
     * @param {import("../types.js").Manifest} manifest
     */
    constructor({ progress, clock }, manifest) {
        this.progress = progress;
        this.clock = clock;
        this.manifest = manifest;
        this.isShown = manifest.controls?.progress ?? true;
        if (this.isShown) this.progress.hidden = this.clock.hidden = false;
    }

    /**
     * @param {string} name
     * @param {number} start when the frame that is shown began: progress is told by its end
     */
    update(name, start) {
        if (!this.isShown) return;
        const { duration } = this.manifest.segments[name];
        const time = start > 0 ? start + 1 / this.manifest.media.frameRate : 0;
        const share = Math.min(1, time / duration).toFixed(3);
        if (share !== this.#share) this.progress.style.setProperty("--done", share);
        this.#share = share;
        const [now, length] = [clockTime(Math.min(time, duration)), clockTime(duration)];
        const text = `${now} / ${length}`;
        if (text === this.#text) return;
        this.#text = text;
        this.clock.textContent = text;
        // Not as a progress bar: some screen readers beep whenever one changes.
        this.clock.setAttribute("aria-label", `${words.say("sceneTime")}: ${words.say("timeOf", { time: now, length })}`);
    }
}
