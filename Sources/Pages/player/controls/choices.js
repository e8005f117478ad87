// The viewer's choices: buttons below the video, or on it if the story says so.

import { newButton } from "./buttons.js";
import { words } from "./words.js";

/** The number key of a choice: 1 to 9, and 0 for the tenth. */
const numberKey = (place) => (place < 10 ? String((place + 1) % 10) : null);

export class Choices {
    #offered = [];
    #areKeysOn = true;

    /** @param elements `{ list, spots, countdown, time }`, where `countdown` is the bar */
    constructor(elements, onChoice) {
        Object.assign(this, { ...elements, onChoice });
    }

    get areShown() {
        return this.#offered.length > 0;
    }

    /**
     * @param offered the choices, each as `{ index, label, key, area }`
     * @param limit seconds until the choices are hidden, or null for no limit
     */
    show(offered, limit) {
        this.#offered = offered;
        offered.forEach((choice, place) => {
            const button = this.#button(choice, place);
            if (choice.area) this.spots.append(button);
            else this.list.append(button);
        });
        this.list.hidden = this.list.children.length === 0;
        this.spots.hidden = this.spots.children.length === 0;
        this.limit = limit;
        this.countdown.hidden = limit === null;
        if (limit !== null) this.update(limit);
    }

    #button({ index, label, key, area }, place) {
        const keys = [numberKey(place), key].filter(Boolean);
        const text = document.createElement("span");
        text.dir = "auto";
        text.textContent = label;
        const caps = keys.map(keyCap);
        const button = newButton([...caps.slice(0, 1), text, ...caps.slice(1)], () => this.onChoice(index));
        Object.assign(button.dataset, { choice: index, keys: keys.join(" ") });
        this.#showKeys(button);
        if (area) {
            ["left", "top", "width", "height"].forEach((side, number) => {
                button.style[side] = `${100 * area[number]}%`;
            });
        }
        return button;
    }

    /** Whether keys take choices. */
    set areKeysOn(areOn) {
        this.#areKeysOn = areOn;
        for (const button of this.#buttons) this.#showKeys(button);
    }

    #showKeys(button) {
        if (this.#areKeysOn) button.setAttribute("aria-keyshortcuts", button.dataset.keys);
        else button.removeAttribute("aria-keyshortcuts");
        for (const cap of button.querySelectorAll("kbd")) cap.hidden = !this.#areKeysOn;
    }

    /**
     * Updates the countdown to the seconds of the video that are left.
     * @param speed at which the video plays: at half of it, viewers have twice the time
     */
    update(left, speed = 1) {
        if (this.limit === null || !this.areShown) return;
        const share = Math.max(0, Math.min(1, left / this.limit));
        this.countdown.style.setProperty("--left", share.toFixed(4));
        const text = words.seconds(Math.max(0, left) / speed);
        if (this.time.textContent !== text) this.time.textContent = text;
    }

    hide() {
        this.#offered = [];
        this.list.replaceChildren();
        this.spots.replaceChildren();
        this.list.hidden = this.spots.hidden = this.countdown.hidden = true;
    }

    get #buttons() {
        return [...this.spots.children, ...this.list.children];
    }

    /** The index of the choice that has the keyboard focus, or null. */
    get focused() {
        const button = this.#buttons.find((each) => each === document.activeElement);
        return button ? Number(button.dataset.choice) : null;
    }

    focus(index) {
        this.#buttons.find(({ dataset }) => dataset.choice === String(index))?.focus();
    }

    /** The index of the choice that a key takes, or null. */
    forKey(key) {
        const wanted = key.toLowerCase();
        const letter = this.#offered.find((choice) => choice.key?.toLowerCase() === wanted);
        const number = this.#offered.find((_, place) => numberKey(place) === wanted);
        return (letter ?? number)?.index ?? null;
    }
}

function keyCap(key) {
    const cap = document.createElement("kbd");
    cap.textContent = key.toUpperCase();
    // Screen readers get the keys from aria-keyshortcuts instead.
    cap.setAttribute("aria-hidden", "true");
    return cap;
}
