// Uploads of files that the user chooses, or drops anywhere on a page.

import { api, upload } from "./api.js";
import { announce } from "./elements/announce.js";
import { byId, iconButton } from "./elements/dom.js";
import { make } from "./elements/view.js";

let running = 0;
// Closing the page ends uploads.
addEventListener("beforeunload", (event) => running > 0 && event.preventDefault());

/**
 * Takes files that are chosen by the page's button, or dropped on the page.
 * @param {(files: File[]) => void} onChosen
 * @param {(files: File[]) => void} onDropped
 * @returns {() => void} lets the user choose files
 */
export function acceptFiles(onChosen, onDropped = onChosen) {
    const input = byId("file");
    const choose = () => input.click();
    byId("choose-file").addEventListener("click", choose);
    input.addEventListener("change", () => {
        onChosen([...input.files ?? []]);
        input.value = "";
    });
    acceptDrops(onDropped);
    return choose;
}

/**
 * Uploads a file.
 * @param {File} file
 * @param {(text: string) => void} say
 * @returns {Promise<import("./server").Media | null>} the clip; null if there is none, which is said
 */
export async function importFile(file, say) {
    const bar = make("progress", { max: 1, value: 0, "aria-label": `Importing ${file.name}` });
    let cancel = () => {};
    const item = make("li", { class: "upload" },
        make("span", { class: "names" }, make("span", { class: "name" }, file.name), bar),
        iconButton("close", `Cancel ${file.name}`, () => cancel()));
    byId("uploads").append(item);
    say("");
    running += 1;
    const result = await send(file, (fraction) => {
        bar.value = fraction;
    }, (ending) => {
        cancel = ending;
    });
    running -= 1;
    const hadFocus = item.contains(document.activeElement);
    item.remove();
    if (hadFocus) byId("choose-file").focus();
    if (!result.ok) say(result.error.message);
    else announce(result.value ? `${file.name} was imported.` : `The import of ${file.name} was cancelled.`);
    return result.ok ? result.value : null;
}

/**
 * Sends a file if there is room for it. The value of a cancelled upload is null.
 * @param {File} file
 * @param {(fraction: number) => void} onProgress
 * @param {(cancel: () => void) => void} onBegin
 * @returns {Promise<import("./types").Answer<import("./server").Media | null>>}
 */
async function send(file, onProgress, onBegin) {
    // The response to a refused upload is often lost, because the server closes the connection before the browser has
    // sent everything.
    const room = await api.room(file.size);
    if (!room.ok) return room;
    const { answer, cancel } = upload(file, onProgress);
    onBegin(cancel);
    const result = await answer;
    if (result.ok || result.error.status !== 0) return result;
    const now = await api.room(file.size);
    const message = `The upload of ${file.name} broke off. Try it again.`;
    return now.ok ? { ok: false, error: { ...result.error, message } } : now;
}

/** Accepts files dropped anywhere on the page, and shows a hint while files are dragged over it. */
function acceptDrops(/** @type {(files: File[]) => void} */ onFiles) {
    const cover = byId("drop");
    /** What an event carries, if that is files. */
    const carried = (/** @type {DragEvent} */ { dataTransfer }) => (
        dataTransfer?.types.includes("Files") ? dataTransfer : null);
    let timer = 0;
    addEventListener("dragover", (event) => {
        const files = carried(event);
        if (!files) return;
        event.preventDefault();
        files.dropEffect = "copy";
        cover.hidden = false;
        // `dragleave` is fired for every element that the pointer leaves. That the pointer has left the page is
        // only known because no more `dragover` events come.
        clearTimeout(timer);
        timer = setTimeout(() => {
            cover.hidden = true;
        }, 300);
    });
    addEventListener("drop", (event) => {
        const files = carried(event);
        if (!files) return;
        event.preventDefault();
        clearTimeout(timer);
        cover.hidden = true;
        onFiles([...files.files]);
    });
}
