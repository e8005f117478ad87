// The imported clips, and the files of the workspace that can be imported.

import { api } from "../../shared/api.js";
import { announce } from "../../shared/elements/announce.js";
import { byId, iconButton } from "../../shared/elements/dom.js";
import { sizeText } from "../../shared/format-numbers.js";
import { posterView } from "../../shared/elements/poster.js";
import { createNotice } from "../../shared/elements/notice.js";
import { lengthText } from "../../shared/times.js";
import { createUndoNotice } from "../../shared/elements/undo-notice.js";
import { draw, view } from "../../shared/elements/view.js";

/** @typedef {import("../types").Media} Media */

/** What is dragged: the identity of a clip. */
export const CLIP = "application/x-timewarp-clip";

/** @param {import("./store.js").Store} store */
export function createMediaList(store) {
    const list = byId("media");
    const say = createNotice("error-media");
    const choose = (/** @type {string} */ id) => store.choose(id);
    const undoNotice = createUndoNotice("removed-clip");
    const remove = async (/** @type {Media} */ clip) => {
        const answer = await api.deleteMedia(clip.id);
        say(answer.ok ? "" : answer.error.message);
        if (!answer.ok) return;
        store.remove("media", clip.id);
        undoNotice.offer(clip.name, "removed", async () => {
            const back = await api.returnMedia(clip.id);
            if (back.ok) store.bringBack("media", back.value);
            return back;
        });
    };
    const show = () => draw(list,
        ...store.media.map((clip) => row(clip, clip.id === store.draft.media, choose, remove)));
    let shown = store.draft.media;
    const showDraft = () => {
        show();
        if (store.draft.media !== shown) list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
        shown = store.draft.media;
    };
    store.on("media", show);
    store.on("draft", showDraft);
    createFiles(store, say, choose);
}

/**
 * @param {Media} clip
 * @param {boolean} isChosen
 * @param {(id: string) => void} choose
 * @param {(clip: Media) => void} remove
 */
const row = (clip, isChosen, choose, remove) => {
    const size = clip.video ? `${clip.video.width}×${clip.video.height}` : clip.audio?.codec ?? "";
    return view("li", {
        class: "row-item", key: clip.id, draggable: "true",
        ondragstart: (/** @type {DragEvent} */ { dataTransfer }) => dataTransfer?.setData(CLIP, clip.id),
    },
        view("button", {
            type: "button", class: "pick", "data-act": "choose",
            "aria-current": isChosen ? "true" : null, onclick: () => choose(clip.id),
        },
        posterView(clip),
        view("span", { class: "names" },
            view("span", { class: "name", title: clip.name }, clip.name),
            view("span", { class: "facts" }, `${lengthText(clip.duration)} · ${size}`))),
        iconButton("trash", `Remove ${clip.name}`, () => remove(clip), {
            "data-act": "remove", class: "icon quiet",
        }));
};

/**
 * The list of files in the workspace, which is fetched when the user opens it.
 * @param {import("./store.js").Store} store
 * @param {(text: string) => void} say
 * @param {(id: string) => void} choose
 */
function createFiles(store, say, choose) {
    const details = byId("workspace"), list = byId("files");
    const use = async (/** @type {{ id: string, name: string }} */ file) => {
        const answer = await api.importFile(file.id);
        say(answer.ok ? "" : answer.error.message);
        if (!answer.ok) return;
        store.add("media", answer.value);
        choose(answer.value.id);
        announce(`${file.name} was imported.`);
    };
    details.addEventListener("toggle", async () => {
        if (!details.open) return;
        const answer = await api.listFiles();
        say(answer.ok ? "" : answer.error.message);
        const { files, isCut } = answer.ok ? answer.value : { files: [], isCut: false };
        const hint = (/** @type {string} */ text) => view("li", { class: "hint" }, text);
        draw(list,
            ...files.map((file) => view("li", { key: file.id }, view("button", {
                type: "button", class: "file", onclick: () => use(file),
            }, view("span", { class: "name" }, file.name),
            view("span", { class: "facts" }, sizeText(file.bytes))))),
            files.length === 0 && hint("There are no clips in the workspace folder."),
            isCut && hint("The folder has more files than are listed here."));
    });
}
