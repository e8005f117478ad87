// Stretching sound to match another recording: finding the drift by sound, and anchors that are set by hand.

import { announce } from "../../shared/elements/announce.js";
import { api, versionKey } from "../../shared/api.js";
import { byId, iconButton } from "../../shared/elements/dom.js";
import { createMenu, setShown } from "../../shared/elements/fields.js";
import { short } from "../../shared/format-numbers.js";
import { withAnchor } from "./match-line.js";
import { MatchView } from "./match-view.js";
import { durationText, lengthText, parseDuration } from "../../shared/times.js";
import { draw, restore, view } from "../../shared/elements/view.js";

/**
 * @typedef {import("./types").Anchor} Anchor
 * @typedef {import("./types").How} How
 * @typedef {import("./types").MatchResponse} MatchResponse
 * @typedef {import("../types").Media} Media
 * @typedef {import("../../shared/elements/view.js").View} View
 */

export class MatchPanel {
    /** @type {Map<string, MatchResponse>} what the comparison of two clips found, by both of them */
    #found = new Map();
    /** @type {Map<string, import("./types").Waveform | null>} null while it is fetched */
    #waveforms = new Map();
    /** @type {string | null} the key of the comparison that is under way */
    #asked = null;
    #said = "";

    /**
     * @param {import("../app/store.js").Store} store
     * @param {() => void} putOnPicture makes an edit of the other recording's picture with the sound that was matched
     */
    constructor(store, putOnPicture) {
        this.store = store;
        byId("match-onto").addEventListener("click", putOnPicture);
        this.view = new MatchView(byId("match"), {
            onAnchors: (anchors, how) => this.#setAnchors(anchors, how),
            onSay: (text) => this.#say(text, true),
        });
        this.showReference = createMenu("match-reference", (reference) =>
            this.#edit({ reference: reference || null, anchors: null, length: null, isMatched: false }));
        byId("match-start").addEventListener("click", () => this.#compare("match"));
        byId("like-start").addEventListener("click", () => this.#compare("like"));
        for (const kind of /** @type {const} */ (["draft", "media"])) store.on(kind, () => this.show());
        this.show();
    }

    get #stretch() {
        return this.store.draft.stretch;
    }

    get #isUsed() {
        return this.store.draft.task === "stretch" && this.#stretch.to === "match" && this.store.clip !== null;
    }

    get #others() {
        const { clip, media } = this.store;
        return media.filter(({ id, audio }) => audio && id !== clip?.id);
    }

