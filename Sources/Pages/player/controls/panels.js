// Panels above the control bar. One is open at a time; its button opens and closes it, and so does Escape.

import { nameButton, newButton } from "./buttons.js";
import { words } from "./words.js";

/** @type {Set<Panel>} */
const openPanels = new Set();

/** Whether the pointer that went down last closed a panel by that. */
let hasClosed = false;
document.addEventListener("pointerdown", () => { hasClosed = false; }, { capture: true });

/** Whether a click on something else only meant to close a panel. */
export const onlyClosedPanel = () => hasClosed;

export class Panel {
    /**
     * @param {HTMLElement} element
     * @param {HTMLElement} button
     * @param {() => Node[]} fill gives the panel's content, whenever it is opened or must be shown anew
     */
    constructor(element, button, fill) {
        this.element = element;
        this.button = button;
        this.fill = fill;
        button.addEventListener("click", () => this.toggle());
        document.addEventListener("pointerdown", (event) => {
            const target = /** @type {Node} */ (event.target);
            if (!this.isOpen || element.contains(target) || button.contains(target)) return;
            this.close(false);
            hasClosed = true;
        });
    }

    get isOpen() {
        return !this.element.hidden;
    }

    toggle() {
        if (this.isOpen) this.close();
        else this.open();
    }

    open() {
        for (const other of openPanels) other.close(false);
        openPanels.add(this);
        this.element.replaceChildren(...this.fill(), this.#closeButton());
        this.element.hidden = false;
        this.button.setAttribute("aria-expanded", "true");
        /** @type {NodeListOf<HTMLElement>} */
        const controls = this.element.querySelectorAll("button, input:checked");
        const current = [...controls].find((each) => each.hasAttribute("aria-current"));
        (current ?? controls[0])?.focus();
    }

    /** It comes last, so that the focus first goes to what the panel is for. */
    #closeButton() {
        const button = newButton("×", () => this.close(), "close");
        nameButton(button, words.say("close"));
        return button;
    }

    /** @param {boolean} returns whether the focus goes back to the button */
    close(returns = true) {
        if (!this.isOpen) return;
        const hadFocus = this.element.contains(document.activeElement);
        openPanels.delete(this);
        this.element.hidden = true;
        this.element.replaceChildren();
        this.button.setAttribute("aria-expanded", "false");
        if (returns || hadFocus) this.button.focus();
    }

    /** Shows what has changed, if it is open; the focus stays on the same control. */
    refresh() {
        if (!this.isOpen) return;
        /** @type {() => NodeListOf<HTMLElement>} */
        const controls = () => this.element.querySelectorAll("button, input");
        const place = [...controls()].findIndex((each) => each === document.activeElement);
        this.element.replaceChildren(...this.fill(), this.#closeButton());
        if (place >= 0) controls()[Math.min(place, controls().length - 1)]?.focus();
    }
}

export function closePanels() {
    for (const panel of openPanels) panel.close();
}

/** @param {string} text */
export function panelHeading(text) {
    const heading = document.createElement("h2");
    heading.textContent = text;
    return heading;
}
