// The page of the stories: connects the lists, the graph, the fields, the text and the film.

import { announce, announceProgress } from "../shared/elements/announce.js";
import { api, latestOf, NOT_ALLOWED, watchStatus } from "../shared/api.js";
import { byId } from "../shared/elements/dom.js";
import { listen } from "../shared/events.js";
import { icon, placeIcons } from "../shared/elements/icons.js";
import { listenToKeys } from "../shared/elements/keys.js";
import { createNotice } from "../shared/elements/notice.js";
import { draw, view } from "../shared/elements/view.js";
import { ClipList } from "./clip-list.js";
import { createNewStory } from "./new-story.js";
import { SegmentPanel, timesOf } from "./segment-panel.js";
import { addChoice, addSegment, pathFrom } from "./story-edits.js";
import { StoryEditor } from "./story-editor.js";
import { StoryFilm } from "./story-film.js";
import { StoryGraph } from "./story-graph.js";
import { StoryPanel } from "./story-panel.js";
import { StoryText } from "./story-text.js";
import { StoryTimes } from "./story-times.js";

/** @typedef {import("../shared/server").Story} Story */

class Stories {
    /** @type {import("../shared/server").WorkspaceFile[]} */
    list = [];
    folder = "";
    /** Whether the folder has more files than were looked at. */
    isCut = false;
    /** @type {Story | null} */
    story = null;
    /** @type {Map<string | undefined, number>} how often each story was built while the page was open, by id */
    #editions = new Map();
    /** @type {string | null} the id of the story that was asked for last */
    #wanted = null;
    /** @type {string | null} */
    #chosen = null;
    /** @type {string | null} */
    #playing = null;
    /** @type {(fraction: number) => void} */
    #say = () => {};
    #fail = createNotice("error-stories");
    #failBuild = createNotice("error-build");
    #ask = latestOf(api.listStories);

