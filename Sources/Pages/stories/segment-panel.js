// What a segment is, and what follows it: the fields beside the graph. Each change is written into the story file at once.

import { byId, iconButton } from "../shared/elements/dom.js";
import { createNotice } from "../shared/elements/notice.js";
import { draw, view } from "../shared/elements/view.js";
import { clockText } from "../shared/times.js";
import { field, menu, textField } from "./story-fields.js";
import {
    AGAIN, addChoice, addEvent, followerOf, remove, removeChoice, removeSegment, renameSegment, set, setFollower, setOrRemove,
    SHOW, TO,
} from "./story-edits.js";
import { partOf } from "./story-times.js";

/**
 * @typedef {import("../shared/elements/view.js").View} View
 * @typedef {import("../shared/server").Story} Story
 * @typedef {import("./types").StoryText} StoryText
 * @typedef {import("./types").Segment} Segment
 * @typedef {import("./types").Choice} Choice
 */

/** @type {[string, string][]} */
const ROLES = [
    ["", "Intermediate"], ["prologue", "Prologue"], ["winning", "Winning"], ["losing", "Losing"], ["epilogue", "Epilogue"],
];
/** The events that the player itself handles, and what the buttons for them say. @type {[string, string][]} */
const CUES = [[SHOW, "Show choices"], ["hideControls", "Hide choices"], ["decide", "Decide"]];

/** Where events are put that come late in a segment. */
const LATE = 0.8;

/**
 * When choices of a segment are shown, unless its author says when, and when it has events: seconds of its media file.
 * @type {(story: Story | null, name: string) => { showAt: number, times: number[] }}
 */
export function timesOf(story, name) {
    const times = story?.segments.find((each) => each.name === name)?.times;
    const [from, to] = partOf(times);
    return { showAt: (from + to) / 2, times: times?.events.map(({ at }) => at) ?? [] };
}

export class SegmentPanel {
    /**
     * @param {{
     *     editor: import("./story-editor.js").StoryEditor, media: () => string[],
     *     onChoose: (name: string | null) => void,
     * }} parts `media`: the paths that a segment may play, from the story's folder; `onChoose`: another segment is to be
     *     shown, or none
     */
    constructor({ editor, media, onChoose }) {
        this.editor = editor;
        this.media = media;
        this.onChoose = onChoose;
        this.host = byId("segment-fields");
        this.say = createNotice("error-segment");
        this.#listen();
    }

    /** @param {Story | null} story @param {string | null} name of the chosen segment */
    show(story, name) {
        const text = this.editor.text;
        const segment = name === null ? undefined : text?.segments[name];
        byId("segment-panel").hidden = !segment;
        if (!story || !text || !segment || name === null) return;
        byId("segment-title").textContent = name;
        byId("segment-start").hidden = text.start === name;
        draw(this.host, ...this.#found(story, name), this.#own(text, name, segment), 
            ...this.#choices(story, text, name, segment),
            this.#follower(text, name, segment), this.#events(story, name, segment));
    }

    /** @param {import("./types").Edit} edit @param {string} words */
    async edit(edit, words) {
        const failure = await this.editor.edit(edit, words);
        this.say(failure);
        return failure === "";
    }

    /** @type {(story: Story, name: string) => View[]} the findings about a segment */
    #found({ findings }, name) {
        const own = findings.filter(({ segment }) => segment === name);
        return own.length === 0 ? [] : [view("ul", { class: "segment-findings" },
            ...own.map(({ severity, message }) => view("li", { class: `is-${severity}` }, message)))];
    }

