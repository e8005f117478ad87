// What is said over the picture: at the start, at the end, and when something fails.

export class Cards {
    /** @param elements `{ card, stage }` */
    constructor(elements) {
        Object.assign(this, elements);
    }

    /**
     * @param kind "start", "end" or "failure": how it looks
     * @param text what it says
     * @param buttons pairs of a label and what it does, the likeliest first
     */
    show(kind, text, buttons) {
        const heading = document.createElement(kind === "failure" ? "p" : "h2");
        heading.textContent = text;
        if (kind === "failure") heading.setAttribute("role", "alert");
        const row = document.createElement("div");
        row.className = "buttons";
        row.append(...buttons.map(([label, act]) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = label;
            button.addEventListener("click", act);
            return button;
        }));
        this.card.className = `card ${kind}`;
        this.card.replaceChildren(heading, row);
        this.card.hidden = false;
        // Who was busy with the film goes on here; who was elsewhere is left there.
        const { activeElement } = document;
        if (kind !== "start" && (activeElement === document.body || activeElement === this.stage)) {
            row.querySelector("button")?.focus();
        }
    }

    /** Does the likeliest thing, if there is one. */
    pressFirst() {
        this.card.querySelector("button")?.click();
    }

    hide() {
        if (this.card.contains(document.activeElement)) this.stage.focus();
        this.card.hidden = true;
        this.card.replaceChildren();
    }
}
