// The retimed clip as a project for an editor.

import { capabilities } from "../app/capabilities.js";
import { api } from "../../shared/api.js";
import { byId } from "../../shared/elements/dom.js";
import { createNotice } from "../../shared/elements/notice.js";
import { showReport } from "../../shared/elements/report.js";
import { saveText } from "../../shared/elements/save-text.js";

export function createExportPanel(/** @type {import("../app/store.js").Store} */ store) {
    const button = byId("export-edit"), format = byId("export-format");
    const say = createNotice("error-export");
    let isUnderWay = false;
    format.append(...capabilities.formats.map(({ name, title }) => new Option(`${title} (.${name})`, name)));
    const clear = () => {
        showReport("export-report", null);
        say("");
    };
    const show = () => {
        const isPossible = store.evaluation && !store.error && !isUnderWay;
        button.setAttribute("aria-disabled", String(!isPossible));
    };
    store.on("evaluation", () => {
        show();
        clear();
    });
    format.addEventListener("change", clear);
    button.addEventListener("click", async () => {
        const { request } = store;
        if (!request || button.getAttribute("aria-disabled") === "true") return;
        clear();
        isUnderWay = true;
        show();
        const answer = await api.exportEdit(request, format.value);
        isUnderWay = false;
        show();
        if (!answer.ok) {
            say(answer.error.message);
            return;
        }
        saveText(answer.value.name, answer.value.content);
        showReport("export-report", answer.value);
    });
}
