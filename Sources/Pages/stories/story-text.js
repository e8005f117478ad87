// The findings of a story, and the text of its file with each finding at its place.

import { byId } from "../shared/elements/dom.js";
import { draw, view } from "../shared/elements/view.js";

/**
 * @typedef {import("../shared/elements/view.js").View} View
 * @typedef {import("../shared/server").Story} Story
 * @typedef {Story["findings"][0]} Finding
 */

/** Only so many lines are shown: the page would become slow with more. */
const MOST_LINES = 5000;

export class StoryText {
    #shown = "";

    constructor(/** @type {(finding: Finding) => void} */ onChoose) {
        this.host = byId("text");
        this.onChoose = onChoose;
    }

    show(/** @type {Story | null} */ story) {
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
        this.host.hidden = !story;
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
