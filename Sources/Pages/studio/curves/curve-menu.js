// The menu of curves, each with an icon of its shape.

import { byId, make } from "../../shared/elements/dom.js";
import { titled } from "../../shared/format-numbers.js";
import { curvePicture, icon } from "../../shared/elements/icons.js";

/** The choices besides the built-in curves. Their values begin with `:`, which no curve's name contains. */
const OTHERS = [
    [":keyframes", "Keyframes", "keyframes"],
    [":formula", "Formula", "formula"],
    [":file", "From a file", "file"],
];

/**
 * @param {import("../app/store.js").Store} store
 * @param {(kind: string, name: string | null) => void} onChoose
 * @returns {() => void} shows the draft's curve
 */
export function createCurveMenu(store, onChoose) {
    const host = byId("curve-menu");
    const tile = (value, text, picture) => {
        const radio = make("input", {
            type: "radio", name: "curve", value, class: "unseen",
            onchange: () => choose(value),
        });
        return make("label", { class: "tile", "data-value": value, title: text },
            radio, picture, make("span", {}, text));
    };
    const choose = (value) => (value.startsWith(":")
        ? onChoose(value.slice(1), null) : onChoose("built-in", value));
    const build = () => {
        host.replaceChildren(
            host.querySelector("legend"),
            make("div", { class: "tiles" },
                ...store.kinds.map(({ name, samples }) => (
                    tile(name, titled(name), curvePicture(samples.u, samples.scale)))),
                ...OTHERS.map(([value, text, glyph]) => tile(value, text, icon(glyph)))));
        show();
    };
    const show = () => {
        const { kind, name, file } = store.draft.warp;
        const value = kind === "built-in" ? name : `:${kind}`;
        for (const radio of host.querySelectorAll("input")) radio.checked = radio.value === value;
        const fromFile = host.querySelector("[data-value=':file']");
        if (fromFile) fromFile.hidden = !file;
    };
    store.on("kinds", build);
    build();
    return show;
}
