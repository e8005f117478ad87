// The menu of commands on a stretch of the curve: hold, speed, ramp, rewind, reverse.

import { announce } from "../../shared/elements/announce.js";
import { byId } from "../../shared/elements/dom.js";
import { clockText, frameLength, parseDuration } from "../../shared/times.js";
import { clamped, factorOf } from "../../shared/numbers.js";
import { MARGIN, placeInWindow } from "../../shared/elements/placing.js";
import { draw, view } from "../../shared/elements/view.js";
import { isTimed } from "../app/draft.js";
import { LARGEST_SPEED, LEAST_SPEED } from "./keyframe-edits.js";
import { held, ramped, reversed, rewound, sped } from "./keyframe-commands.js";
import { knotsOf, SAME } from "./keyframe-pictures.js";

/**
 * @typedef {import("./types").Commanded} Commanded
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("./types").Stretch} Stretch
 * @typedef {import("./types").Retimed} Retimed
 */

/**
 * A command of the menu. `value`: the text that it begins with, null for a command without one; `read`: the number that the
 * text says, or null; `act`: null if it can't be done; `why`: why not.
 * @typedef {{
 *     name: string, title: string, label: string, value: string | null, hint: string,
 *     read: (text: string, frameRate: number) => number | null,
 *     act: (curve: Retimed, number: number) => Commanded | null,
 *     said: (text: string) => string, why: (curve: Retimed) => string,
 * }} Command
 */

const whyStill = () => "A freeze has no speed: choose a stretch that moves.";

/** @type {(text: string) => number | null} a speed such as `50%`, `0.5`, `1/2` or `2×`: 0, or not below the slowest */
function speedIn(text) {
    const speed = factorOf(text);
    return speed === 0 || (speed >= LEAST_SPEED && speed <= LARGEST_SPEED) ? speed : null;
}

/** @type {Command[]} */
const COMMANDS = [{
    name: "hold", title: "Hold", label: "Hold the frame at the playhead for", value: "2s",
    hint: "A time above 0, such as 2s, 60f or 1:30.",
    read: (text, frameRate) => parseDuration(text, frameRate) || null,
    act: ({ keyframes, playhead, source, stretchBy }, seconds) => {
        const real = stretchBy(seconds);
        return real === null ? null : held(keyframes, playhead, real, source);
    },
    said: (text) => `Held for ${text}.`, why: () => "The exact length is shorter than that.",
}, {
    name: "speed", title: "Set speed", label: "Play the stretch at", value: "50%",
    hint: "A speed from 1% to 1000, such as 50%, 0.5 or 2×.",
    read: (text) => speedIn(text) || null,
    act: ({ keyframes, stretch, source }, speed) => sped(keyframes, stretch, speed, source),
    said: (text) => `The stretch plays at ${text}.`, why: whyStill,
}, {
    name: "ramp", title: "Ramp", label: "Ramp over the stretch to", value: "25%",
    hint: "A speed from 0 to 1000, such as 25%, 0.25 or 2×; 0 stops.",
    read: speedIn,
    act: ({ keyframes, stretch, source }, speed) => ramped(keyframes, stretch, speed, source),
    said: (text) => `The stretch ramps to ${text}.`, why: whyStill,
}, {
    name: "rewind", title: "Rewind", label: "Rewind after the stretch, then play it again; rewind at", value: "2×",
    hint: "A speed from 1% to 1000, such as 200%, 2 or 2×.",
    read: (text) => speedIn(text) || null,
    act: ({ keyframes, stretch, source }, speed) => rewound(keyframes, stretch, speed, source),
    said: (text) => `The stretch is rewound at ${text}.`, why: whyStill,
}, {
    name: "reverse", title: "Reverse", label: "Play the stretch backwards, then what follows", value: null, hint: "",
    read: () => 1,
    act: ({ keyframes, stretch, source, isFit }) => (isFit ? null : reversed(keyframes, stretch, source)),
    said: () => "The stretch plays backwards.",
    why: ({ isFit }) => (isFit ? "A film with cuts says itself how long it is: turn Exact length off first." : whyStill()),
}];

export class RetimeMenu {
    /** @type {Record<string, string>} what was typed last, by command */
    #texts = Object.fromEntries(COMMANDS.map(({ name, value }) => [name, value ?? ""]));
    /** @type {{ name: string, text: string } | null} */
    #problem = null;
    #isBusy = false;

