// Small functions for elements. Attributes are set only if they change, because setting them is slow.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, name);
    setAll(element, attributes);
    element.append(...children);
    return element;
}

/** An HTML element with a class, attributes and children. */
export function html(name, className, attributes = {}, ...children) {
    const element = document.createElement(name);
    if (className) element.className = className;
    setAll(element, attributes);
    element.append(...children);
    return element;
}

/** Sets attributes that differ; null removes an attribute. */
export function setAll(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null) element.removeAttribute(name);
        else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
    }
}

/** Moves an element by a transform, which needs no new layout. */
export function place(element, x, y) {
    element.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
}

/** Shows or hides an element. */
export function setShown(element, isShown) {
    if (element.hidden === isShown) element.hidden = !isShown;
}

/** The pointer's place within an element's box. */
export function pointIn(element, event) {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
}
