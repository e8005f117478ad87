// An offer of choices: what is said of it, how much time is left, and where the focus goes.

import { deadline } from "../story/runtime.js";
import { words } from "./words.js";

export class Offer {
    /**
     * The choice that had the focus when its segment's choices were withdrawn.
     * @type {{ segment: string, index: number } | null}
     */
    #lastFocus = null;
    #lastText = "";
    /** @type {number | null} */
    #deadline = null;

    /**
     * @param {import("../types.js").Manifest} manifest
     * @param {import("./choices.js").Choices} choices
     * @param {HTMLElement} stage
     * @param {(text: string) => void} announce
     */
    constructor(manifest, choices, stage, announce) {
        this.manifest = manifest;
        this.choices = choices;
        this.stage = stage;
        this.announce = announce;
    }

    /**
     * @param {import("../types.js").State} state
     * @param {number[]} indices of the choices
     * @param {number} time in the segment, in seconds
     * @param {number} speed at which the video plays
     */
    show(state, indices, time, speed) {
        const { segment } = state;
        const { choices } = this.manifest.segments[segment];
        const end = this.#deadline = deadline(this.manifest, state);
        const limit = end === null || state.phase === "waiting" ? null : end - time;
        this.choices.show(indices.map((index) => ({ index, ...choices[index] })), limit);
        const labels = indices.map((index) => choices[index].label);
        this.#say(segment, words.choose(labels, limit === null ? null : limit / speed));
        if (this.#lastFocus?.segment === segment && document.activeElement === this.stage) {
            this.choices.focus(this.#lastFocus.index);
        }
        this.#lastFocus = null;
    }

    /**
     * A segment that loops offers the same choices again; they are announced only once.
     * @type {(segment: string, text: string) => void}
     */
    #say(segment, text) {
        const whole = `${segment}: ${text}`;
        if (this.#lastText !== whole) this.announce(text);
        this.#lastText = whole;
    }

    /** The next offer is said, even if it is the same as the last one. */
    forget() {
        this.#lastText = "";
    }

    /** @type {(segment: string) => boolean} returns whether there was an offer */
    withdraw(segment) {
        if (!this.choices.areShown) return false;
        const index = this.choices.focused;
        this.choices.hide();
        if (index !== null) {
            this.#lastFocus = { segment, index };
            this.stage.focus();
        }
        return true;
    }

    /** @type {(time: number, speed: number) => void} */
    update(time, speed) {
        if (this.#deadline !== null) this.choices.update(this.#deadline - time, speed);
    }
}
