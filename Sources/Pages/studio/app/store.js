// The page's state: the draft and its history, its evaluation, and the server's lists.

import { edited, freshHistory, redone, undone } from "./history.js";
import { changed, freshDraft } from "./draft.js";
import { requestOf } from "./job.js";

export class Store {
    /** @type {import("./history.js").History<object>} */
    history = freshHistory(freshDraft());
    /** The evaluation of the newest valid request; null before the first. */
    evaluation = null;
    /** The request that `evaluation` belongs to. */
    evaluated = null;
    /** The error in the present request; null if there is none. */
    error = null;
    /** The request of the last evaluation, which may have failed. */
    #answered = null;
    media = [];
    renders = [];
    curves = [];
    kinds = [];
    /** The ids of removed items: an event or a list sent before the removal may still contain them. */
    #removed = new Set();
    #listeners = new Map();
    /** What waits for the next change of anything. */
    #waiting = [];

    /**
     * @param {"draft" | "evaluation" | "media" | "renders" | "curves" | "kinds"} kind
     * @param {() => void} listener
     */
    on(kind, listener) {
        this.#listeners.set(kind, [...this.#listeners.get(kind) ?? [], listener]);
    }

    tell(kind) {
        for (const resolve of this.#waiting.splice(0)) resolve();
        for (const listener of this.#listeners.get(kind) ?? []) listener();
    }

    get draft() {
        return this.history.present;
    }

    /** The draft's clip; null if there is none, or it was removed. */
    get clip() {
        return this.media.find(({ id }) => id === this.draft.media) ?? null;
    }

    /** The draft's request; null without a clip. */
    get request() {
        return this.clip ? requestOf(this.draft, this.clip) : null;
    }

    /**
     * @param {object | ((draft: object) => object)} change members to replace, or a function that makes a
     *     new draft from the old one
     * @param {{ gesture?: string, final?: boolean }} [how] see history.js
     */
    edit(change, how) {
        const draft = typeof change === "function"
            ? change(this.draft) : changed(this.draft, change);
        this.#setHistory(edited(this.history, draft, how));
    }

    /** Sets the draft with which the page starts; it can't be undone. */
    begin(draft) {
        this.#setHistory(freshHistory(draft));
    }

    undo() {
        this.#setHistory(undone(this.history));
    }

    redo() {
        this.#setHistory(redone(this.history));
    }

    #setHistory(history) {
        const hasChanged = history.present !== this.history.present
            || history.past.length !== this.history.past.length;
        this.history = history;
        if (hasChanged) this.tell("draft");
    }

    /** @param {object} answer the response of POST /api/evaluate */
    setEvaluation(answer, request) {
        this.#answered = request;
        this.error = answer.ok ? null : answer.error;
        if (answer.ok) {
            this.evaluation = answer.value;
            this.evaluated = request;
        }
        this.tell("evaluation");
    }

    clearEvaluation() {
        this.evaluation = this.evaluated = this.error = this.#answered = null;
        this.tell("evaluation");
    }

    /** Resolves once the present request has been evaluated: at once if it is, or if there is no clip. */
    async settled() {
        const isSettled = () => !this.request || JSON.stringify(this.request) === JSON.stringify(this.#answered);
        while (!isSettled()) await new Promise((resolve) => this.#waiting.push(resolve));
    }

    /** Replaces a list by the server's. */
    setList(kind, list) {
        this[kind] = list.filter(({ id }) => !this.#removed.has(id));
        this.tell(kind);
    }

    /** Adds or replaces an item; new items come first. */
    put(kind, item) {
        const isKnown = this[kind].some(({ id }) => id === item.id);
        this.setList(kind, isKnown
            ? this[kind].map((each) => (each.id === item.id ? item : each))
            : [item, ...this[kind]]);
    }

    /** Adds an item from a response, unless an event has added it already: the event's is newer. */
    add(kind, item) {
        if (!this[kind].some(({ id }) => id === item.id)) this.put(kind, item);
    }

    /** Removes an item. Its id isn't used again, unless it is brought back. */
    remove(kind, id) {
        this.#removed.add(id);
        this.setList(kind, this[kind]);
    }

    /** Lists that are fetched from now on have nothing of what was removed. */
    forgetRemoved() {
        this.#removed.clear();
    }

    /** Shows an item again that was removed. */
    bringBack(kind, item) {
        this.#removed.delete(item.id);
        this.put(kind, item);
    }
}