    constructor() {
        placeIcons(document);
        this.editor = new StoryEditor((story) => {
            this.story = story;
            this.show();
        });
        this.clips = new ClipList({ onAdd: (files) => this.#add(files), onClips: () => this.#mark() });
        this.createStory = createNewStory(() => this.clips.clips, (story) => this.#show(story));
        this.graph = new StoryGraph({
            onChoose: (name) => (name === null ? this.#mark(name) : this.#choose(name)),
            onLink: (from, to) => this.#link(from, to),
            onClip: (file, from) => this.#add([file], from),
        });
        this.segment = new SegmentPanel({
            editor: this.editor, onChoose: (name) => this.#mark(name),
            media: () => this.clips.clips.map(({ file }) => pathFrom(file, this.story?.name ?? "")),
        });
        this.whole = new StoryPanel(this.editor);
        this.text = new StoryText({
            onChoose: ({ segment }) => {
                this.#mark(segment ?? null);
                this.graph.reveal(segment);
            },
            onWrite: (text) => this.editor.write(text),
        });
        this.film = new StoryFilm((segment) => {
            this.#playing = segment;
            this.#mark();
            this.graph.reveal(segment);
        });
        this.times = new StoryTimes(this.editor);
        const turn = (/** @type {"undo" | "redo"} */ way) => async () => this.#fail(await this.editor[way]());
        byId("undo").addEventListener("click", turn("undo"));
        byId("redo").addEventListener("click", turn("redo"));
        listenToKeys({ "Ctrl+z": turn("undo"), "Ctrl+Shift+z": turn("redo"), "Ctrl+y": turn("redo") });
        byId("build").addEventListener("click", () => this.#build());
        byId("cancel-build").addEventListener("click", () => this.story && api.cancelStory(this.story.id));
        // The author edits the file in another window, and comes back to see what came of it.
        addEventListener("focus", () => this.refresh());
        addEventListener("hashchange", () => this.#open(decodeURIComponent(location.hash.slice(1))));
        this.show();
    }

    async start() {
        watchStatus((status) => {
            if (status === 401 || status === 403) this.#fail(NOT_ALLOWED);
        });
        await Promise.all([this.#fetchList(), this.clips.fetch()]);
        const name = decodeURIComponent(location.hash.slice(1));
        await this.#open(this.list.some((each) => each.name === name) ? name : this.list[0]?.name);
        document.documentElement.dataset.ready = "true";
        listen({
            hello: async () => {
                await this.refresh();
                document.documentElement.dataset.listens = "true";
            },
            story: ({ id, build }) => this.#onBuild(id, build),
            media: (media) => this.clips.note(media),
        }, (isThere) => {
            byId("connection").textContent = isThere ? "" : "Connection lost, trying again…";
            byId("connection").classList.toggle("lost", !isThere);
        });
    }

    async #fetchList() {
        const answer = await this.#ask();
        if (!answer) return;
        if (answer.ok) ({ stories: this.list, folder: this.folder, isCut: this.isCut } = answer.value);
        this.#fail(answer.ok ? "" : answer.error.message);
        this.#showList();
    }

    async refresh() {
        await Promise.all([this.#fetchList(), this.clips.fetch()]);
        // Another story may have been chosen that hasn't come yet.
        if (this.#wanted) await this.#fetch(this.#wanted);
        else if (this.list.length > 0) await this.#open(this.list[0].name);
    }

    async #open(/** @type {string | undefined} */ name) {
        const entry = this.list.find((each) => each.name === name);
        if (!entry || entry.id === this.#wanted) return;
        this.#chosen = null;
        history.replaceState(null, "", `#${encodeURIComponent(entry.name)}`);
        await this.#fetch(entry.id);
        announce(`${this.story?.title ?? entry.name}.`);
    }

    async #fetch(/** @type {string} */ id) {
        this.#wanted = id;
        const answer = await api.story(id);
        // Meanwhile another story may have been opened.
        if (this.#wanted !== id) return;
        if (!answer.ok) {
            this.#wanted = null;
            this.#fail(answer.error.message);
            this.story = null;
        } else {
            this.story = answer.value;
        }
        this.editor.show(this.story);
        this.show();
    }

    /** Shows a story that was made here. */
    async #show(/** @type {Story} */ story) {
        await this.#fetchList();
        await this.#open(story.name);
    }

    // Changing

    /** Makes segments of files, or a story if there is none; after a segment, a choice leads there. */
    async #add(/** @type {string[]} */ files, /** @type {string | null} */ from = null) {
        if (!this.story && files.length > 0) await this.createStory("New story", files);
        else for (const file of files) await this.#addOne(pathFrom(file, this.story?.name ?? ""), from);
    }

    async #addOne(/** @type {string} */ media, /** @type {string | null} */ from) {
        let added = "";
        const failure = await this.editor.edit((story) => {
            const { name, changes } = addSegment(story, media);
            added = name;
            const isKnown = from !== null && Object.hasOwn(story.segments, from);
            return [...changes, ...isKnown ? addChoice(story, from, name, timesOf(this.story, from)) : []];
        }, "A segment was added.");
        this.#fail(failure);
        if (failure) return;
        this.#mark(from ?? added);
        this.graph.reveal(added);
    }

    async #link(/** @type {string} */ from, /** @type {string} */ to) {
        const failure = await this.editor.edit((story) => {
            const isThere = Object.hasOwn(story.segments, from);
            return isThere ? addChoice(story, from, to, timesOf(this.story, from)) : [];
        }, `A choice leads from ${from} to ${to}.`);
        this.#fail(failure);
        if (failure) return;
        this.#mark(from);
        // Its label is what an author writes next.
        const label = [...document.querySelectorAll(".choice-label")].at(-1);
        if (label instanceof HTMLInputElement) label.select();
    }

    /** Goes to a segment: in the text, and in the film if there is one. */
    async #choose(/** @type {string} */ name) {
        this.#mark(name);
        const { story } = this;
        this.text.go(story?.segments.find((each) => each.name === name)?.line
            ?? story?.findings.find((each) => each.segment === name)?.line);
        const isThere = await this.film.jump(name);
        announce(isThere ? `Playing ${name}.` : `${name} is chosen.`);
    }

    /** Shows which segment is chosen, and what can be changed of it. */
    #mark(name = this.#chosen) {
        this.#chosen = name;
        this.graph.mark(name, this.#playing);
        this.times.show(this.story, name);
        this.segment.show(this.story, name);
        this.whole.show(byId("segment-panel").hidden);
    }

    // Building

    async #build() {
        if (byId("build").getAttribute("aria-disabled") === "true") {
            announce(byId("walk-note").textContent ?? "");
            return;
        }
        if (!this.story) return;
        const answer = await api.buildStory(this.story.id);
        this.#failBuild(answer.ok ? "" : answer.error.message);
        if (answer.ok) announce("The story is being built.");
        this.#say = announceProgress((tenths) => `Building, ${10 * tenths} percent.`);
    }

    /** @param {string} id @param {import("../shared/server").StoryBuild} build */
    async #onBuild(id, build) {
        if (build.state === "built") this.#editions.set(id, (this.#editions.get(id) ?? 0) + 1);
        if (!this.story || id !== this.story.id) return;
        this.story = { ...this.story, build };
        this.#showBuild();
        if (build.state === "building") return;
        if (build.state === "failed") this.#failBuild(build.notes.join(" "));
        else announce(build.state === "built" ? "The story is built." : "The build was cancelled.");
        await this.#fetch(id);
    }

    // Showing

    show() {
        const { story } = this;
        byId("graph-summary").textContent = story?.graph ? summary(story) : "";
        byId("command").textContent = story?.command ?? "";
        byId("undo").setAttribute("aria-disabled", String(!this.editor.canUndo));
        byId("redo").setAttribute("aria-disabled", String(!this.editor.canRedo));
        this.graph.show(story);
        this.text.show(story);
        this.film.show(story, this.#editions.get(story?.id) ?? 0);
        this.#mark();
        this.#showBuild();
        this.#showList();
    }

    #showBuild() {
        const { story } = this;
        const build = story?.build;
        const isBuilding = build?.state === "building";
        const hasErrors = story?.findings.some(({ severity }) => severity === "error");
        const button = byId("build");
        button.hidden = !story || isBuilding;
        button.setAttribute("aria-disabled", String(Boolean(hasErrors)));
        button.textContent = typeof story?.isCurrent === "boolean" ? "Build again" : "Build";
        button.classList.toggle("primary", story?.isCurrent !== true && !hasErrors);
        byId("walk-note").textContent = !story || isBuilding ? "" : hasErrors
            ? "Fix the errors before building."
            : story.isCurrent === false ? "The story has changed since it was built." : "";
        byId("building").hidden = !isBuilding;
        if (isBuilding) {
            const { segment, number = 0, count = 1, fraction = 0 } = build;
            const done = Math.max(0, number - 1 + fraction) / count;
            byId("building-bar").value = done;
            byId("building-text").textContent = segment
                ? `${segment}, segment ${number} of ${count}` : "Beginning…";
            this.#say(done);
        }
        byId("error-build").textContent = build?.state === "failed" ? build.notes.join(" ") : "";
    }

    #showList() {
        const rows = this.list.map(({ id, name }) => view("li", { class: "row-item", key: id },
            view("button", {
                type: "button", class: "pick", "data-act": "choose", onclick: () => this.#open(name),
                "aria-current": id === this.story?.id ? "true" : null, title: name,
            }, icon("file"), view("span", { class: "name" }, name))));
        const hints = [
            rows.length === 0 ? `There is no story file in ${this.folder} yet. Make one of some clips.` : null,
            this.isCut ? "The folder has more files than are looked through." : null,
        ].map((text) => text && view("li", { class: "hint" }, text));
        draw(byId("stories"), ...rows, ...hints);
    }
}

function summary(/** @type {Story} */ { title, segments, findings }) {
    /** @type {(number: number, word: string) => string} */
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    return [title, count(segments.length, "segment"),
        findings.length > 0 ? count(findings.length, "finding") : "nothing wrong"].join(" · ");
}

new Stories().start();
