// Imports files that the user chooses or drops anywhere on the page.

import { api, upload } from "../../shared/api.js";
import { announce } from "../../shared/elements/announce.js";
import { byId, iconButton } from "../../shared/elements/dom.js";
import { make } from "../../shared/elements/view.js";
import { createNotice } from "../../shared/elements/notice.js";
import { withMedia } from "./draft.js";

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
    const say = createNotice("error-media");
    let running = 0, count = 0;
    /**
     * Which import showed its clip last, and the draft since then.
     * @type {{ order: number, draft: import("../types").Draft | null }}
     */
    let shown = { order: 0, draft: null };
    const take = async (/** @type {File[]} */ files) => {
        running += 1;
        count += 1;
        const order = count, seen = store.draft;
        for (const file of files) {
            const isCurve = /\.json$/i.test(file.name) && file.size <= LARGEST_CURVE
                && !await isComposition(file);
            if (isCurve) {
                openCurve(file);
                continue;
            }
            // Uploads run one after another, because they share one disk.
            const media = await importFile(file, say);
            if (!media) continue;
            store.add("media", media);
            // It is shown, unless the user has gone on with something else meanwhile, or chosen files later that are
            // shown.
            const isNext = store.draft === shown.draft && shown.order <= order;
            if (store.draft !== seen && !isNext) continue;
            store.edit((draft) => withMedia(draft, media.id));
            shown = { order, draft: store.draft };
        }
        running -= 1;
    };
    // Closing the page ends uploads.
    addEventListener("beforeunload", (event) => running > 0 && event.preventDefault());
    byId("choose-file").addEventListener("click", chooseFile);
    input.addEventListener("change", () => {
        take([...input.files ?? []]);
        input.value = "";
    });
    acceptDrops(take);
    return { chooseFile };
}

/** Whether a JSON file says near its beginning that it is a composition. */
async function isComposition(/** @type {File} */ file) {
    return /"composition\/\d+"/.test(await file.slice(0, 4096).text());
}

/**
 * Uploads a file.
 * @param {File} file
 * @param {(text: string) => void} say
 * @returns {Promise<import("../types").Media | null>} the clip; null if there is none, which is said
 */
async function importFile(file, say) {
    const bar = make("progress", { max: 1, value: 0, "aria-label": `Importing ${file.name}` });
    let cancel = () => {};
    const item = make("li", { class: "upload" },
        make("span", { class: "names" }, make("span", { class: "name" }, file.name), bar),
        iconButton("close", `Cancel ${file.name}`, () => cancel()));
    byId("uploads").append(item);
    say("");
    const result = await send(file, (fraction) => {
        bar.value = fraction;
    }, (ending) => {
        cancel = ending;
    });
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
 * @returns {Promise<import("../../shared/types").Answer<import("../types").Media | null>>}
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
