// Buttons, all made in one way.

/** @param {string | Node | (string | Node)[]} content @param {() => void} act */
export function newButton(content, act, className = "") {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className });
    button.append(...[content].flat());
    button.addEventListener("click", act);
    return button;
}

/**
 * Sets the name of a button that shows only an icon, for screen readers and as a tooltip.
 * @type {(button: HTMLElement, text: string) => void}
 */
export function nameButton(button, text) {
    button.setAttribute("aria-label", text);
    button.title = text;
}
