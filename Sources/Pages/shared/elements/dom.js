// Creating and finding elements.

import { icon } from "./icons.js";

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

/**
 * Creates an element with attributes and children. Names that begin with `on` add listeners; all
 * others set attributes. Attributes that are false, null or undefined are skipped.
 * @param {string} tag
 * @param {object} [attributes]
 * @param {...(Node | string | null)} children
 */
export function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
}

/**
 * A button with an icon, and a label as tooltip and for screen readers.
 * @param {string} name of the icon
 * @param {string} label
 * @param {(event: Event) => void} onClick
 */
export function iconButton(name, label, onClick, attributes = {}) {
    return make("button", {
        type: "button", class: "icon", "aria-label": label, title: label, onclick: onClick,
        ...attributes,
    }, icon(name));
}

/** Changes a button's label and tooltip. */
export function rename(button, label, title = label) {
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    button.title = title;
}

/**
 * Replaces the children of a list. If the focused element goes away, the element in its place gets
 * the focus.
 * @param {Element} list whose children are about to be replaced
 * @param {() => void} replace
 */
export function keepingFocus(list, replace) {
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    const key = focused?.closest("[data-key]")?.dataset.key;
    const place = [...list.children].findIndex((child) => child.contains(focused));
    const act = focused?.dataset.act;
    replace();
    if (!focused || list.contains(document.activeElement)) return;
    const row = [...list.children].find((child) => child.dataset.key === key)
        ?? list.children[Math.min(place, list.children.length - 1)];
    const target = row?.querySelector(`[data-act="${act}"]`) ?? row?.querySelector("button, a")
        ?? list.closest("details")?.querySelector("summary") ?? list.closest("section");
    // Who has scrolled away from the focused row stays there.
    target?.focus({ preventScroll: true });
}

/** What a pointer presses now, and the lists that change when it is released. */
let pressed = null;
const postponed = new Map();

addEventListener("pointerdown", ({ target }) => {
    pressed = target;
}, true);
for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => {
        pressed = null;
        // The click follows the release at once.
        setTimeout(() => {
            for (const [list, replace] of postponed) renewList(list, replace);
        });
    }, true);
}

/**
 * Replaces the children of a list that events change. While something in the list is being pressed, it waits for the
 * release: else the click would be lost, or go to what came under the pointer.
 * @param {Element} list
 * @param {() => void} replace
 */
export function renewList(list, replace) {
    if (list.contains(pressed)) {
        postponed.set(list, replace);
        return;
    }
    postponed.delete(list);
    keepingFocus(list, replace);
}
