// What the page knows: the draft and its history, what it comes to, and the server's lists.

import { edited, freshHistory, redone, undone } from "./history.js";
import { changed, freshDraft, orderOf } from "./order.js";

export class Store {
    /** @type {import("./history.js").History<object>} */
    history = freshHistory(freshDraft());
    /** The server's answer to the newest order it could evaluate; null before the first. */
    evaluation = null;
    /** The order that `evaluation` belongs to. */
    evaluated = null;
    /** What is wrong with the present order; null if nothing. */
    error = null;
    media = [];
    renders = [];
    curves = [];
    kinds = [];
    /** What was removed: an event or a list that was on its way meanwhile may still name it. */
    #removed = new Set();
    #listeners = new Map();

    /**
     * @param {"draft" | "evaluation" | "media" | "renders" | "curves" | "kinds"} kind
     * @param {() => void} listener
     */
    on(kind, listener) {
        this.#listeners.set(kind, [...this.#listeners.get(kind) ?? [], listener]);
    }

    tell(kind) {
        for (const listener of this.#listeners.get(kind) ?? []) listener();
    }

    get draft() {
        return this.history.present;
    }

    /** The clip that the draft is about; null if there is none, or it is gone. */
    get clip() {
        return this.media.find(({ id }) => id === this.draft.media) ?? null;
    }

    /** What the draft stands for; null without a clip. */
    get order() {
        return this.clip ? orderOf(this.draft, this.clip.duration) : null;
    }

    /**
     * @param {object | ((draft: object) => object)} change members to replace, or what makes a new
     *     draft of the old one
     * @param {{ gesture?: string, final?: boolean }} [how] see history.js
     */
    edit(change, how) {
        const draft = typeof change === "function"
            ? change(this.draft) : changed(this.draft, change);
        this.#setHistory(edited(this.history, draft, how));
    }

    /** Puts a draft in place without a step to undo: where the page starts with it. */
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

    /** @param {object} answer of POST /api/evaluate */
    setEvaluation(answer, order) {
        this.error = answer.ok ? null : answer.error;
        if (answer.ok) {
            this.evaluation = answer.value;
            this.evaluated = order;
        }
        this.tell("evaluation");
    }

    clearEvaluation() {
        this.evaluation = this.evaluated = this.error = null;
        this.tell("evaluation");
    }

    /** A list as the server has it now. */
    setList(kind, list) {
        this[kind] = list.filter(({ id }) => !this.#removed.has(id));
        this.tell(kind);
    }

    /** One that is new or has changed; new ones come first. */
    put(kind, item) {
        const isKnown = this[kind].some(({ id }) => id === item.id);
        this.setList(kind, isKnown
            ? this[kind].map((each) => (each.id === item.id ? item : each))
            : [item, ...this[kind]]);
    }

    /** One that an answer told of: what events have told of it meanwhile is newer. */
    add(kind, item) {
        if (!this[kind].some(({ id }) => id === item.id)) this.put(kind, item);
    }

    /** Identities are never used again. */
    remove(kind, id) {
        this.#removed.add(id);
        this.setList(kind, this[kind]);
    }
}
