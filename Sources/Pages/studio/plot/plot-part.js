// The part of the horizontal axis that one plot shows, with its scroll bar.

import { ScrollBar } from "./plot-scroll.js";
import { centredOn, scrolled, showing, zoomed } from "./plot-window.js";

export class PartOfAxis {
    /** The part in seconds of the axis; null for all of it. @type {import("./plot-window.js").Window | null} */
    shown = null;
    #whole = "";
    #length = 1;
    #least = 0;
    /** Where the playing position was last. */
    #followed = null;

    /**
     * @param {string} controls the id of what the scroll bar scrolls
     * @param {{ onPart: Function, onChange: Function }} actions `onPart(part)`: another part is shown; `onChange`:
     *     called after that, to draw it
     */
    constructor(controls, actions) {
        this.actions = actions;
        this.bar = new ScrollBar(controls, (by) => this.scroll(by));
        this.element = this.bar.element;
    }

    /** Another clip, another range or another axis is shown as a whole. @param {string} whole which it is */
    of(whole) {
        if (whole !== this.#whole) this.#tell(null);
        this.#whole = whole;
    }

    /**
     * @param {import("./plot-geometry.js").Axes} axes
     * @param {number} width in pixels
     * @param {number} least the shortest part, in seconds
     */
    draw(axes, width, least) {
        this.#length = axes.length;
        this.#least = least;
        this.bar.show(axes.to - axes.from < axes.length ? axes : null, axes.length, width);
    }

    /** Zooms in or out around a place. */
    zoom(factor, at) {
        this.#set(zoomed(this.shown, factor, { at, length: this.#length, least: this.#least }));
    }

    fit() {
        this.#set(null);
    }

    /** @returns whether there is anything to scroll */
    scroll(by) {
        const part = scrolled(this.shown, by, this.#length);
        if (part) this.#set(part);
        return part !== null;
    }

    /** Scrolls to a place that isn't shown. */
    show(at) {
        if (this.shown) this.#set(centredOn(this.shown, at, this.#length));
    }

    /** Follows the playing position when it moves. */
    follow(at) {
        const hasMoved = at !== this.#followed;
        this.#followed = at;
        if (this.shown && at !== null && hasMoved) this.#set(showing(this.shown, at, this.#length));
    }

    #set(part) {
        if (part?.from === this.shown?.from && part?.to === this.shown?.to) return;
        this.#tell(part);
        this.actions.onChange();
    }

    #tell(part) {
        if (part === this.shown) return;
        this.shown = part;
        this.actions.onPart(part);
    }
}