    get #reference() {
        return this.#others.find(({ id }) => id === this.#stretch.reference) ?? null;
    }

    /** Tells pairs of clips apart, and files that were changed. */
    get #key() {
        const { clip } = this.store;
        return JSON.stringify([clip, this.#reference].map((each) => each && versionKey(each)));
    }

    #edit(/** @type {Partial<import("../types").StretchDraft>} */ change, /** @type {How} */ how = {}) {
        this.#said = "";
        this.store.edit({ stretch: change }, how);
    }

    /** Anchors that are set by hand are no longer those that were found; the output ends with the sound then. */
    #setAnchors(/** @type {Anchor[]} */ anchors, /** @type {How} */ how) {
        this.#edit({ anchors, length: null, isMatched: false }, how);
    }

    async #compare(/** @type {"match" | "like"} */ way) {
        const reference = this.#reference, { clip } = this.store;
        if (!clip || !reference || this.#asked) return;
        const key = this.#asked = this.#key;
        this.#say("Comparing the sound…", true);
        this.show();
        const answer = await api.match({ media: clip.id, reference: reference.id, way });
        this.#asked = null;
        // Meanwhile the user may have chosen other clips.
        if (key === this.#key && this.#isUsed) {
            if (answer.ok) this.#take(answer.value, way, reference.name);
            else this.#say(answer.error.message, true);
        }
        this.show();
    }

    /** @type {(found: MatchResponse, way: "match" | "like", name: string) => void} */
    #take(found, way, name) {
        const { anchors, duration } = found;
        this.#found.set(this.#key, found);
        this.store.edit({ stretch: { anchors: way === "match" ? anchors : null, length: duration, isMatched: true } });
        this.#say(foundText(found, name), true);
    }

    // Showing

    show() {
        const { clip } = this.store;
        setShown("stretch-match", this.#stretch.to === "match");
        byId("plot-panel").classList.toggle("is-match", this.#isUsed);
        byId("plot-title").textContent = this.#isUsed ? "Match" : "Curve";
        setShown("match", this.#isUsed);
        setShown("plot", !this.#isUsed);
        if (!this.#isUsed || !clip) {
            this.view.show(null);
            return;
        }
        /** @type {[string, string][]} */
        const choices = [["", "Choose…"]];
        for (const { id, name } of this.#others) choices.push([id, name]);
        this.showReference(this.#reference?.id ?? "", choices);
        for (const id of /** @type {const} */ (["match-start", "like-start"])) {
            byId(id).setAttribute("aria-disabled", String(!this.#reference || this.#asked !== null));
        }
        const { name = "", video = null } = this.#reference ?? {};
        setShown("match-onto", this.#stretch.isMatched && video !== null);
        byId("match-onto").textContent = `Put on ${name}`;
        const found = this.#found.get(this.#key);
        const anchors = this.#stretch.anchors ?? [];
        this.view.show({
            recording: this.#lane(clip), reference: this.#reference && this.#lane(this.#reference),
            anchors, windows: found?.agreement?.windows ?? [],
        });
        this.#showTable(anchors);
        this.#showState(found);
    }

    /** @returns {import("./types").Lane} */
    #lane(/** @type {Media} */ clip) {
        const key = versionKey(clip);
        if (!this.#waveforms.has(key) && clip.analysis === "ready") this.#fetchWaveform(clip.id, key);
        return {
            key, name: clip.name, duration: clip.duration, waveform: this.#waveforms.get(key) ?? null,
            load: async (level, tile) => {
                const answer = await api.waveformTile(clip.id, level, tile);
                return answer.ok ? answer.value : null;
            },
        };
    }

    /** @param {string} id @param {string} key */
    async #fetchWaveform(id, key) {
        this.#waveforms.set(key, null);
        const answer = await api.waveform(id);
        if (answer.ok) this.#waveforms.set(key, answer.value);
        else this.#waveforms.delete(key);
        if (answer.ok) this.show();
    }

    #showState(/** @type {MatchResponse | undefined} */ found) {
        const { isMatched } = this.#stretch;
        if (this.#said) this.#say(this.#said);
        else if (isMatched && found && this.#reference) this.#say(foundText(found, this.#reference.name));
        else this.#say("");
    }

    #say(/** @type {string} */ text, isNew = false) {
        if (isNew) {
            this.#said = text;
            if (text) announce(text);
        }
        const state = byId("match-state");
        if (state.textContent !== text) state.textContent = text;
    }

    /** The anchors as a table, for typing. */
    #showTable(/** @type {Anchor[]} */ anchors) {
        setShown("anchors-table", anchors.length > 0);
        draw(byId("anchors"), ...anchors.map((anchor, index) => view("tr", { key: anchor.join(" ") },
            ...anchor.map((time, column) => view("td", {}, this.#field(anchors, index, column, time))),
            view("td", {}, iconButton("trash", `Remove anchor ${index + 1}`, () =>
                this.#setAnchors(anchors.toSpliced(index, 1), { final: true }))))));
    }

    /** @type {(anchors: Anchor[], index: number, column: number, time: number) => View} */
    #field(anchors, index, column, time) {
        const name = column === 0 ? "in the recording" : "in the output";
        return view("input", {
            type: "text", class: "short", value: durationText(time), spellcheck: "false", autocomplete: "off",
            "data-act": name, "aria-label": `Anchor ${index + 1} ${name}`, onfocus: () => this.view.select(index),
            onchange: (/** @type {Event} */ { currentTarget }) => {
                const field = /** @type {HTMLInputElement} */ (currentTarget);
                const seconds = signed(field.value);
                const [source, output] = anchors[index];
                const put = seconds === null ? null
                    : withAnchor(anchors, column === 0 ? [seconds, output] : [source, seconds], index);
                field.setAttribute("aria-invalid", String(put === null));
                if (put) this.#setAnchors(put.anchors, { final: true });
                else this.#say("A time such as 12.5 or 1:30 that keeps the anchors in order, please.", true);
                if (put) restore(field);
            },
        });
    }
}

/** A time that may lie before zero; null if the text isn't one. */
function signed(/** @type {string} */ text) {
    const [, sign = "", rest = ""] = /^\s*([-−]?)(.*)$/.exec(text) ?? [];
    const seconds = parseDuration(rest);
    return seconds === null ? null : sign ? -seconds : seconds;
}

/** @type {(found: MatchResponse, name: string) => string} */
function foundText({ agreement, partsPerMillion, millisecondsPerHour, notes }, name) {
    const drift = short(Math.abs(millisecondsPerHour) / 1000);
    const clock = `The clocks drift apart by ${drift} s an hour (${short(partsPerMillion)} ppm).`;
    const where = agreement && `The recording begins ${lengthText(Math.abs(agreement.offset))} `
        + `${agreement.offset < 0 ? "before" : "into"} ${name}.`;
    const how = agreement && `${agreement.windowsMatched} of ${agreement.windowCount} windows of sound agree, `
        + `to within ${short(1000 * agreement.residual)} ms.`;
    const others = notes.map((note) => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`);
    return [where, clock, how, ...others].filter(Boolean).join(" ");
}
