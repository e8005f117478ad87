// The findings of a story, and the text of its file with each finding at its place, which may be written here, too.

import { byId } from "../shared/elements/dom.js";
import { createNotice } from "../shared/elements/notice.js";
import { draw, view } from "../shared/elements/view.js";

/**
 * @typedef {import("../shared/elements/view.js").View} View
 * @typedef {import("../shared/server").Story} Story
 * @typedef {Story["findings"][0]} Finding
 */

/** Only this many lines are shown: the page would become slow with more. */
const MOST_LINES = 5000;

export class StoryText {
    #shown = "";

    /** @type {Story | null} */
    #story = null;
    /** @type {string | null} the id of the story whose text is being written */
    #written = null;

    /**
     * @param {{
     *     onChoose: (finding: Finding) => void, onWrite: (text: string) => Promise<string>,
     * }} acts `onWrite` returns why the text wasn't written; empty if it was
     */
    constructor({ onChoose, onWrite }) {
        this.host = byId("text");
        this.field = byId("written-text");
        this.onChoose = onChoose;
        const say = createNotice("error-text");
        const end = () => {
            say("");
            this.#write(null);
        };
        byId("edit-text").addEventListener("click", () => {
            this.field.value = this.#story?.text ?? "";
            this.#write(this.#story?.id ?? null);
            this.field.focus();
        });
        byId("cancel-text").addEventListener("click", end);
        byId("save-text").addEventListener("click", async () => {
            const failure = await onWrite(this.field.value);
            if (failure) say(failure);
            else end();
        });
    }

    /** Shows the field in place of the text, or ends that. */
    #write(/** @type {string | null} */ id) {
        this.#written = id;
        const isWriting = id !== null;
        byId("edit-text").hidden = isWriting || this.#story?.text === undefined;
        byId("save-text").hidden = byId("cancel-text").hidden = this.field.hidden = !isWriting;
        this.host.hidden = isWriting || !this.#story;
    }

    show(/** @type {Story | null} */ story) {
        this.#story = story;
        this.#write(story && this.#written === story.id ? story.id : null);
        const key = JSON.stringify([story?.id, story?.text, story?.findings]);
        if (key === this.#shown) return;
        this.#shown = key;
        byId("file-name").textContent = story?.name ?? "";
        byId("no-findings").hidden = !story || story.findings.length > 0;
        const findings = story?.findings ?? [];
        draw(byId("findings"), ...findings.map((each) => view("li", {}, this.#finding(each, story?.name ?? ""))));
        const lines = story?.text?.split("\n") ?? [];
        const isCut = lines.length > MOST_LINES || (story && story.text === undefined);
        draw(this.host,
            view("ol", {}, ...lines.slice(0, MOST_LINES).map((line, index) => lineOf(line, index + 1, findings))),
            isCut && view("p", { class: "hint" }, "The rest of the file is too long to be shown."));
    }

    /** @type {(finding: Finding, name: string) => View} */
    #finding(finding, name) {
        const { severity, line, column, path, message } = finding;
        const place = line ? `${name}:${line}:${column}` : name;
        return view("button", {
            type: "button", class: `finding is-${severity}`, onclick: () => {
                this.go(line);
                this.onChoose(finding);
            },
        },
        view("span", {}, view("span", { class: "severity" }, severity === "error" ? "Error" : "Warning"),
            ` ${message}`),
        view("span", { class: "place" }, path ? `${place} · ${path}` : place));
    }

    /** Shows a line of the file. */
    go(/** @type {number | undefined} */ number) {
        for (const each of this.host.querySelectorAll("[aria-current]")) {
            each.removeAttribute("aria-current");
        }
        const line = number ? this.host.querySelector("ol")?.children[number - 1] : null;
        if (!line) return;
        line.setAttribute("aria-current", "true");
        const { host } = this;
        host.scrollTop += line.getBoundingClientRect().top - host.getBoundingClientRect().top
            - host.clientHeight / 3;
    }
}

/** @type {(text: string, number: number, findings: Finding[]) => View} */
function lineOf(text, number, findings) {
    const here = findings.filter(({ line }) => line === number);
    const isWrong = here.some(({ severity }) => severity === "error");
    const caret = here.length > 0 && `${" ".repeat(Math.max(0, (here[0].column ?? 1) - 1))}^`;
    return view("li", {
        class: isWrong ? "found" : here.length > 0 ? "warned" : null,
        title: here.map(({ message }) => message).join("\n") || null,
    }, text === "" ? " " : text, caret && view("span", { class: "caret", "aria-hidden": true }, caret));
}
