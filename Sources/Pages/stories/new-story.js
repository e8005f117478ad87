// The dialog that makes a new story of some clips.

import { api } from "../shared/api.js";
import { byId } from "../shared/elements/dom.js";
import { createNotice } from "../shared/elements/notice.js";
import { draw, view } from "../shared/elements/view.js";
import { pictureOf } from "./clip-list.js";
import { newStory } from "./story-edits.js";

/** The title that a story has until its author gives it one. */
const TITLE = "New story";

/**
 * @param {() => import("./types").Clip[]} clips
 * @param {(story: import("../shared/server").Story) => void} onStory
 * @returns {(title: string, files: string[]) => Promise<void>} makes a story without the dialog
 */
export function createNewStory(clips, onStory) {
    const dialog = byId("new-story"), title = byId("new-title");
    const say = createNotice("error-new");
    /** @type {string[]} the chosen files, the one that begins first */
    let chosen = [];
    const show = () => {
        draw(byId("new-clips"), ...clips().map((clip) => view("li", { key: clip.file },
            view("label", { class: "row-item pick" },
                view("input", {
                    type: "checkbox", checked: chosen.includes(clip.file), onchange: () => {
                        const others = chosen.filter((each) => each !== clip.file);
                        chosen = others.length < chosen.length ? others : [...others, clip.file];
                        show();
                    },
                }), pictureOf(clip), view("span", { class: "name" }, clip.name)))));
        byId("new-create").setAttribute("aria-disabled", String(chosen.length === 0));
    };
    const create = async (/** @type {string} */ name, /** @type {string[]} */ files) => {
        const answer = await api.addStory({ name, text: newStory(name, files) });
        say(answer.ok ? "" : answer.error.message);
        if (!answer.ok) return;
        dialog.close();
        onStory(answer.value);
    };
    byId("new-cancel").addEventListener("click", () => dialog.close());
    dialog.querySelector("form")?.addEventListener("submit", (event) => {
        event.preventDefault();
        if (chosen.length === 0) say("Choose the clips that the story begins with.");
        else create(title.value.trim() || TITLE, chosen);
    });
    byId("new-button").addEventListener("click", () => {
        chosen = [];
        title.value = "";
        say("");
        show();
        dialog.showModal();
    });
    return create;
}
