// Imports files that the user chooses or drops anywhere on the page.

import { createNotice } from "../../shared/elements/notice.js";
import { acceptFiles, importFile } from "../../shared/uploading.js";
import { withMedia } from "./draft.js";

/** Larger JSON files aren't treated as curve files. */
const LARGEST_CURVE = 1 << 20;

/**
 * @param {import("./store.js").Store} store
 * @param {(file: File) => void} openCurve
 * @returns {{ chooseFile: () => void }}
 */
export function createImporting(store, openCurve) {
    const say = createNotice("error-media");
    let count = 0;
    /**
     * Which import showed its clip last, and the draft since then.
     * @type {{ order: number, draft: import("../types").Draft | null }}
     */
    let shown = { order: 0, draft: null };
    const take = async (/** @type {File[]} */ files) => {
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
    };
    return { chooseFile: acceptFiles(take) };
}

/** Whether a JSON file says near its beginning that it is a composition. */
async function isComposition(/** @type {File} */ file) {
    return /"composition\/\d+"/.test(await file.slice(0, 4096).text());
}
