// Changes of a story's file: one after another, each with the text before it, so that it is undone.

import { announce } from "../shared/elements/announce.js";
import { api } from "../shared/api.js";

/**
 * @typedef {import("../shared/server").Story} Story
 * @typedef {import("./types").StoryText} StoryText
 * @typedef {{ changes?: import("./types").Change[], text?: string }} Body
 */

/** How many changes can be undone. */
const MOST = 100;

export class StoryEditor {
    /** @type {Story | null} */
    #story = null;
    /** @type {StoryText | null} */
    #text = null;
    /** @type {Promise<unknown>} the change that is being made */
    #last = Promise.resolve();
    /** @type {string[]} the texts before the last changes, and those after changes that were undone */
    #before = [];
    /** @type {string[]} */
    #after = [];

    /** @param {(story: Story) => void} onStory called with the story after a change */
    constructor(onStory) {
        this.onStory = onStory;
    }

    /** The text of the story; null if it can't be changed here, because it is no story yet, or too long. */
    get text() {
        return this.#text;
    }

    get canUndo() {
        return this.#before.length > 0;
    }

    get canRedo() {
        return this.#after.length > 0;
    }

    show(/** @type {Story | null} */ story) {
        // Another program's change isn't taken back with one's own.
        if (story?.id !== this.#story?.id || story?.version !== this.#story?.version) [this.#before, this.#after] = [[], []];
        this.#take(story);
    }

    #take(/** @type {Story | null} */ story) {
        this.#story = story;
        this.#text = story?.graph && story.text !== undefined ? JSON.parse(story.text) : null;
    }

    /**
     * @param {import("./types").Edit} edit
     * @param {string} words what was done, to be read out
     * @returns {Promise<string>} why it wasn't done; empty if it was
     */
    edit(edit, words) {
        return this.#next(async () => {
            if (!this.#text) return "The file is too long to be changed here, or isn't a story yet.";
            const changes = edit(this.#text);
            return changes.length === 0 ? "" : this.#change({ changes }, words);
        });
    }

    /**
     * Writes the whole text.
     * @param {string} text
     * @returns {Promise<string>} why it wasn't done; empty if it was
     */
    write(text) {
        return this.#next(() => this.#change({ text }, "The file was written."));
    }

    /** @param {Body} body @param {string} words */
    async #change(body, words) {
        const before = this.#story?.text ?? "";
        const failure = await this.#send(body);
        if (failure) return failure;
        this.#before = [...this.#before.slice(1 - MOST), before];
        this.#after = [];
        return this.#done(words);
    }

    undo() {
        return this.#next(() => this.#turn(this.#before, this.#after, "Undone."));
    }

    redo() {
        return this.#next(() => this.#turn(this.#after, this.#before, "Done again."));
    }

    /** Goes to the last text of one list, and puts the one that is left into the other. */
    async #turn(/** @type {string[]} */ from, /** @type {string[]} */ to, /** @type {string} */ words) {
        const text = from.at(-1), now = this.#story?.text;
        if (text === undefined || now === undefined) return "";
        const failure = await this.#send({ text });
        if (failure) return failure;
        from.pop();
        to.push(now);
        return this.#done(words);
    }

    /** @param {Body} body */
    async #send(body) {
        if (!this.#story) return "";
        const { id, version } = this.#story;
        const answer = await api.changeStory(id, { version, ...body });
        if (!answer.ok) return answer.error.message;
        // Another story may have been chosen meanwhile.
        if (this.#story.id === id) this.#take(answer.value);
        return "";
    }

    #done(/** @type {string} */ words) {
        announce(words);
        if (this.#story) this.onStory(this.#story);
        return "";
    }

    /** @param {() => Promise<string>} work */
    #next(work) {
        const next = this.#last.then(work);
        this.#last = next.catch(() => {});
        return next;
    }
}
