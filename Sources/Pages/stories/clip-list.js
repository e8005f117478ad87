// The clips of the workspace: they are dragged onto the graph, where they become segments.

import { api, urls } from "../shared/api.js";
import { byId, iconButton } from "../shared/elements/dom.js";
import { icon } from "../shared/elements/icons.js";
import { createNotice } from "../shared/elements/notice.js";
import { draw, view } from "../shared/elements/view.js";
import { lengthText } from "../shared/times.js";
import { acceptDrops, importFile } from "../shared/uploading.js";

/** @typedef {import("./types").Clip} Clip */

/** What a dragged clip is carried as: the path of its file. */
export const CLIP = "application/x-timewarp-clip";

export class ClipList {
    /** @type {Clip[]} */
    clips = [];
    #say = createNotice("error-clips");

    /** @param {{ onAdd: (files: string[]) => void, onClips: () => void }} acts `onAdd`: files become segments */
    constructor({ onAdd, onClips }) {
        this.onAdd = onAdd;
        this.onClips = onClips;
        const input = byId("file");
        byId("choose-file").addEventListener("click", () => input.click());
        input.addEventListener("change", () => {
            this.#upload([...input.files ?? []]);
            input.value = "";
        });
        acceptDrops(async (files) => this.onAdd(await this.#upload(files)));
    }

    async fetch() {
        const [media, files] = await Promise.all([api.listMedia(), api.listFiles()]);
        if (!media.ok || !files.ok) return;
        const known = media.value.media.map((each) => ({
            name: each.name, file: each.file, length: each.duration,
            poster: each.video && each.analysis === "ready" ? urls.poster(each) : undefined,
        }));
        const others = files.value.files.filter(({ name }) => known.every((each) => each.file !== name))
            .map(({ name }) => ({ name, file: name }));
        this.clips = [...known, ...others];
        this.#show();
        this.onClips();
    }

    /** @param {File[]} files @returns {Promise<string[]>} the paths of those that were uploaded */
    async #upload(files) {
        const paths = [];
        // One after another, because they share one disk.
        for (const file of files) {
            const media = await importFile(file, this.#say);
            if (media) paths.push(media.file);
        }
        await this.fetch();
        return paths;
    }

    #show() {
        draw(byId("story-clips"), ...this.clips.map((clip) => view("li", {
            class: "row-item", key: clip.file, draggable: "true",
            ondragstart: (/** @type {DragEvent} */ { dataTransfer }) => dataTransfer?.setData(CLIP, clip.file),
        },
        view("span", { class: "pick" }, pictureOf(clip), view("span", { class: "names" },
            view("span", { class: "name", title: clip.file }, clip.name),
            clip.length !== undefined && view("span", { class: "facts" }, lengthText(clip.length)))),
        iconButton("add", `Add ${clip.name} to the story`, () => this.onAdd([clip.file])))),
        this.clips.length === 0 && view("li", { class: "hint" }, "Drop video files here, or choose some."));
    }
}

export const pictureOf = (/** @type {Clip} */ { poster }) => view("span", { class: "poster" },
    poster ? view("img", { src: poster, alt: "", draggable: "false", loading: "lazy" }) : icon("film"));
