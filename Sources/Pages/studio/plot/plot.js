// The plot of a speed curve, as other parts of the page use it.

import { Plot } from "./plot-view.js";

/**
 * Creates a plot in an empty element.
 *
 * @param {HTMLElement} host
 * @param {import("./types").PlotActions} [actions]
 */
export function createPlot(host, actions = {}) {
    const plot = new Plot(host, actions);
    return {
        /** @param {import("./types").PlotState} state */
        show: (state) => plot.show(state),
        /** @param {import("./types").Position | null} position */
        moveDot: (position) => plot.moveDot(position),
        /** Selects a keyframe, or none, and others with it. */
        select: (/** @type {number | null} */ index, /** @type {number[]} */ all = []) => plot.select(index, all),
        /** Selects the keyframe before or after the playing position, by −1 or 1. */
        step: (/** @type {number} */ way) => plot.step(way),
        /** Adds a keyframe at the playing position, and returns its place among them; null if one is there or nothing is shown. */
        addHere: () => plot.keyframes.addHere(),
        /** Zooms around the playing position if it is shown, else around the middle. */
        zoom: (/** @type {number} */ factor) => plot.zoom(factor),
        /** Shows the whole axis. */
        fit: () => plot.fit(),
        destroy: () => plot.destroy(),
    };
}
