// The menu of curves, each with an icon of its shape.

import { capabilities } from "../app/capabilities.js";
import { byId } from "../../shared/elements/dom.js";
import { curvePicture, icon } from "../../shared/elements/icons.js";
import { make } from "../../shared/elements/view.js";

/** The choices besides the built-in curves. Their values begin with `:`, which no curve's name contains. */
const OTHERS = /** @type {const} */ ([["keyframes", "Keyframes"], ["formula", "Formula"], ["file", "From a file"]]);

/** @typedef {import("../../shared/elements/view.js").View} View */

/**
 * @param {import("../app/store.js").Store} store
 * @param {(change: Partial<import("../types").WarpDraft>) => void} onChoose
 * @returns {() => void} shows the draft's curve
 */
export function createCurveMenu(store, onChoose) {
    const host = byId("curve-menu");
    /** @type {(value: string, text: string, picture: View, choose: () => void) => HTMLElement} */
    const tile = (value, text, picture, choose) => {
        const radio = make("input", {
            type: "radio", name: "curve", value, class: "unseen", onchange: choose,
        });
        return make("label", { class: "tile", "data-value": value, title: text },
            radio, picture, make("span", {}, text));
    };
    host.append(make("div", { class: "tiles" },
        ...capabilities.curves.map(({ name, title, picture }) => tile(name, title,
            curvePicture(picture.u, picture.scale), () => onChoose({ kind: "built-in", name }))),
        ...OTHERS.map(([kind, text]) => tile(`:${kind}`, text, icon(kind), () => onChoose({ kind })))));
    const show = () => {
        const { kind, name, file } = store.draft.warp;
        const value = kind === "built-in" ? name : `:${kind}`;
        for (const radio of host.querySelectorAll("input")) radio.checked = radio.value === value;
        const fromFile = /** @type {HTMLElement | null} */ (host.querySelector("[data-value=':file']"));
        if (fromFile) fromFile.hidden = !file;
    };
    show();
    return show;
}
