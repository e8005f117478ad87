// One way to draw what changes: code says what an element is to contain, and the elements that are there are changed to
// that. Elements that stay keep their focus, what was typed into them, and the press that is upon them.

/**
 * What an element is to be. Of `attributes`, `key` tells children of a list apart; those that begin with `on` are
 * listeners; `value`, `checked` and the text of `style` are set as properties, but only when they change, so that what
 * is typed stays; those that are false, null or undefined are left out. Keys differ from each other.
 * @typedef {{ tag: string, attributes: Record<string, any>, children: Child[] }} View
 * @typedef {View | string | null | undefined | false} Child
 */

/** @type {(tag: string, attributes?: Record<string, any>, ...children: Child[]) => View} */
export const view = (tag, attributes = {}, ...children) => ({ tag, attributes, children });

const SVG = "http://www.w3.org/2000/svg";
/** @type {WeakMap<Node, Record<string, any>>} the attributes with which elements were drawn */
const drawn = new WeakMap();

/** @type {(this: Element, event: Event) => void} calls the listener that an element has now */
function dispatch(event) {
    drawn.get(this)?.[`on${event.type}`]?.call(this, event);
}

/** @type {(element: any, attributes: Record<string, any>) => void} */
function setAttributes(element, attributes) {
    const old = drawn.get(element) ?? {};
    drawn.set(element, attributes);
    for (const name of new Set([...Object.keys(old), ...Object.keys(attributes)])) {
        const value = attributes[name] ?? false;
        if (name === "key" || value === (old[name] ?? false)) continue;
        if (name.startsWith("on")) {
            if (!old[name]) element.addEventListener(name.slice(2), dispatch);
        } else if (name === "style") {
            element.style.cssText = value || "";
        } else if (name === "value" || name === "checked") {
            // What somebody is typing isn't overwritten: see `restore`.
            const isTyped = element === document.activeElement && element.value !== String(old.value ?? "");
            if (name === "checked" || !isTyped) element[name] = value === false ? "" : value;
        } else if (value === false) {
            element.removeAttribute(name);
        } else {
            element.setAttribute(name, value === true ? "" : value);
        }
    }
}

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes] see `View`
 * @param {...(Child | Node)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    setAttributes(element, attributes);
    for (const child of children) {
        if (child) element.append(typeof child === "object" && "tag" in child ? create(child) : child);
    }
    return element;
}

/** @type {(child: View, isInPicture?: boolean) => HTMLElement} makes an element */
export function create(child, isInPicture = child.tag === "svg") {
    const element = isInPicture ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
    change(element, child);
    return /** @type {HTMLElement} */ (element);
}

/** @type {(element: Element, to: View) => void} */
function change(element, { attributes, children }) {
    // A menu's options come before its value.
    setChildren(element, children);
    setAttributes(element, attributes);
}

/** Gives a field the value that it was drawn with, in place of what was typed. */
export function restore(/** @type {HTMLInputElement} */ field) {
    const { value } = drawn.get(field) ?? {};
    if (value !== undefined && field.value !== String(value)) field.value = value;
}

/** @type {(element: Element) => Map<unknown, Node>} its children that have keys */
const keyed = (element) => new Map([...element.childNodes].map((node) => /** @type {[unknown, Node]} */ (
    [keyOf(node), node])).filter(([key]) => key !== undefined));

const keyOf = (/** @type {Node} */ node) => drawn.get(node)?.key;

/** @type {(node: Node | null | undefined, child: View | string) => boolean} whether a node can become what is wanted */
function fits(node, child) {
    if (typeof child === "string") return node?.nodeType === Node.TEXT_NODE;
    return node instanceof Element && node.localName === child.tag && keyOf(node) === child.attributes.key;
}

