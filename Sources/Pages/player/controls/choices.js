// The viewer's choices: buttons below the video, or on it if the story says so.

import { newButton } from "./buttons.js";
import { words } from "./words.js";

/** @typedef {import("../types.js").Offered} Offered */

/** @type {(place: number) => string | null} the number key of a choice: 1 to 9, and 0 for the tenth */
const numberKey = (place) => (place < 10 ? String((place + 1) % 10) : null);

export class Choices {
    /** @type {Offered[]} */
    #offered = [];
    #areKeysOn = true;
    /** @type {number | null} */
    #limit = null;

    /**
     * @param {Record<"list" | "spots" | "countdown" | "time", HTMLElement>} elements `countdown` is the bar
     * @param {(index: number) => void} onChoice
     */
    constructor(elements, onChoice) {
        this.elements = elements;
        this.onChoice = onChoice;
    }

    get areShown() {
        return this.#offered.length > 0;
    }

    /**
     * @param {Offered[]} offered
     * @param {number | null} limit seconds until the choices are hidden, or null for no limit
     */
    show(offered, limit) {
        const { list, spots, countdown } = this.elements;
        this.#offered = offered;
        offered.forEach((choice, place) => {
            const button = this.#button(choice, place);
            if (choice.area) spots.append(button);
            else list.append(button);
        });
        list.hidden = list.children.length === 0;
        spots.hidden = spots.children.length === 0;
        this.#limit = limit;
        countdown.hidden = limit === null;
        if (limit !== null) this.update(limit);
    }

    /** @type {(choice: Offered, place: number) => HTMLButtonElement} */
    #button({ index, label, key, area }, place) {
        const keys = [numberKey(place), key].flatMap((each) => each ?? []);
        const text = document.createElement("span");
        text.dir = "auto";
        text.textContent = label;
        const caps = keys.map(keyCap);
        const button = newButton([...caps.slice(0, 1), text, ...caps.slice(1)], () => this.onChoice(index));
        Object.assign(button.dataset, { choice: index, keys: keys.join(" ") });
        this.#showKeys(button);
        if (area) {
            ["left", "top", "width", "height"].forEach((side, number) => {
                button.style.setProperty(side, `${100 * area[number]}%`);
            });
        }
        return button;
    }

    /** @param {boolean} areOn whether keys take choices */
    set areKeysOn(areOn) {
        this.#areKeysOn = areOn;
        for (const button of this.#buttons) this.#showKeys(button);
    }

    /** @param {HTMLButtonElement} button */
    #showKeys(button) {
        if (this.#areKeysOn) button.setAttribute("aria-keyshortcuts", button.dataset.keys ?? "");
        else button.removeAttribute("aria-keyshortcuts");
        for (const cap of button.querySelectorAll("kbd")) cap.hidden = !this.#areKeysOn;
    }

    /**
     * Updates the countdown.
     * @param {number} left seconds of the video
     * @param {number} speed at which the video plays: at half of it, viewers have twice the time
     */
    update(left, speed = 1) {
        if (this.#limit === null || !this.areShown) return;
        const { countdown, time } = this.elements;
        const share = Math.max(0, Math.min(1, left / this.#limit));
        countdown.style.setProperty("--left", share.toFixed(4));
        const text = words.seconds(Math.max(0, left) / speed);
        if (time.textContent !== text) time.textContent = text;
    }

    hide() {
        const { list, spots, countdown } = this.elements;
        this.#offered = [];
        list.replaceChildren();
        spots.replaceChildren();
        list.hidden = spots.hidden = countdown.hidden = true;
    }

    get #buttons() {
        const { list, spots } = this.elements;
        return [...spots.querySelectorAll("button"), ...list.querySelectorAll("button")];
    }

    /** The index of the choice that has the keyboard focus, or null. */
    get focused() {
        const button = this.#buttons.find((each) => each === document.activeElement);
        return button ? Number(button.dataset.choice) : null;
    }

    /** @param {number} index */
    focus(index) {
        this.#buttons.find(({ dataset }) => dataset.choice === String(index))?.focus();
    }

    /** @type {(key: string) => number | null} the index of the choice that a key takes */
    forKey(key) {
        const wanted = key.toLowerCase();
        const letter = this.#offered.find((choice) => choice.key?.toLowerCase() === wanted);
        const number = this.#offered.find((_, place) => numberKey(place) === wanted);
        return (letter ?? number)?.index ?? null;
    }
}

/** @param {string} key */
function keyCap(key) {
    const cap = document.createElement("kbd");
    cap.textContent = key.toUpperCase();
    // Screen readers get the keys from aria-keyshortcuts instead.
    cap.setAttribute("aria-hidden", "true");
    return cap;
}
