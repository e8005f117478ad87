// The page's state: the draft and its history, its evaluation, and the server's lists.

import { edited, freshHistory, redone, replaced, undone } from "./history.js";
import { changed, freshDraft, withMedia } from "./draft.js";
import { requestOf } from "./job.js";
import { withRange } from "../keyframes/keyframe-range.js";

/**
 * @typedef {import("../types").Draft} Draft
 * @typedef {import("../types").Lists} Lists
 * @typedef {import("../../shared/types").Request} Request
 * @typedef {"draft" | "evaluation" | keyof Lists} Kind
 */

export class Store {
    /** @type {import("./history.js").History<Draft>} */
    history = freshHistory(freshDraft());
    /** @type {import("../types").Evaluation | null} of the newest valid request; null before the first */
    evaluation = null;
    /** @type {Request | null} the request that `evaluation` belongs to */
    evaluated = null;
    /** @type {import("../../shared/types").Failure | null} the error in the present request */
    error = null;
    /** @type {Request | null} the request of the last evaluation, which may have failed */
    #answered = null;
    media = /** @type {Lists["media"][]} */ ([]);
    renders = /** @type {Lists["renders"][]} */ ([]);
    curves = /** @type {Lists["curves"][]} */ ([]);
    /** @type {Set<string>} ids of removed items: an event or a list sent before may still contain them */
    #removed = new Set();
    /** @type {Map<Kind, (() => void)[]>} */
    #listeners = new Map();
    /** @type {(() => void)[]} what waits for the next change of anything */
    #waiting = [];

    /**
     * @param {Kind} kind
     * @param {() => void} listener
     */
    on(kind, listener) {
        this.#listeners.set(kind, [...this.#listeners.get(kind) ?? [], listener]);
    }

    /** @param {Kind} kind */
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
     * @param {import("../types").DraftChange | ((draft: Draft) => Draft)} change members to replace, or a function that
     *     makes a new draft from the old one
     * @param {import("../types").How} [how] see history.js
     */
    edit(change, how) {
        const draft = typeof change === "function" ? change(this.draft) : changed(this.draft, change);
        this.#setHistory(edited(this.history, draft, how));
    }

    /**
     * Chooses a clip. Nothing is changed by that, so there is nothing to undo.
     * @param {string} media
     * @param {Draft} [draft] that of the clip, if it isn't the one in which the clip was left
     */
    choose(media, draft = withMedia(this.draft, media)) {
        if (media !== this.draft.media) this.#setHistory(replaced(this.history, draft));
    }

    /**
     * Sets which part of the clip is used.
     * @param {Draft["range"]} range
     * @param {import("../types").How} [how]
     */
    setRange(range, how) {
        this.edit((draft) => withRange(draft, range, this.clip), how);
    }

    /** Sets the draft with which the page starts; it can't be undone. */
    begin(/** @type {Draft} */ draft) {
        this.#setHistory(freshHistory(draft));
    }

    /** @type {(steps: { past: Draft[], future: Draft[] }) => void} takes over the steps that led to the draft */
    remember({ past, future }) {
        this.#setHistory({ ...this.history, past, future });
    }

    undo() {
        this.#setHistory(undone(this.history));
    }

    redo() {
        this.#setHistory(redone(this.history));
    }

    /** @param {import("./history.js").History<Draft>} history */
    #setHistory(history) {
        const hasChanged = history.present !== this.history.present
            || history.past.length !== this.history.past.length;
        this.history = history;
        if (hasChanged) this.tell("draft");
    }

    /**
     * @param {import("../../shared/types").Answer<import("../types").Evaluation>} answer
     * @param {Request} request
     */
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
        while (!isSettled()) {
            await new Promise((/** @type {(value?: undefined) => void} */ resolve) => this.#waiting.push(resolve));
        }
    }

    /** @type {<Kind extends keyof Lists>(kind: Kind) => Lists[Kind][]} */
    #list = (kind) => /** @type {any} */ (this[kind]);

    /**
     * Replaces a list by the server's.
     * @template {keyof Lists} Kind
     * @param {Kind} kind
     * @param {Lists[Kind][]} list
     */
    setList(kind, list) {
        Object.assign(this, { [kind]: list.filter(({ id }) => !this.#removed.has(id)) });
        this.tell(kind);
    }

    /**
     * Adds or replaces an item; new items come first.
     * @template {keyof Lists} Kind
     * @param {Kind} kind
     * @param {Lists[Kind]} item
     */
    put(kind, item) {
        const list = this.#list(kind);
        this.setList(kind, list.some(({ id }) => id === item.id)
            ? list.map((each) => (each.id === item.id ? item : each)) : [item, ...list]);
    }

    /**
     * Adds an item from a response, unless an event has added it already: the event's is newer.
     * @template {keyof Lists} Kind
     * @param {Kind} kind
     * @param {Lists[Kind]} item
     */
    add(kind, item) {
        if (!this.#list(kind).some(({ id }) => id === item.id)) this.put(kind, item);
    }

    /**
     * Removes an item. Its id isn't used again, unless it is brought back.
     * @param {keyof Lists} kind
     * @param {string} id
     */
    remove(kind, id) {
        this.#removed.add(id);
        this.setList(kind, this.#list(kind));
    }

    /** Lists that are fetched from now on have nothing of what was removed. */
    forgetRemoved() {
        this.#removed.clear();
    }

    /**
     * Shows an item again that was removed.
     * @template {keyof Lists} Kind
     * @param {Kind} kind
     * @param {Lists[Kind]} item
     */
    bringBack(kind, item) {
        this.#removed.delete(item.id);
        this.put(kind, item);
    }
}
