// Presets of speed ramps: the usual ones of the field, as keyframes that can be changed further.

import { announce } from "../../shared/elements/announce.js";
import { urls } from "../../shared/api.js";
import { byId } from "../../shared/elements/dom.js";
import { curvePicture } from "../../shared/elements/icons.js";
import { make } from "../../shared/elements/view.js";
import { sourceAt } from "../../shared/playing/plot-map.js";
import { capabilities } from "../app/capabilities.js";
import { withCurve } from "../app/draft.js";

/** Seconds in which a tile shows the clip. */
const SHOWN = 2.4;

export function createCurvePresets(/** @type {import("../app/store.js").Store} */ store) {
    byId("preset-tiles").replaceChildren(...capabilities.ramps.map(({ name, summary, keyframes, picture, motion }) => {
        const moving = make("span", { class: "moving", "aria-hidden": "true" });
        const use = () => {
            store.edit((draft) => withCurve(draft, { keyframes }, name));
            announce(`Now using the ramp ${name}.`);
        };
        const button = make("button", {
            type: "button", class: "tile preset", title: summary, onclick: use,
        },
        make("span", { class: "preset-picture" }, curvePicture(picture.u, picture.speed), moving),
        make("span", {}, name));
        showMotion(button, moving, store, motion);
        return button;
    }));
}

/**
 * While a tile has the pointer or the focus, it shows the clip's frames as the ramp would.
 * @param {HTMLElement} button
 * @param {HTMLElement} moving
 * @param {import("../app/store.js").Store} store
 * @param {import("../../shared/playing/plot-map.js").TimeMap} motion by shares of the whole
 */
function showMotion(button, moving, store, motion) {
    let request = 0, began = 0;
    const step = (/** @type {number} */ now) => {
        const strip = store.clip?.strip;
        if (!strip) {
            // The clip was removed meanwhile.
            end();
            return;
        }
        request = requestAnimationFrame(step);
        const frame = Math.floor(sourceAt(motion, ((now - began) / 1000 / SHOWN) % 1) * (strip.count - 1e-6));
        moving.style.backgroundPositionX = strip.count > 1 ? `${100 * frame / (strip.count - 1)}%` : "0";
    };
    const start = () => {
        const { clip } = store;
        const strip = clip?.analysis === "ready" && clip.strip;
        const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        if (!strip || isCalm || request !== 0) return;
        moving.style.backgroundImage = `url("${urls.strip(clip)}")`;
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
