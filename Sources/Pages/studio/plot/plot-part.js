// The part of the horizontal axis that one plot shows, with its scroll bar.

import { ScrollBar } from "./plot-scroll.js";
import { centredOn, scrolled, showing, zoomed } from "./plot-window.js";

/** @typedef {import("./types").Part} Part */

export class PartOfAxis {
    /** @type {Part | null} the part in seconds of the axis; null for all of it */
    shown = null;
    #whole = "";
    #length = 1;
    #least = 0;
    /** @type {number | null} where the playing position was last */
    #followed = null;

    /**
     * @param {string} controls the id of what the scroll bar scrolls
     * @param {{ onPart: (part: Part | null) => void, onChange: () => void }} actions `onPart`: another part is shown;
     *     `onChange`: called after that, to draw it
     */
    constructor(controls, actions) {
        this.actions = actions;
        this.bar = new ScrollBar(controls, (by) => this.scroll(by));
        this.element = this.bar.element;
    }

    /** Another clip, another range or another axis, `whole` tells which, is shown as a whole. */
    of(/** @type {string} */ whole) {
        if (whole !== this.#whole) this.#tell(null);
        this.#whole = whole;
    }

    /**
     * @param {import("./types").Axes} axes
     * @param {number} width in pixels
     * @param {number} least the shortest part, in seconds
     */
    draw(axes, width, least) {
        this.#length = axes.length;
        this.#least = least;
        this.bar.show(axes.to - axes.from < axes.length ? axes : null, axes.length, width);
    }

    /** @type {(factor: number, at: number) => void} zooms in or out around a place */
    zoom(factor, at) {
        this.#set(zoomed(this.shown, factor, { at, length: this.#length, least: this.#least }));
    }

    fit() {
        this.#set(null);
    }

    /** @type {(by: number) => boolean} returns whether there is anything to scroll */
    scroll(by) {
        const part = scrolled(this.shown, by, this.#length);
        if (part) this.#set(part);
        return part !== null;
    }

    /** Scrolls to a place that isn't shown. */
    show(/** @type {number} */ at) {
        if (this.shown) this.#set(centredOn(this.shown, at, this.#length));
    }

    /** Follows the playing position when it moves. */
    follow(/** @type {number | null} */ at) {
        const hasMoved = at !== this.#followed;
        this.#followed = at;
        if (this.shown && at !== null && hasMoved) this.#set(showing(this.shown, at, this.#length));
    }

    #set(/** @type {Part | null} */ part) {
        if (part?.from === this.shown?.from && part?.to === this.shown?.to) return;
        this.#tell(part);
        this.actions.onChange();
    }

    #tell(/** @type {Part | null} */ part) {
        if (part === this.shown) return;
        this.shown = part;
        this.actions.onPart(part);
    }
}
