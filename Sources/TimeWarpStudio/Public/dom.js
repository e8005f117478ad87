// Making and finding elements.

import { icon } from "./icons.js";

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

/**
 * An element with attributes and children. `class`, `aria-…` and the rest are attributes; what
 * begins with `on` is a listener; false, null and undefined are left out.
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
 * A button that shows an icon and is named for everybody.
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

/** Names a button anew, for eyes and ears. */
export function rename(button, label, title = label) {
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    button.title = title;
}

/** Sets a field's text unless somebody is writing in it. */
export function setField(field, value) {
    if (document.activeElement === field && field.matches("[type=text], [type=number], textarea")) {
        return;
    }
    if (field.value !== String(value)) field.value = value;
}

/**
 * What follows when an element with the focus goes away: the focus moves to what stands in its
 * place.
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
    target?.focus();
}
