// The bar between the players and the curve, which says how much of the window's height the players take.

import { byId } from "../../shared/elements/dom.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { clamped } from "../../shared/numbers.js";

/** Where the browser keeps the height. */
const KEY = "timewarp:players";
/** In percent of the window's height; what there is room for may be less. */
const LEAST = 12, MOST = 70, STEP = 2;

export function createDivider() {
    const bar = byId("divider"), { style } = document.documentElement;
    /** The height of a player's picture now. */
    const measured = () => {
        const screen = byId("source-video").getBoundingClientRect();
        return Math.round(100 * screen.height / innerHeight);
    };
    const show = () => bar.setAttribute("aria-valuenow", String(measured()));
    /** @param {number | null} height null for as it is without a choice */
    const set = (height) => {
        if (height === null) {
            style.removeProperty("--players");
            localStorage.removeItem(KEY);
        } else {
            const chosen = clamped(height, LEAST, MOST);
            style.setProperty("--players", `${chosen}vh`);
            localStorage.setItem(KEY, String(chosen));
        }
        show();
    };
    bar.setAttribute("aria-valuemin", String(LEAST));
    bar.setAttribute("aria-valuemax", String(MOST));
    onDrag(bar, {
        begin: (event) => ({ from: event.clientY, height: measured() }),
        move: ({ from, height }, event) => set(height + 100 * (event.clientY - from) / innerHeight),
        end: () => {},
        cancel: ({ height }) => set(height),
    });
    bar.addEventListener("dblclick", () => set(null));
    bar.addEventListener("keydown", ({ key }) => {
        if (key === "ArrowUp" || key === "ArrowDown") set(measured() + (key === "ArrowDown" ? STEP : -STEP));
    });
    bar.addEventListener("focus", show);
    const kept = Number(localStorage.getItem(KEY));
    if (kept > 0) set(kept);
    else show();
}
