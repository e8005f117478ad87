// Saves edits at the server: one request after another, each with the newest state and the version that it was made
// from.

import { api } from "../../shared/api.js";
import { bodyOf, editOf, textOf } from "./edit-draft.js";

/** An edit is saved after this many milliseconds without a change. */
const PAUSE = 500;

/**
 * @typedef {import("./types").Edit} Edit
 * @typedef {import("../../shared/types").Media} Media
 * @typedef {import("../../shared/types").Answer<Media>} Answer
 */

/** @param {Answer} answer */
const isConflict = (answer) => !answer.ok && answer.error.status === 409;

export class EditSaver {
    /** @type {Map<string, { version: number, text: string }>} what the server has, by the id of the edit */
    #known = new Map();
    /** @type {Map<string, Edit>} the edits that have changed since, by id */
    #wanted = new Map();
    /** @type {Map<string, string>} the texts that the server refused, by id: they aren't sent again */
    #refused = new Map();
    /**
     * The texts that the server perhaps has, because the connection broke before its response, by id.
     * @type {Map<string, string>}
     */
    #unsure = new Map();
    /** @type {Map<string, string>} the texts that are under way, by id */
    #sent = new Map();
    #timer = 0;
    #last = Promise.resolve();

    /**
     * @param {{ onChange: () => void, onSaved: (edit: Edit, clip: Media | null) => void,
     *     onFailure: (error: import("../../shared/types").Failure) => void }} listeners
     */
    constructor(listeners) {
        this.listeners = listeners;
        addEventListener("pagehide", () => this.#flushAtOnce());
        document.addEventListener("visibilitychange", () => document.hidden && this.flush());
    }

    /** The server has this edit. */
    knows(/** @type {Edit} */ edit, version = 1) {
        this.#known.set(edit.id, { version, text: textOf(edit) });
        this.#wanted.delete(edit.id);
        this.#refused.delete(edit.id);
    }

    /** Whether the server has an edit as it is. */
    has(/** @type {Edit} */ edit) {
        return this.#known.get(edit.id)?.text === textOf(edit);
    }

    /** Whether something isn't saved yet. */
    get isBehind() {
        return this.#wanted.size > 0 || this.#sent.size > 0;
    }

    /** The version that the server has; 0 if it isn't known. */
    versionOf(/** @type {string} */ id) {
        return this.#known.get(id)?.version ?? 0;
    }

    /** Saves an edit soon, if it has changed. */
    want(/** @type {Edit} */ edit) {
        const text = textOf(edit);
        const wanted = this.#wanted.get(edit.id);
        const last = wanted ? textOf(wanted) : this.#sent.get(edit.id) ?? this.#known.get(edit.id)?.text;
        if (last === text || this.#refused.get(edit.id) === text) return;
        this.#wanted.set(edit.id, edit);
        this.listeners.onChange();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.flush(), PAUSE);
    }

    /** Saves what isn't saved yet. @returns {Promise<void>} resolved when all requests have their responses */
    flush() {
        for (const edit of this.#taken()) {
            // At once: until the request is sent, nobody else shall want the same.
            this.#sent.set(edit.id, textOf(edit));
            this.#last = this.#last.then(() => this.#save(edit));
        }
        return this.#last;
    }

    /** The page is being closed, and can't wait for anything. */
    #flushAtOnce() {
        for (const edit of this.#taken()) {
            // While another version is under way, which one the server has isn't known.
            const basis = this.#sent.has(edit.id) ? 0 : this.versionOf(edit.id);
            api.saveEdit(edit.id, { ...bodyOf(edit), basis: basis || undefined }, true);
        }
    }

    #taken() {
        clearTimeout(this.#timer);
        const edits = [...this.#wanted.values()];
        this.#wanted.clear();
        return edits;
    }

    async #save(/** @type {Edit} */ edit) {
        let answer = this.has(edit) ? null : await this.#send(edit);
        if (answer && isConflict(answer) && await this.#isOwn(edit.id)) answer = await this.#send(edit);
        // Meanwhile a newer state may be under way.
        if (this.#sent.get(edit.id) === textOf(edit)) this.#sent.delete(edit.id);
        if (!answer) {
            this.listeners.onSaved(edit, null);
            return;
        }
        if (answer.ok) {
            this.#known.set(edit.id, { version: this.versionOf(edit.id) + 1, text: textOf(edit) });
            this.listeners.onSaved(edit, answer.value);
            return;
        }
        // What failed because the server couldn't be reached is sent again when the edit is shown again.
        if (answer.error.status === 0) this.#unsure.set(edit.id, textOf(edit));
        else this.#refused.set(edit.id, textOf(edit));
        this.listeners.onFailure(answer.error);
    }

    #send(/** @type {Edit} */ edit) {
        return api.saveEdit(edit.id, { ...bodyOf(edit), basis: this.versionOf(edit.id) || undefined });
    }

    /** Whether the version that the server has is one that this page sent, but whose response didn't arrive. */
    async #isOwn(/** @type {string} */ id) {
        const answer = await api.edit(id);
        if (!answer.ok) return false;
        const text = textOf(editOf(answer.value));
        if (text !== this.#unsure.get(id)) return false;
        this.#known.set(id, { version: answer.value.version ?? 1, text });
        return true;
    }
}
