// The bars between the panels: how much of the window's height the players take, and of its width the lists and the settings.

import { byId } from "../../shared/elements/dom.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { clamped } from "../../shared/numbers.js";

/** Percent of the window for each press of an arrow key. */
const STEP = 2;

/**
 * A bar, the place where the browser keeps its size, and what it makes larger; there may be less room.
 * @typedef {{
 *     id: keyof import("../../shared/elements").Elements, kept: string, property: string, isUpright: boolean, way: 1 | -1,
 *     least: number, most: number, of: () => HTMLElement,
 * }} Bar `isUpright`: it is dragged sideways; `way`: -1 where what it makes larger is behind it; `least`, `most`: percent of
 *     the window
 */

/** @type {Bar[]} */
const BARS = [
    { id: "divider", kept: "timewarp:players", property: "--players", isUpright: false, way: 1, least: 12, most: 70,
        of: () => byId("source-video") },
    { id: "lists-divider", kept: "timewarp:lists", property: "--lists", isUpright: true, way: 1, least: 12, most: 30,
        of: () => byId("clips") },
    { id: "settings-divider", kept: "timewarp:settings", property: "--settings", isUpright: true, way: -1, least: 20, most: 40,
        of: () => byId("settings") },
];

export function createDividers() {
    for (const bar of BARS) createDivider(bar);
}

/** @param {Bar} bar */
function createDivider({ id, kept, property, isUpright, way, least, most, of }) {
    const bar = /** @type {HTMLElement} */ (byId(id)), { style } = document.documentElement;
    const window = () => (isUpright ? innerWidth : innerHeight) / 100;
    const at = (/** @type {PointerEvent} */ { clientX, clientY }) => (isUpright ? clientX : clientY);
    const measured = () => {
        const { width, height } = of().getBoundingClientRect();
        return Math.round((isUpright ? width : height) / window());
    };
    const show = () => bar.setAttribute("aria-valuenow", String(measured()));
    /** @param {number | null} size null for as it is without a choice */
    const set = (size) => {
        if (size === null) {
            style.removeProperty(property);
            localStorage.removeItem(kept);
        } else {
            const chosen = clamped(size, least, most);
            style.setProperty(property, `${chosen}${isUpright ? "vw" : "vh"}`);
            localStorage.setItem(kept, String(chosen));
        }
        show();
    };
    bar.setAttribute("aria-valuemin", String(least));
    bar.setAttribute("aria-valuemax", String(most));
    onDrag(bar, {
        begin: (event) => ({ from: at(event), size: measured() }),
        move: ({ from, size }, event) => set(size + way * (at(event) - from) / window()),
        end: () => {},
        cancel: ({ size }) => set(size),
    });
    bar.addEventListener("dblclick", () => set(null));
    const [back, on] = isUpright ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    bar.addEventListener("keydown", (event) => {
        const { key } = event;
        if (key !== back && key !== on) return;
        // Elsewhere these keys step through the clip.
        event.preventDefault();
        event.stopPropagation();
        set(measured() + way * (key === on ? STEP : -STEP));
    });
    bar.addEventListener("focus", show);
    const before = Number(localStorage.getItem(kept));
    if (before > 0) set(before);
    else show();
}
