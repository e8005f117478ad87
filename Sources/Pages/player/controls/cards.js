// Messages over the video: at the start, at the end, and when something fails.

import { newButton } from "./buttons.js";
import { words } from "./words.js";

/** @typedef {"start" | "refusal" | "end" | "failure"} Kind */

export class Cards {
    /** @type {Kind | null} the kind of the card that is shown */
    kind = null;
    #text = "";

    /** @param {Record<"card" | "stage", HTMLElement>} elements */
    constructor({ card, stage }) {
        this.card = card;
        this.stage = stage;
    }

    /**
     * @param {Kind} kind decides the style
     * @param {string} text the message
     * @param {import("../types.js").Labelled[]} buttons the most likely one first
     * @param {Node[]} more elements below the buttons
     */
    show(kind, text, buttons, more = []) {
        // The same failure may be found more than once; it is said once.
        if (kind === "failure" && kind === this.kind && text === this.#text) return;
        [this.kind, this.#text] = [kind, text];
        const heading = document.createElement(kind === "failure" ? "p" : "h2");
        heading.textContent = text;
        // The title of the story, which stands there at the start, is in the story's language.
        if (kind !== "start") words.mark(heading);
        if (kind === "failure") heading.setAttribute("role", "alert");
        const row = document.createElement("div");
        row.className = "buttons";
        words.mark(row);
        row.append(...buttons.map(([label, act]) => newButton(label, act)));
        this.card.className = `card ${kind}`;
        this.card.replaceChildren(heading, row, ...more);
        this.card.scrollTop = 0;
        this.card.hidden = false;
        // Moves the focus here if it was on the video. Elsewhere it stays where it is.
        const { activeElement } = document;
        if (kind !== "start" && (activeElement === document.body || activeElement === this.stage)) {
            row.querySelector("button")?.focus();
        }
    }

    /** Presses the first button, if there is one. */
    pressFirst() {
        this.card.querySelector("button")?.click();
    }

    /** Presses the last button, if there is one. */
    pressLast() {
        /** @type {HTMLElement | null} */ (this.card.querySelector(".buttons button:last-child"))?.click();
    }

    /** @param {Kind | null} kind if given, only a card of this kind is hidden */
    hide(kind = this.kind) {
        if (kind !== this.kind) return;
        if (this.card.contains(document.activeElement)) this.stage.focus();
        this.kind = null;
        this.card.hidden = true;
        this.card.replaceChildren();
    }
}
