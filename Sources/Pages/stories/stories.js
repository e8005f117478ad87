// The page of the stories: connects the list, the graph, the text and the film.

import { announce, announceProgress } from "../shared/elements/announce.js";
import { api, latestOf, NOT_ALLOWED, watchStatus } from "../shared/api.js";
import { byId } from "../shared/elements/dom.js";
import { listen } from "../shared/events.js";
import { icon } from "../shared/elements/icons.js";
import { createNotice } from "../shared/elements/notice.js";
import { draw, view } from "../shared/elements/view.js";
import { StoryFilm } from "./story-film.js";
import { StoryGraph } from "./story-graph.js";
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
        this.graph = new StoryGraph((name) => this.#choose(name));
        this.text = new StoryText(({ segment }) => {
            this.#chosen = segment ?? null;
            this.#mark();
            this.graph.reveal(segment);
        });
        this.film = new StoryFilm((segment) => {
            this.#playing = segment;
            this.#mark();
            this.graph.reveal(segment);
        });
        this.times = new StoryTimes((story) => {
            this.story = story;
            this.show();
        });
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
        await this.#fetchList();
        const name = decodeURIComponent(location.hash.slice(1));
        await this.#open(this.list.some((each) => each.name === name) ? name : this.list[0]?.name);
        document.documentElement.dataset.ready = "true";
        listen({
            hello: () => this.refresh(),
            story: ({ id, build }) => this.#onBuild(id, build),
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
        await this.#fetchList();
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
        this.show();
    }

    /** Goes to a segment: in the text, and in the film if there is one. */
    async #choose(/** @type {string} */ name) {
        this.#chosen = name;
        this.#mark();
        const { story } = this;
        this.text.go(story?.segments.find((each) => each.name === name)?.line
            ?? story?.findings.find((each) => each.segment === name)?.line);
        const isThere = await this.film.jump(name);
        announce(isThere ? `Playing ${name}.` : `${name} is chosen.`);
    }

    #mark() {
        this.graph.mark(this.#chosen, this.#playing);
        this.times.show(this.story, this.#chosen);
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
            rows.length === 0 ? `There is no story file in ${this.folder} yet. Put one there, with its media.` : null,
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
