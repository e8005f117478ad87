// The clips of the workspace: they are dragged onto the graph, where they become segments.

import { api, latestOf } from "../shared/api.js";
import { byId, iconButton } from "../shared/elements/dom.js";
import { icon } from "../shared/elements/icons.js";
import { createNotice } from "../shared/elements/notice.js";
import { posterView } from "../shared/elements/poster.js";
import { draw, view } from "../shared/elements/view.js";
import { lengthText } from "../shared/times.js";
import { acceptFiles, importFile } from "../shared/uploading.js";

/**
 * @typedef {import("./types").Clip} Clip
 * @typedef {import("../shared/server").Media} Media
 */

/** What a dragged clip is carried as: the path of its file. */
export const CLIP = "application/x-timewarp-clip";

export class ClipList {
    /** @type {Media[]} */
    #media = [];
    /** @type {string[]} the paths of files in the workspace */
    #files = [];
    #say = createNotice("error-clips");
    #ask = latestOf(() => Promise.all([api.listMedia(), api.listFiles()]));

    /** @param {{ onAdd: (files: string[]) => void, onClips: () => void }} acts `onAdd`: files become segments */
    constructor({ onAdd, onClips }) {
        this.onAdd = onAdd;
        this.onClips = onClips;
        acceptFiles((files) => this.#upload(files), async (files) => this.onAdd(await this.#upload(files)));
    }

    /** @returns {Clip[]} those that were imported, and the other files */
    get clips() {
        const known = new Set(this.#media.map(({ file }) => file));
        return [
            ...this.#media.map((media) => ({ name: media.name, file: media.file, media })),
            ...this.#files.filter((file) => !known.has(file)).map((file) => ({ name: file, file })),
        ];
    }

    async fetch() {
        const [media, files] = await this.#ask() ?? [];
        if (!media?.ok || !files?.ok) return;
        this.#media = media.value.media;
        this.#files = files.value.files.map(({ name }) => name);
        this.#show();
    }

    /** Shows a clip that is new, or was analysed. */
    note(/** @type {Media} */ media) {
        const place = this.#media.findIndex(({ id }) => id === media.id);
        if (place < 0) this.#media = [media, ...this.#media];
        else this.#media[place] = media;
        this.#show();
    }

    /** @param {File[]} files @returns {Promise<string[]>} the paths of those that were uploaded */
    async #upload(files) {
        const paths = [];
        // One after another, because they share one disk.
        for (const file of files) {
            const media = await importFile(file, this.#say);
            if (!media) continue;
            this.note(media);
            paths.push(media.file);
        }
        return paths;
    }

    #show() {
        draw(byId("story-clips"), ...this.clips.map((clip) => view("li", {
            class: "row-item", key: clip.file, draggable: "true",
            ondragstart: (/** @type {DragEvent} */ { dataTransfer }) => dataTransfer?.setData(CLIP, clip.file),
        },
        view("span", { class: "pick" }, pictureOf(clip), view("span", { class: "names" },
            view("span", { class: "name", title: clip.file }, clip.name),
            clip.media && view("span", { class: "facts" }, lengthText(clip.media.duration)))),
        iconButton("add", `Add ${clip.name} to the story`, () => this.onAdd([clip.file])))),
        this.clips.length === 0 && view("li", { class: "hint" }, "Drop video files here, or choose some."));
        this.onClips();
    }
}

export const pictureOf = (/** @type {Clip} */ { media }) => (
    media ? posterView(media) : view("span", { class: "poster" }, icon("film")));