    /** @type {(text: StoryText, name: string, segment: Segment) => View} */
    #own(text, name, segment) {
        const path = ["segments", name];
        /** @type {[string, string][]} */
        const files = [...new Set([segment.media, ...this.media()])].map((file) => [file, file.split("/").at(-1) ?? file]);
        return view("div", { class: "story-fields" },
            field("Name", textField(name, (to) => this.#rename(text, name, to), { maxlength: 200 })),
            field("Scene", textField(segment.title ?? "", (title) => this.edit(
                (now) => setOrRemove(now.segments[name], title, ...path, "title"), "The scene's title was changed."),
            { placeholder: name, maxlength: 200 }), "The title that viewers see"),
            field("Role", menu(segment.role ?? "", ROLES, (role) => this.edit(
                (now) => setOrRemove(now.segments[name], role, ...path, "role"), "The role was changed."))),
            field("Clip", menu(segment.media, files, (media) => this.edit(
                () => [set(media, ...path, "media")], `${name} plays another clip.`), { title: segment.media })),
            field("Dissolve", textField(String(segment.dissolve ?? ""), (time) => this.edit(
                (now) => setOrRemove(now.segments[name], time, ...path, "dissolve"), "The dissolve was changed."),
            { placeholder: "none: a cut" }), "Seconds for which it dissolves with the segment before"));
    }

    /** @type {(text: StoryText, name: string, to: string) => boolean} whether the name can be changed */
    #rename({ segments }, name, to) {
        if (to === "" || to === name) return false;
        if (Object.hasOwn(segments, to)) {
            this.say(`There is a segment ${to} already.`);
            return false;
        }
        this.edit((now) => renameSegment(now, name, to), `${name} is called ${to}.`)
            .then((isDone) => isDone && this.onChoose(to));
        return true;
    }

    /** @type {(story: Story, text: StoryText, name: string, segment: Segment) => View[]} */
    #choices(story, text, name, { choices = [] }) {
        const names = Object.keys(text.segments);
        return [
            view("h3", {}, "Choices"),
            view("ol", { class: "choices" }, ...choices.map((choice, index) => this.#choice(text, name, choice, index))),
            view("div", { class: "story-fields" }, field("Add", menu("", [
                ["", "A choice that leads to…"], ...names.map((each) => /** @type {[string, string]} */ ([each, each])),
            ], (to) => to !== "" && this.edit(
                (now) => addChoice(now, name, to, timesOf(story, name)), `A choice leads to ${to}.`), { id: "add-choice" }))),
        ];
    }

    /** @type {(text: StoryText, name: string, choice: Choice, index: number) => View} */
    #choice(text, name, choice, index) {
        const path = ["segments", name, "choices", index];
        const number = `choice ${index + 1}`;
        const names = [...new Set([choice.goto, ...Object.keys(text.segments)])];
        const change = (/** @type {keyof Choice} */ key) => (/** @type {string | boolean} */ value) => this.edit((now) => (
            setOrRemove(now.segments[name].choices?.[index] ?? {}, value, ...path, key)), `The ${number} was changed.`);
        return view("li", { class: "choice" },
            view("div", { class: "choice-head" },
                textField(choice.label, (label) => label !== "" && void change("label")(label), {
                    "aria-label": `Label of ${number}`, class: "choice-label", maxlength: 200,
                }),
                iconButton("trash", `Remove ${number}`, () => this.edit(
                    (now) => removeChoice(now, name, index), "The choice was removed."))),
            view("div", { class: "story-fields" },
                field("Leads to", menu(choice.goto, names.map((each) => [each, each]), change("goto"))),
                field("Key", textField(choice.key ?? "", change("key"), {
                    maxlength: 1, class: "short", placeholder: String(index + 1),
                }), "A key that takes it; the number always does"),
                field("If", textField(String(choice.when ?? ""), change("when"), { placeholder: "always", class: "formula" }),
                    "A formula of the variables, such as courage > 1"),
                ...Object.keys(text.variables ?? {}).map((variable) => this.#assignment(name, index, choice, variable)),
                view("label", { class: "switch" }, view("input", {
                    type: "checkbox", checked: choice.immediately ?? false,
                    onchange: (/** @type {Event} */ { target }) => change("immediately")(
                        /** @type {HTMLInputElement} */ (target).checked),
                }), "At once, not where the segment decides")));
    }

    /** @type {(name: string, index: number, choice: Choice, variable: string) => View} the new value of a variable */
    #assignment(name, index, choice, variable) {
        const path = ["segments", name, "choices", index, "set"];
        return field(`${variable} =`, textField(String(choice.set?.[variable] ?? ""), (formula) => this.edit((now) => {
            const old = now.segments[name].choices?.[index].set;
            if (formula === "") {
                return old && Object.hasOwn(old, variable)
                    ? [remove(...path, ...Object.keys(old).length === 1 ? [] : [variable])] : [];
            }
            return [old ? set(formula, ...path, variable) : set({ [variable]: formula }, ...path)];
        }, `${variable} was changed.`), { placeholder: "as it is", class: "formula" }),
        `The value of ${variable} after this choice, such as ${variable} + 1`);
    }

