// What belongs to the story as a whole: its title, where it begins, and its variables.

import { byId, iconButton } from "../shared/elements/dom.js";
import { createNotice } from "../shared/elements/notice.js";
import { draw, view } from "../shared/elements/view.js";
import { field, menu, textField } from "./story-fields.js";
import { remove, set } from "./story-edits.js";

/** @typedef {import("./types").StoryText} StoryText */

export class StoryPanel {
    constructor(/** @type {import("./story-editor.js").StoryEditor} */ editor) {
        this.editor = editor;
        this.host = byId("story-fields");
        this.say = createNotice("error-story");
    }

    show(/** @type {boolean} */ isShown) {
        const { text } = this.editor;
        byId("story-panel").hidden = !isShown || !text;
        if (!text) return;
        const variables = Object.entries(text.variables ?? {});
        draw(this.host,
            view("div", { class: "story-fields" },
                field("Title", textField(text.title, (title) => title !== "" && void this.#edit(
                    () => [set(title, "title")], "The title was changed."), { maxlength: 200 })),
                field("Begins with", menu(text.start, Object.keys(text.segments).map((name) => [name, name]), (name) => {
                    this.#edit(() => [set(name, "start")], `The story begins with ${name}.`);
                }))),
            view("h3", {}, "Variables"),
            view("ul", { class: "variables" }, ...variables.map(([name, value]) => this.#variable(name, value))),
            view("div", { class: "story-fields" }, field("Add", textField("", (name) => {
                if (name !== "") this.#add(name);
                return false;
            }, { placeholder: "courage", id: "add-variable", maxlength: 200 }),
            "A number that choices change, and on which they depend")));
    }

    /** @type {(name: string, value: number) => import("../shared/elements/view.js").View} */
    #variable(name, value) {
        return view("li", {},
            field(name, textField(String(value), (written) => {
                const number = Number(written);
                if (written === "" || !Number.isFinite(number)) return false;
                this.#edit(() => [set(number, "variables", name)], `${name} begins as ${number}.`);
                return true;
            }, { class: "short" }), `The value of ${name} when the story begins`),
            iconButton("trash", `Remove ${name}`, () => this.#edit(({ variables = {} }) => [
                Object.keys(variables).length === 1 ? remove("variables") : remove("variables", name),
            ], `${name} was removed.`)));
    }

    #add(/** @type {string} */ name) {
        this.#edit(({ variables }) => [
            variables ? set(0, "variables", name) : set({ [name]: 0 }, "variables"),
        ], `${name} was added.`);
    }

    /** @param {import("./types").Edit} edit @param {string} words */
    async #edit(edit, words) {
        this.say(await this.editor.edit(edit, words));
    }
}
