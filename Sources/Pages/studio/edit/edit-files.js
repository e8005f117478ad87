// The edits of the server, and the open one, which is kept the same here, there, and in other tabs.

import { announce } from "../../shared/elements/announce.js";
import { api, latestOf } from "../../shared/api.js";
import { bodyOf, editOf } from "./edit-draft.js";
import { EditSaver } from "./edit-saver.js";

/**
 * @typedef {import("./types").Edit} Edit
 * @typedef {import("../../shared/types").KeptEdit} KeptEdit
 * @typedef {import("../../shared/types").Media} Media
 */

export class EditFiles {
    /** @type {Map<string | null | undefined, KeptEdit>} the edits of the server, by id */
    #known = new Map();
    /** @type {string | undefined} the stamp of the open edit's clip that was looked at last */
    #stamp;
    /** @type {string | undefined} the stamp of the clip that was saved last */
    #savedStamp;
    /**
     * The projects that were unknown when the list was fetched last, by id: those that aren't edits stay unknown.
     * @type {Set<string>}
     */
    #strange = new Set();
    #ask = latestOf(api.listEdits);

    /**
     * @param {import("../app/store.js").Store} store
     * @param {{ onList: () => void, onEdit: (edit: Edit) => void, onNote: (text: string) => void,
     *     onFailure: (text: string, isConflict: boolean) => void }} listeners `onEdit`: the open edit was changed in
     *     another tab; `onFailure`: an empty text takes back the last one; `isConflict`: another tab's version is there
     */
    constructor(store, listeners) {
        this.store = store;
        this.listeners = listeners;
        this.saver = new EditSaver({
            onChange: () => listeners.onNote("Saving…"),
            onSaved: (edit, clip) => this.#onSaved(edit, clip),
            onFailure: (error) => {
                listeners.onNote("");
                listeners.onFailure(error.message, error.status === 409);
            },
        });
        store.on("media", () => {
            this.#watch();
            if (this.#projects.some(({ id }) => !this.has(id) && !this.#strange.has(id))) this.fetch();
        });
    }

    get #edit() {
        return this.store.draft.edit;
    }

    #media(/** @type {string | undefined} */ id) {
        return this.store.media.find((each) => each.id === id);
    }

    get #projects() {
        return this.store.media.filter(({ format }) => format === "composition");
    }

    /** Whether a clip is an edit. */
    has(/** @type {string} */ id) {
        return this.#known.has(id);
    }

    /** A name that no edit has. */
    get freeName() {
        const names = new Set([...this.#known.values()].map(({ name }) => name));
        for (let number = 1; ; number += 1) {
            if (!names.has(`Edit ${number}`)) return `Edit ${number}`;
        }
    }

    /** Fetches the list of edits. */
    async fetch() {
        for (const { id } of this.#projects) if (!this.has(id)) this.#strange.add(id);
        const answer = await this.#ask();
        if (!answer?.ok) return;
        this.#known = new Map(answer.value.edits.map((edit) => [edit.id, edit]));
        this.#adopt(this.#known.get(this.#edit?.id));
        this.listeners.onList();
    }

    /** An edit of the list; null if there is no such edit. */
    find(/** @type {string | null} */ id) {
        const found = this.#known.get(id);
        return found ? this.#received(found) : null;
    }

    /** Fetches an edit after everything is saved; null if that failed. */
    async open(/** @type {string} */ id) {
        await this.saver.flush();
        const answer = await api.edit(id);
        this.#tell(answer);
        return answer.ok ? this.#received(answer.value) : null;
    }

    /** Makes an edit, and returns it with its id; null if that failed. */
    async make(/** @type {import("./types").OpenEdit} */ edit) {
        const body = bodyOf(edit);
        const answer = await api.addEdit(body);
        this.#tell(answer);
        if (!answer.ok) return null;
        const { id } = answer.value;
        this.#known.set(id, { id, version: 1, ...body });
        this.store.add("media", answer.value);
        const made = { ...edit, id };
        this.saver.knows(made);
        this.#stamp = answer.value.stamp;
        return made;
    }

    /** Saves the open edit. @returns {Promise<boolean>} whether the server has it now */
    async isSaved() {
        await this.saver.flush();
        return this.#edit !== null && this.saver.has(this.#edit);
    }

    /** An edit as it came from the server. */
    #received(/** @type {KeptEdit} */ found) {
        const edit = editOf(found, (media) => this.#media(media)?.name ?? "a clip that was removed");
        this.saver.knows(edit, found.version);
        this.#stamp = this.#media(edit.id)?.stamp;
        this.listeners.onNote("Saved");
        return edit;
    }

    #tell(/** @type {import("../../shared/types").Answer<unknown>} */ answer) {
        this.listeners.onFailure(answer.ok ? "" : answer.error.message, false);
    }

    /** @param {Edit} edit @param {Media | null} clip as it is after saving; null if nothing had to be saved */
    #onSaved(edit, clip) {
        this.listeners.onFailure("", false);
        if (!this.saver.isBehind) this.listeners.onNote("Saved");
        if (!clip) return;
        this.#savedStamp = clip.stamp;
        this.#known.set(edit.id, { id: edit.id, version: this.saver.versionOf(edit.id), ...bodyOf(edit) });
        // An event brings the clip, and later what is made of it: this response may arrive after both.
    }

    // Other tabs

    /** Looks at the open edit again when its clip has another stamp. */
    async #watch() {
        const id = this.#edit?.id;
        const stamp = this.#media(id)?.stamp;
        if (!id || !stamp || stamp === this.#stamp) return;
        this.#stamp = stamp;
        await this.saver.flush();
        if (stamp === this.#savedStamp) return;
        const answer = await api.edit(id);
        if (answer.ok) this.#adopt(answer.value);
    }

    /** Takes a newer version of the open edit, unless it was changed here too: then saving it tells of both. */
    #adopt(/** @type {KeptEdit | undefined} */ found) {
        const edit = this.#edit;
        const isNewer = edit && found?.id === edit.id && (found.version ?? 1) > this.saver.versionOf(edit.id);
        if (!isNewer || !this.saver.has(edit)) return;
        this.listeners.onEdit(this.#received(found));
        announce(`${found.name} was changed in another tab.`);
    }

    /** Replaces another tab's version of an edit by the one of this page. */
    async keep(/** @type {Edit} */ edit) {
        await this.saver.flush();
        const answer = await api.edit(edit.id);
        this.#tell(answer);
        if (!answer.ok) return;
        this.#received(answer.value);
        this.saver.want(edit);
        await this.saver.flush();
    }
}
