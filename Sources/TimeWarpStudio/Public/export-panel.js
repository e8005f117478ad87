// The retimed clip as a project for an editor.

import { announce } from "./announce.js";
import { api } from "./api.js";
import { byId, make } from "./dom.js";
import { saveText } from "./save-text.js";

/** @param {import("./store.js").Store} store */
export function createExportPanel(store) {
    const button = byId("export-edit"), format = byId("export-format");
    const notes = byId("export-notes"), error = byId("error-export");
    const clear = () => {
        notes.replaceChildren();
        error.textContent = "";
    };
    store.on("evaluation", () => {
        button.disabled = !store.evaluation;
        clear();
    });
    format.addEventListener("change", clear);
    button.addEventListener("click", async () => {
        clear();
        button.disabled = true;
        const answer = await api.exportEdit(store.request, format.value);
        button.disabled = false;
        if (!answer.ok) {
            error.textContent = answer.error.message;
            return;
        }
        saveText(answer.value.name, answer.value.content);
        notes.replaceChildren(...answer.value.notes.map((note) => make("li", {}, note)));
        announce(`${answer.value.name} was saved.`);
    });
}
