// The command line that renders the same output.

import { announce } from "../../shared/elements/announce.js";
import { byId } from "../../shared/elements/dom.js";
import { setIcon } from "../../shared/elements/icons.js";
import { saveText } from "../../shared/elements/save-text.js";

/** For how many milliseconds the button shows that the command was copied. */
const SAID = 1500;

/** @param {import("./store.js").Store} store */
export function createCommandPanel(store) {
    const command = byId("command"), file = byId("save-curve-file"), copy = byId("copy");
    store.on("evaluation", () => {
        command.textContent = store.evaluation?.command ?? "";
        const name = fileName(store.evaluation);
        file.hidden = name === null;
        if (name) byId("command-file").textContent = name;
    });
    file.addEventListener("click", () => {
        const name = fileName(store.evaluation);
        if (!store.evaluation || !name) return;
        const { curveFile, anchorFile } = store.evaluation;
        saveText(name, anchorFile ?? `${JSON.stringify(curveFile, null, 2)}\n`);
    });
    let timer = 0;
    copy.addEventListener("click", async () => {
        const isCopied = await copyText(command.textContent ?? "");
        announce(isCopied ? "The command was copied." : "The browser didn't allow copying.");
        if (!isCopied) return;
        setIcon(copy, "check");
        clearTimeout(timer);
        timer = setTimeout(() => setIcon(copy, "copy"), SAID);
    });
}

/** @type {(evaluation: import("../types").Evaluation | null) => string | null} the file that the command reads */
const fileName = (evaluation) =>
    (evaluation?.anchorFile ? "anchors.txt" : evaluation?.curveFile ? "curve.json" : null);

/** @param {string} text @returns {Promise<boolean>} whether the text was copied */
async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return copyBySelecting(text);
    }
}

/** Copies in browsers that refuse access to the clipboard. */
function copyBySelecting(/** @type {string} */ text) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const area = document.createElement("textarea");
    area.className = "unseen";
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return isCopied;
}