/** @type {(element: Element, children: Child[]) => void} */
function setChildren(element, children) {
    const wanted = /** @type {(View | string)[]} */ (children.filter(Boolean));
    const keys = keyed(element);
    const kept = new Set(wanted.map((child) => (typeof child === "string" ? undefined : child.attributes.key)));
    // What goes is removed first, so that what stays isn't moved: who is moved loses the focus.
    for (const [key, node] of keys) {
        if (!kept.has(key)) element.removeChild(node);
    }
    let next = element.firstChild;
    for (const child of wanted) {
        const key = typeof child === "string" ? undefined : child.attributes.key;
        const known = key === undefined ? next : keys.get(key);
        keys.delete(key);
        const isKnown = known && fits(known, child);
        const node = isKnown ? known : typeof child === "string" ? document.createTextNode(child)
            : create(child, child.tag === "svg" || element.namespaceURI === SVG);
        if (node === next) next = node.nextSibling;
        else element.insertBefore(node, next);
        if (!isKnown) continue;
        if (typeof child !== "string") change(/** @type {Element} */ (node), child);
        else if (node.nodeValue !== child) node.nodeValue = child;
    }
    while (next) {
        const node = next;
        next = node.nextSibling;
        element.removeChild(node);
    }
}

const hasKey = (/** @type {Child} */ child) =>
    child && typeof child === "object" && child.attributes.key !== undefined;

/** @type {Node | null} what a pointer presses now */
let pressed = null;
/** @type {Map<Element, Child[]>} what waits until it is released */
const postponed = new Map();

addEventListener("pointerdown", ({ target }) => {
    pressed = /** @type {Node | null} */ (target);
}, true);
for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => {
        pressed = null;
        // The click follows the release at once.
        setTimeout(() => {
            for (const [host, children] of postponed) draw(host, ...children);
        });
    }, true);
}

/**
 * Changes what an element contains. If the focused child goes away, the one in its place gets the focus: its part with
 * the same `data-act`, or its first button. While something in a list with keys is being pressed, the change waits for
 * the release: else the click would go to what came under the pointer.
 * @param {Element} host
 * @param {...Child} children
 */
export function draw(host, ...children) {
    if (host.contains(pressed) && (keyed(host).size > 0 || children.some(hasKey))) {
        postponed.set(host, children);
        return;
    }
    postponed.delete(host);
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    if (!focused || focused === host || !host.contains(focused)) {
        setChildren(host, children);
        return;
    }
    const places = placesIn(host, focused);
    setChildren(host, children);
    // Who is moved loses the focus; and who has scrolled away from the focused row stays there.
    if (document.activeElement === focused) return;
    const heir = host.contains(focused) ? focused : heirOf(host, places, focused.dataset.act);
    heir?.focus({ preventScroll: true });
}

/** @typedef {{ parent: Element, index: number }} Place */

/** @type {(host: Element, element: Element) => Place[]} where it is in its parent, that one in its own, and so on */
function placesIn(host, element) {
    const places = [];
    for (let child = element; child !== host; child = /** @type {Element} */ (child.parentElement)) {
        const parent = /** @type {Element} */ (child.parentElement);
        places.push({ parent, index: [...parent.children].indexOf(child) });
    }
    return places;
}

/** @type {(host: Element, places: Place[], act: string | undefined) => HTMLElement | null} who gets the focus */
function heirOf(host, places, act) {
    const { parent, index } = places.find((place) => host.contains(place.parent)) ?? { parent: host, index: 0 };
    const row = parent.children[Math.min(index, parent.children.length - 1)];
    const same = `[data-act="${act}"]`;
    /** @type {(element: Element | undefined, selector: string) => Element | null} */
    const within = (element, selector) =>
        (element?.matches(selector) ? element : element?.querySelector(selector) ?? null);
    return /** @type {HTMLElement | null} */ (within(row, same)
        ?? (keyOf(parent) === undefined ? null : within(parent, same)) ?? within(row, "button, a")
        ?? host.closest("details")?.querySelector("summary") ?? host.closest("section"));
}