    /** @type {(text: StoryText, name: string, segment: Segment) => View} */
    #follower(text, name, segment) {
        const hasChoices = (segment.choices ?? []).length > 0;
        const value = followerOf(segment);
        const names = new Set([...value.startsWith(TO) ? [value.slice(TO.length)] : [], ...Object.keys(text.segments)]);
        return view("div", { class: "story-fields" }, field(hasChoices ? "Otherwise" : "Then", menu(value, [
            ["", hasChoices ? "wait at its end" : "the story ends"], [AGAIN, "play it again"],
            ...[...names].map((each) => /** @type {[string, string]} */ ([TO + each, `go to ${each}`])),
        ], (to) => this.edit((now) => setFollower(now, name, to), "What follows was changed.")),
        hasChoices ? "What happens if nobody chooses" : "What follows at its end"));
    }

    /** @type {(story: Story, name: string, segment: Segment) => View} */
    #events(story, name, { events = [] }) {
        const times = story.segments.find((each) => each.name === name)?.times;
        const [from, to] = partOf(times), { showAt, times: others } = timesOf(story, name);
        const path = ["segments", name, "events"];
        const add = (/** @type {string} */ cue) => this.edit((now) => addEvent(
            now, name, cue, cue === SHOW ? showAt : from + LATE * (to - from), others), "Drag the event on the frames.");
        return view("div", { class: "segment-events" },
            view("h3", {}, "Events"),
            view("ul", {}, ...events.map((event, index) => view("li", {},
                textField(event.do, (cue) => cue !== "" && void this.edit(
                    () => [set(cue, ...path, index, "do")], "The event was changed."),
                { "aria-label": `Name of event ${index + 1}` }),
                view("span", { class: "event-time" }, clockText(times?.events[index]?.at ?? 0)),
                iconButton("trash", `Remove event ${index + 1}, ${event.do}`, () => this.edit(
                    (now) => [remove(...path, ...now.segments[name].events?.length === 1 ? [] : [index])],
                    "The event was removed."))))),
            times && view("p", { class: "event-acts" }, ...CUES.map(([cue, label]) => view("button", {
                type: "button", class: "small", onclick: () => add(cue),
            }, label)), view("button", { type: "button", class: "small", onclick: () => add("event") }, "Other…")));
    }

    /** The buttons in the panel's head act on the segment that is shown. */
    #listen() {
        byId("segment-start").addEventListener("click", () => {
            const name = byId("segment-title").textContent ?? "";
            this.edit(() => [set(name, "start")], `The story begins with ${name}.`);
        });
        byId("segment-remove").addEventListener("click", async () => {
            const name = byId("segment-title").textContent ?? "";
            if (Object.keys(this.editor.text?.segments ?? {}).length === 1) {
                return this.say("A story has at least one segment.");
            }
            if (await this.edit((now) => removeSegment(now, name), `${name} was removed.`)) this.onChoose(null);
        });
        byId("segment-close").addEventListener("click", () => this.onChoose(null));
    }
}
