// Icons, drawn in the text's colour on a grid of 24 by 24.

import { create, view } from "./view.js";

/** @typedef {keyof typeof PATHS} IconName */

const PATHS = {
    play: ["fill", "M8 5.2v13.6l10.8-6.8z"],
    pause: ["fill", "M7 5h3.6v14H7zm6.4 0H17v14h-3.6z"],
    back: ["fill", "M16.5 6v12L8 12zM5.5 6h2v12h-2z"],
    forward: ["fill", "M7.5 6v12l8.5-6zm9 0h2v12h-2z"],
    start: ["line", "M6 5v14M18.5 6 9.5 12l9 6z"],
    loop: ["line", "M17 3l3 3-3 3M4 12V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3m13-3v3a3 3 0 0 1-3 3H4"],
    in: ["line", "M14 5H8v14h6M12 12h8m-3-3 3 3-3 3"],
    out: ["line", "M10 5h6v14h-6M4 12h8M9 9l3 3-3 3"],
    sound: ["line", "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6m2.5-8.5a8 8 0 0 1 0 11"],
    silent: ["line", "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5m0-5-5 5"],
    full: ["line", "M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5"],
    undo: ["line", "M8 4 4 8l4 4M4.5 8H14a5.5 5.5 0 0 1 0 11H8"],
    redo: ["line", "m16 4 4 4-4 4m3.5-4H10a5.5 5.5 0 0 0 0 11h6"],
    help: ["line", "M9 9.2a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.1m0 3v.1M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z"],
    left: ["line", "M14.5 6 8.5 12l6 6"],
    right: ["line", "m9.5 6 6 6-6 6"],
    add: ["line", "M12 5v14M5 12h14"],
    minus: ["line", "M5 12h14"],
    fit: ["line", "M4 5v14M20 5v14M7.5 12h9m-6-3-3 3 3 3m3-6 3 3-3 3"],
    close: ["line", "m6 6 12 12M18 6 6 18"],
    trash: ["line", "M4.5 7h15M9.5 7V4.5h5V7m-8 0 1 13h9l1-13M10 10.5v6m4-6v6"],
    download: ["line", "M12 4v11m-4.5-4 4.5 4.5 4.5-4.5M5 19.5h14"],
    again: ["line", "M19 12a7 7 0 1 1-2.2-5.1M19 3.5V8h-4.5"],
    settings: ["line", "M5 7h8m4 0h2M5 17h2m4 0h8M15 4.5v5M9 14.5v5"],
    pen: ["line", "m14.5 6 3.5 3.5M5 19l1-4.5L15.5 5a1.8 1.8 0 0 1 2.5 0l1 1a1.8 1.8 0 0 1 0 2.5L9.5 18z"],
    copy: ["line", "M9 9h10v11H9zM15 9V4H5v11h4"],
    check: ["line", "m5 12.5 4.5 4.5L19 7.5"],
    film: ["line", "M4 5h16v14H4zM8 5v14m8-14v14M4 9.5h4m-4 5h4m8-5h4m-4 5h4"],
    note: ["line", "M9 17.5V6l10-2v11.5"
        + "M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zm10-2a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z"],
    splice: ["line", "M3 7h7v10H3zM14 7h4v4m0 6h-4v-3M18.5 12.5v6m-3-3h6"],
    link: ["line", "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1"],
    wipe: ["line", "M4 5h16v14H4zM12 3v18M15 9.5h2m-2 5h2"],
    folder: ["line", "M3.5 6h6l2 2.5h9V19h-17z"],
    file: ["line", "M6 3.5h8l4 4v13H6zM14 3.5v4h4"],
    keyframes: ["line", "M3 18h3.5M9.5 16l5-8M17.5 6H21"
        + "M8 14.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4zm8-10.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"],
    formula: ["line", "M14.5 4.5c-2.5-1-3.5.5-4 3l-2 9c-.5 2.5-1.5 4-4 3M6.5 10h6m1 2 6 7m0-7-6 7"],
};

/** @type {(name: IconName) => import("./view.js").View} */
export function icon(name) {
    const [style, data] = PATHS[name];
    return view("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: `glyph ${style}` },
        view("path", { d: data }));
}

/**
 * Inserts icons into elements with a `data-icon` attribute.
 * @param {ParentNode} root
 */
export function placeIcons(root) {
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-icon]"))) {
        element.prepend(create(icon(/** @type {IconName} */ (element.dataset.icon))));
    }
}

/**
 * Changes a button's icon.
 * @param {HTMLElement} button
 * @param {IconName} name
 */
export function setIcon(button, name) {
    if (button.dataset.shown === name) return;
    button.dataset.shown = name;
    button.querySelector(".glyph")?.remove();
    button.prepend(create(icon(name)));
}

/**
 * An icon that shows the shape of a curve, for menus.
 * @param {number[]} u on [0,1]
 * @param {(number | null)[]} values at these places; null where it is infinite
 */
export function curvePicture(u, values) {
    const finite = values.flatMap((value) => (value === null ? [] : [value]));
    const most = Math.max(...finite), least = Math.min(...finite), range = most - least;
    // A constant curve is drawn in the middle.
    const height = (/** @type {number} */ value) => (range < 1e-6 ? 14 : 25 - 22 * (value - least) / range);
    const points = u.map((x, place) => `${(2 + 44 * x).toFixed(1)},${height(values[place] ?? most).toFixed(1)}`);
    return view("svg", { viewBox: "0 0 48 28", "aria-hidden": "true", class: "curve-picture" },
        view("polyline", { points: points.join(" ") }));
}
