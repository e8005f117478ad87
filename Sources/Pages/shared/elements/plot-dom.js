// Small functions for elements. Attributes are set only if they change, because setting them is slow.

const SVG = "http://www.w3.org/2000/svg";

/**
 * What attributes are set to; null removes one.
 * @typedef {Record<string, string | number | boolean | null>} Attributes
 */

/**
 * An SVG element with attributes and children.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 */
export function svg(name, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, name);
    setAll(element, attributes);
    element.append(...children);
    return element;
}

/** @type {(element: Element, attributes: Attributes) => void} sets attributes that differ */
export const setAll = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null) element.removeAttribute(name);
        else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
    }
};

/** @type {(element: HTMLElement | SVGElement, x: number, y: number) => void} moves it, which needs no new layout */
export const place = (element, x, y) => {
    element.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
};

/** @type {(element: HTMLElement, isShown: boolean) => void} shows or hides an element */
export const setShown = (element, isShown) => {
    if (element.hidden === isShown) element.hidden = !isShown;
};

/** @type {(element: Element, event: MouseEvent) => { x: number, y: number }} the pointer's place in an element's box */
export const pointIn = (element, event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
};
