// Buttons, all made in one way.

/** @param content a text, or elements */
export function newButton(content, act, className = "") {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className });
    button.append(...[content].flat());
    button.addEventListener("click", act);
    return button;
}

/** Sets the name of a button that shows only an icon, for screen readers and as a tooltip. */
export function nameButton(button, text) {
    button.setAttribute("aria-label", text);
    button.title = text;
}