    /**
     * @param {import("../app/store.js").Store} store
     * @param {import("./types").RetimeActions} acts
     */
    constructor(store, acts) {
        this.store = store;
        this.acts = acts;
        this.menu = byId("retime-menu");
        this.button = byId("retime");
        this.button.addEventListener("click", () => this.toggle());
        this.menu.addEventListener("toggle", () => {
            this.button.setAttribute("aria-expanded", String(this.#isOpen));
            if (!this.#isOpen) this.#problem = null;
        });
        for (const kind of /** @type {const} */ (["draft", "evaluation"])) store.on(kind, () => this.show());
        this.show();
    }

    get #isOpen() {
        return this.menu.matches(":popover-open");
    }

    /** Opens the menu below its button, or closes it. */
    toggle() {
        if (this.#isOpen) this.menu.hidePopover();
        else this.open();
    }

    /** Opens the menu at a point of the window, or else below its button. */
    open(/** @type {{ x: number, y: number } | undefined} */ point = undefined) {
        if (this.button.hidden) return;
        const { left, bottom } = this.button.getBoundingClientRect();
        this.menu.showPopover();
        this.show();
        const { x, y } = point ?? { x: left, y: bottom + MARGIN / 2 };
        placeInWindow(this.menu, x, y);
        const field = this.menu.querySelector("input");
        field?.focus({ preventScroll: true });
        field?.select();
    }

    // Showing

    show() {
        const { draft, clip, evaluation } = this.store;
        this.button.hidden = draft.task !== "warp" || !clip || !evaluation;
        if (this.button.hidden && this.#isOpen) this.menu.hidePopover();
        if (!this.#isOpen) return;
        const curve = draft.warp.kind === "keyframes" && draft.warp.keyframes
            ? this.#curveOf(draft.warp.keyframes) : null;
        draw(this.menu,
            view("p", { class: "retime-stretch" }, curve ? stretchText(curve, evaluation?.sourceStart ?? 0)
                : "The curve becomes keyframes."),
            curve && !curve.isSelected && view("p", { class: "hint" },
                "Select keyframes on both sides of the playhead for another stretch."),
            ...COMMANDS.map((command) => this.#row(command)),
            view("p", { class: "error", role: "alert" }, this.#problem?.text ?? ""));
    }

    #row(/** @type {Command} */ command) {
        const { name, title, label, value } = command, id = `retime-${name}`;
        return view("form", {
            key: name, class: "retime-row", onsubmit: (/** @type {Event} */ event) => {
                event.preventDefault();
                this.#run(command);
            },
        },
        value === null ? view("span", { id }, label) : view("label", { for: id }, label),
        value !== null && view("input", {
            id, type: "text", class: "short", value: this.#texts[name], spellcheck: "false", autocomplete: "off",
            "aria-invalid": String(this.#problem?.name === name), oninput: (/** @type {Event} */ { target }) => {
                this.#texts[name] = /** @type {HTMLInputElement} */ (target).value;
            },
        }),
        view("button", { type: "submit", class: "small", "aria-describedby": value === null ? id : null }, title));
    }

    // Doing

    /**
     * What a command works on: the stretch is what the selected keyframes span, if the playhead is in it, or else the piece
     * that the playhead is in.
     * @type {(keyframes: Keyframe[]) => Retimed}
     */
    #curveOf(keyframes) {
        const { clip, evaluation, draft: { warp } } = this.store;
        const duration = evaluation?.sourceDuration ?? clip?.duration ?? 0;
        const isOutput = isTimed(keyframes), { knots, length } = knotsOf(keyframes, duration);
        const places = knots.map(({ source, output }) => (isOutput ? output : source));
        const whole = isOutput ? length : duration;
        // With an exact length, the output is that many times as long as the keyframes say.
        const ratio = warp.fit.on && evaluation ? evaluation.outputDuration / length : 1;
        const position = this.acts.position();
        const playhead = clamped(isOutput ? (position?.output ?? 0) / ratio
            : (position?.source ?? 0) - (evaluation?.sourceStart ?? 0), 0, whole);
        const selected = this.acts.selected().map((i) => places[i]).filter(Number.isFinite);
        const [low, high] = [Math.min(...selected), Math.max(...selected)], near = frameLength(clip?.video?.frameRate);
        const ends = [0, ...places, whole];
        const isSelected = selected.length > 1 && playhead > low - near && playhead < high + near;
        const stretch = isSelected ? { from: low, to: high } : {
            from: Math.max(...ends.filter((end) => end <= playhead && end < whole - SAME)),
            to: Math.min(...ends.filter((end) => end > Math.min(playhead, whole - 2 * SAME) + SAME)),
        };
        return {
            keyframes, playhead, stretch, isSelected, isOutput, ratio, isFit: warp.fit.on,
            source: { duration, frameRate: 1 / near },
            // All is multiplied by one number, so a longer part makes the others shorter.
            stretchBy: (seconds) => (!warp.fit.on ? seconds
                : seconds < length * ratio ? seconds * length / (length * ratio - seconds) : null),
        };
    }

    async #run(/** @type {Command} */ command) {
        const { name, hint, read, act, said } = command, text = this.#texts[name].trim();
        const { evaluation, clip } = this.store;
        const number = read(text, evaluation?.averageFrameRate ?? 1 / frameLength(clip?.video?.frameRate));
        if (number === null) return this.#say(name, hint);
        if (this.#isBusy) return;
        this.#isBusy = true;
        const made = await this.acts.keyframes();
        this.#isBusy = false;
        if (!made) return;
        const curve = this.#curveOf(made.keyframes), result = act(curve, number);
        if (!result) return this.#say(name, command.why(curve));
        this.store.edit({ warp: { ...made, keyframes: result.keyframes } });
        this.menu.hidePopover();
        announce(said(text));
        await this.store.settled();
        this.acts.select(result.selected);
    }

    #say(/** @type {string} */ name, /** @type {string} */ text) {
        this.#problem = { name, text };
        this.show();
    }
}

/** @type {(curve: Retimed, origin: number) => string} */
function stretchText({ stretch: { from, to }, isOutput, ratio }, origin) {
    const [start, end] = [from, to].map((each) => clockText(isOutput ? each * ratio : origin + each));
    return `Stretch: ${start} to ${end} of the ${isOutput ? "output" : "clip"}`;
}
