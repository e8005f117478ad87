// Imports files that the user chooses or drops anywhere on the page.

import { upload } from "./api.js";
import { announce } from "./announce.js";
import { byId, iconButton, make } from "./dom.js";
import { withMedia } from "./render-request.js";

/** Larger JSON files aren't treated as curve files. */
const LARGEST_CURVE = 1 << 20;

/**
 * @param {import("./store.js").Store} store
 * @param {(file: File) => void} openCurve
 * @returns {{ chooseFile: () => void }}
 */
export function createImporting(store, openCurve) {
    const input = byId("file");
    const chooseFile = () => input.click();
    const take = async (files) => {
        for (const file of files) {
            const isCurve = /\.json$/i.test(file.name) && file.size <= LARGEST_CURVE
                && !await isComposition(file);
            // Uploads run one after another, because they share one disk.
            if (isCurve) openCurve(file);
            else await importFile(store, file);
        }
    };
    byId("choose-file").addEventListener("click", chooseFile);
    input.addEventListener("change", () => {
        take([...input.files]);
        input.value = "";
    });
    acceptDrops((files) => take(files));
    return { chooseFile };
}

/** Whether a JSON file says near its beginning that it is a composition. */
async function isComposition(file) {
    return /"composition\/\d+"/.test(await file.slice(0, 4096).text());
}

async function importFile(store, file) {
    const bar = make("progress", { max: 1, value: 0, "aria-label": `Importing ${file.name}` });
    const { answer, cancel } = upload(file, (fraction) => {
        bar.value = fraction;
    });
    const item = make("li", { class: "upload" },
        make("span", { class: "names" }, make("span", { class: "name" }, file.name), bar),
        iconButton("close", `Cancel ${file.name}`, cancel));
    byId("uploads").append(item);
    byId("error-media").textContent = "";
    const result = await answer;
    const hadFocus = item.contains(document.activeElement);
    item.remove();
    if (hadFocus) byId("choose-file").focus();
    if (!result.ok) {
        byId("error-media").textContent = result.error.message;
        announce(result.error.message);
    } else if (result.value === null) {
        announce(`The import of ${file.name} was cancelled.`);
    } else {
        store.add("media", result.value);
        store.edit((draft) => withMedia(draft, result.value.id));
        announce(`${file.name} was imported.`);
    }
}

/** Accepts files dropped anywhere on the page, and shows a hint while files are dragged over it. */
function acceptDrops(onFiles) {
    const cover = byId("drop");
    const hasFiles = ({ dataTransfer }) => [...dataTransfer?.types ?? []].includes("Files");
    let timer = 0;
    addEventListener("dragover", (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        cover.hidden = false;
        // `dragleave` is fired for every element that the pointer leaves. That the pointer has left the page is
        // only known because no more `dragover` events come.
        clearTimeout(timer);
        timer = setTimeout(() => {
            cover.hidden = true;
        }, 300);
    });
    addEventListener("drop", (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        clearTimeout(timer);
        cover.hidden = true;
        onFiles([...event.dataTransfer.files]);
    });
}
