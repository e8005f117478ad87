// The plot of a speed curve, as other parts of the page use it.

import { Plot } from "./plot-view.js";

/**
 * @typedef {import("../keyframes/keyframe-edits.js").Keyframe} Keyframe
 * @typedef {{
 *     evaluation: object | null, view: "scale" | "speed" | "time", keyframes: Keyframe[] | null,
 *     flip?: boolean, fit?: boolean, snap: boolean,
 *     clip: { duration: number, frameRate: number | null,
 *         range: { start: number, end: number } | null } | null,
 *     strip: { url: string, count: number, width: number, height: number } | null,
 *     waveform: { minimum: number[], maximum: number[] } | null,
 *     beats?: import("./beat-times.js").Beats | null,
 *     tiles?: { key: string, strip: Function, waveform: Function } | null,
 * }} PlotState `flip`: whether the keyframes' curve is mirrored; `fit`: whether the
 *     output has an exact length; `tiles`: finer strips and waveforms, see plot-tiles.js
 */

/**
 * Creates a plot in an empty element.
 *
 * When a drag is cancelled, the last call has the state from before the drag, and `final` is true.
 *
 * @param {HTMLElement} host
 * @param {{
 *     onKeyframes?: (keyframes: Keyframe[], options: { final: boolean }) => void,
 *     onSeek?: (sourceSeconds: number, options: { final: boolean }) => void,
 *     onRange?: (range: { start: number, end: number }, options: { final: boolean }) => void,
 *     onSelect?: (index: number | null) => void,
 *     onBeat?: (index: number, output: number) => void,
 *     onPart?: (part: { from: number, to: number } | null) => void,
 * }} [actions] `onBeat`: a keyframe was dropped onto a beat of the output, which has moved with it; `onPart`: another
 *     part of the horizontal axis is shown, in seconds
 */
export function createPlot(host, actions = {}) {
    const plot = new Plot(host, actions);
    return {
        /** @param {PlotState} state */
        show: (state) => plot.show(state),
        /** @param {{ source?: number | null, output?: number | null } | null} position */
        moveDot: (position) => plot.moveDot(position),
        /** @param {number | null} index */
        select: (index) => plot.select(index),
        /** Zooms around the playing position if it is shown, else around the middle. @param {number} factor */
        zoom: (factor) => plot.zoom(factor),
        /** Shows the whole axis. */
        fit: () => plot.fit(),
        destroy: () => plot.destroy(),
    };
}
