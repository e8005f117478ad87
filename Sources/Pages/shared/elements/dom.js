// Elements that pages have in common.

import { icon } from "./icons.js";
import { view } from "./view.js";

/** @type {<Id extends keyof import("../elements").Elements>(id: Id) => import("../elements").Elements[Id]} */
export const byId = (id) => /** @type {any} */ (document.getElementById(id));

/**
 * A button with an icon, and a label as tooltip and for screen readers.
 * @param {import("./icons.js").IconName} name
 * @param {string} label
 * @param {(event: MouseEvent) => void} onClick
 */
export function iconButton(name, label, onClick, attributes = {}) {
    return view("button", {
        type: "button", class: "icon", "aria-label": label, title: label, onclick: onClick,
        ...attributes,
    }, icon(name));
}

/**
 * Changes a button's label and tooltip.
 * @param {HTMLElement} button
 * @param {string} label
 */
export function rename(button, label, title = label) {
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    button.title = title;
}
