// Counts the frames that a preview shows, and says so when a busy machine shows too few of them.

/** Seconds that are judged together. */
const WINDOW = 2;
/** The longest step that counts: after a pause of the page, nothing is missing. */
const LONGEST_STEP = 0.25;
/** Too few are shown below the first share of those due; enough are shown again from the second one on. */
const FEW = 0.8, ENOUGH = 0.9;
/** No screen needs more frames a second. */
const MOST = 60;
/** In freezes and very slow motion so few frames are due that one more or less says nothing. */
const FEWEST_DUE = 10;

export class FrameTally {
    /** @type {{ shown: number, due: number } | null} frames a second, while too few are shown */
    shortage = null;
    /** @type {number | null} when the last step was; null until the first frame is shown */
    #last = null;
    #lasted = 0;
    #due = 0;
    #shown = 0;

    restart() {
        this.shortage = this.#last = null;
        this.#lasted = this.#due = this.#shown = 0;
    }

    /**
     * @param {number} count of frames that are newly on the screen
     * @param {number} now in seconds
     */
    show(count, now) {
        if (this.#last === null) this.#last = now;
        else this.#shown += count;
    }

    /**
     * A step of the preview's clock.
     * @param {number} now in seconds
     * @param {number} due frames a second that should be shown
     */
    step(now, due) {
        if (this.#last === null) return;
        const elapsed = Math.min(LONGEST_STEP, Math.max(0, now - this.#last));
        this.#last = now;
        this.#lasted += elapsed;
        this.#due += elapsed * Math.min(MOST, due);
        if (this.#lasted >= WINDOW) this.#judge();
    }

    #judge() {
        const bound = this.shortage ? ENOUGH : FEW;
        const isShort = this.#due >= FEWEST_DUE && this.#shown < bound * this.#due;
        this.shortage = isShort
            ? { shown: Math.round(this.#shown / this.#lasted), due: Math.round(this.#due / this.#lasted) } : null;
        this.#lasted = this.#due = this.#shown = 0;
    }
}

/** @type {(element: HTMLElement, shortage: FrameTally["shortage"]) => void} says a shortage, or nothing */
export const showShortage = (element, shortage) => {
    const text = shortage
        ? `Preview: ${shortage.shown} of ${shortage.due} frames a second. The render has all.` : "";
    if (element.textContent !== text) element.textContent = text;
};
