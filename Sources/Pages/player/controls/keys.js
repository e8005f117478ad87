// Keyboard shortcuts. Some viewers, such as those who dictate, can turn those with letters and digits off (WCAG 2.1.4).

/** Keys that go on acting while they are held. */
const HELD = ["arrowup", "arrowdown"];

/** @type {(target: Element, key: string) => boolean} whether the focused element has a use of its own for a key */
function hasOwnUse(target, key) {
    const isButton = target instanceof HTMLButtonElement;
    const isInput = target instanceof HTMLInputElement;
    if (key === " " || key === "enter") return isButton || (isInput && target.type === "radio");
    // What scrolls is scrolled by arrows.
    return key.startsWith("arrow") && (isInput || target.closest(".panel, .card") !== null);
}

export class Keys {
    /**
     * @param {Record<string, () => void>} shortcuts functions by key, in lower case
     * @param {{ isReady(): boolean, areLettersOn(): boolean, actFor(key: string): (() => void) | null }} acts the last
     *     gives what else a key does now
     */
    constructor(shortcuts, acts) {
        this.shortcuts = shortcuts;
        this.acts = acts;
        document.addEventListener("keydown", (event) => this.#onKey(event));
    }

    /** @param {KeyboardEvent} event */
    #onKey(event) {
        const key = event.key.toLowerCase();
        if (event.ctrlKey || event.metaKey || event.altKey || !this.acts.isReady()) return;
        if (hasOwnUse(/** @type {Element} */ (event.target), key)) return;
        const isLetter = key.length === 1 && key !== " ";
        if (isLetter && !this.acts.areLettersOn()) return;
        const act = this.acts.actFor(key) ?? this.shortcuts[key];
        if (!act) return;
        event.preventDefault();
        if (!event.repeat || HELD.includes(key)) act();
    }
}
