// Presets of speed ramps: the usual ones of the field, as keyframes that can be changed further.

import { announce } from "../../shared/elements/announce.js";
import { urls } from "../../shared/api.js";
import { byId, make } from "../../shared/elements/dom.js";
import { curvePicture } from "../../shared/elements/icons.js";
import { motionOf, pathOf } from "./preset-motion.js";
import { withCurve } from "../app/draft.js";

const keys = (...entries) => entries.map(([percent, speed, easing = "smooth"]) => (
    { at: `${percent}%`, speed, easing }));

/** The names, what they are for, and their keyframes. Examples/curves has them as files. */
export const PRESETS = [
    ["Bullet time", "Fast, nearly still for a moment, and fast again",
        keys([0, 2], [32, 2, "bezier(0.6,0,0.2,1)"], [44, 0.15, "linear"], [56, 0.15, "bezier(0.8,0,0.4,1)"],
            [68, 2], [100, 2])],
    ["Hero", "Slow while it matters, smoothly in and out",
        keys([0, 1], [25, 1], [42, 0.35, "linear"], [62, 0.35], [80, 1], [100, 1])],
    ["Montage", "Three fast passages with a moment after each",
        keys([0, 3], [22, 0.6], [36, 3], [58, 0.6], [72, 3], [100, 0.6])],
    ["Punch in", "Races towards a hit, slow from there, and back to normal",
        keys([0, 1], [30, 4, "bezier(0.9,0,1,0.6)"], [50, 0.3], [100, 1])],
    ["Jump cut", "Leaps over the dull parts",
        keys([0, 1, "hold"], [25, 12, "hold"], [45, 1, "hold"], [65, 12, "hold"], [85, 1, "hold"], [100, 1])],
    ["Freeze the moment", "Stands still in the middle, and goes on",
        keys([0, 1], [36, 1], [42, 0, "linear"], [60, 0], [66, 1], [100, 1])],
    ["Ease", "Gently out of slow motion and back into it",
        keys([0, 0.3], [50, 1.3], [100, 0.3])],
];

/** Seconds in which a tile shows the clip. */
const SHOWN = 2.4;

/** @param {import("../app/store.js").Store} store */
export function createCurvePresets(store) {
    byId("preset-tiles").replaceChildren(...PRESETS.map(([name, text, keyframes]) => {
        const { u, speed } = pathOf(keyframes);
        const moving = make("span", { class: "moving", "aria-hidden": "true" });
        const use = () => {
            store.edit((draft) => withCurve(draft, { keyframes }, name));
            announce(`Now using the ramp ${name}.`);
        };
        const button = make("button", {
            type: "button", class: "tile preset", title: text, onclick: use,
        }, make("span", { class: "preset-picture" }, curvePicture(u, speed), moving), make("span", {}, name));
        showMotion(button, moving, store, motionOf(keyframes));
        return button;
    }));
}

/** While a tile has the pointer or the focus, it shows the clip's frames as the ramp would. */
function showMotion(button, moving, store, sourceAt) {
    let request = 0, began = 0;
    const step = (now) => {
        const strip = store.clip?.strip;
        if (!strip) {
            // The clip was removed meanwhile.
            end();
            return;
        }
        request = requestAnimationFrame(step);
        const frame = Math.floor(sourceAt(((now - began) / 1000 / SHOWN) % 1) * (strip.count - 1e-6));
        moving.style.backgroundPositionX = strip.count > 1 ? `${100 * frame / (strip.count - 1)}%` : "0";
    };
    const start = () => {
        const strip = store.clip?.analysis === "ready" ? store.clip.strip : null;
        const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        if (!strip || isCalm || request !== 0) return;
        moving.style.backgroundImage = `url("${urls.strip(store.clip)}")`;
        moving.style.backgroundSize = `${100 * strip.count}% 100%`;
        button.classList.add("is-moving");
        began = performance.now();
        step(began);
    };
    const end = () => {
        cancelAnimationFrame(request);
        request = 0;
        button.classList.remove("is-moving");
    };
    for (const event of ["pointerenter", "focus"]) button.addEventListener(event, start);
    for (const event of ["pointerleave", "blur"]) button.addEventListener(event, end);
}
