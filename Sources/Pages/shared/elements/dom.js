// Creating and finding elements.

import { icon } from "./icons.js";

/** @type {<Id extends keyof import("../elements").Elements>(id: Id) => import("../elements").Elements[Id]} */
export const byId = (id) => /** @type {any} */ (document.getElementById(id));

/**
 * Creates an element with attributes and children. Names that begin with `on` add listeners; all
 * others set attributes. Attributes that are false, null or undefined are skipped.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null)} children
 */
export function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children) {
        if (child !== null) element.append(child);
    }
    return element;
}

/**
 * A button with an icon, and a label as tooltip and for screen readers.
 * @param {import("./icons.js").IconName} name
 * @param {string} label
 * @param {(event: MouseEvent) => void} onClick
 */
export function iconButton(name, label, onClick, attributes = {}) {
    return make("button", {
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

/**
 * Replaces the children of a list. If the focused element goes away, the element in its place gets
 * the focus.
 * @param {Element} list whose children are about to be replaced
 * @param {() => void} replace
 */
export function keepingFocus(list, replace) {
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = list.contains(active) ? active : null;
    const rows = () => /** @type {HTMLElement[]} */ ([...list.children]);
    const key = /** @type {HTMLElement | null | undefined} */ (focused?.closest("[data-key]"))?.dataset.key;
    const place = rows().findIndex((child) => child.contains(focused));
    const act = focused?.dataset.act;
    replace();
    if (!focused || list.contains(document.activeElement)) return;
    const row = rows().find((child) => child.dataset.key === key) ?? rows()[Math.min(place, list.children.length - 1)];
    const target = /** @type {HTMLElement | null | undefined} */ (
        row?.querySelector(`[data-act="${act}"]`) ?? row?.querySelector("button, a")
        ?? list.closest("details")?.querySelector("summary") ?? list.closest("section"));
    // Who has scrolled away from the focused row stays there.
    target?.focus({ preventScroll: true });
}

/** @type {Node | null} what a pointer presses now */
let pressed = null;
/** @type {Map<Element, () => void>} the lists that change when it is released */
const postponed = new Map();

addEventListener("pointerdown", ({ target }) => {
    pressed = /** @type {Node | null} */ (target);
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
