// Which sound's beats the plot shows, and "Hit the beat": bringing the selected keyframe onto one.

import { announce } from "../../shared/elements/announce.js";
import { api, versionKey } from "../../shared/api.js";
import { atMultiple, isMultiple, nearestTime, tempoText } from "./beat-times.js";
import { byId } from "../../shared/elements/dom.js";
import { createMenu, setShown } from "../../shared/elements/fields.js";
import { exactlyPlaced, placesOf } from "../keyframes/keyframe-edits.js";
import { curveLength, outputOf } from "../../shared/playing/plot-map.js";
import { isFlipped } from "../app/draft.js";
import { segmentOf, withSegmentOf } from "../app/job.js";

/** Nearer than this a keyframe is on a beat, in seconds. */
const ON = 0.0005;

/**
 * @typedef {import("./types").Evaluation} Evaluation
 * @typedef {import("./types").FoundBeats} FoundBeats
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("../types").Media} Media
 */

/** Where a tab keeps at which multiples of their tempos beats are. */
const TEMPOS = "timewarp:tempos";

/** The choices that aren't clips. */
const NONE = "none", OWN = "own";

export class BeatsPanel {
    /** "none", "own" for the clip's own sound, or the id of the clip whose sound goes with the output. */
    choice = NONE;
    /** @type {Map<string, FoundBeats | string>} by clip and its version: the beats found, or the message of an error */
    #found = new Map();
    /** @type {Set<string>} */
    #asked = new Set();
    /** @type {Map<string, number>} by clip and its version: how many times the found tempo the beats have */
    #multiples = new Map(JSON.parse(sessionStorage.getItem(TEMPOS) ?? "[]"));
    /** @type {number[]} */
    #selected = [];
    /** Ends the last search for how a keyframe hits a beat: only one counts. */
    #hitting = new AbortController();

    /**
     * @param {import("../app/store.js").Store} store
     * @param {{ onChange: () => void, onKeyframes: (keyframes: Keyframe[], final: boolean) => void }} acts
     */
    constructor(store, acts) {
        this.store = store;
        this.acts = acts;
        this.showMenu = createMenu("beats", (choice) => this.choose(choice));
        this.button = byId("hit");
        this.button.addEventListener("click", () => this.hit());
        byId("tempo-half").addEventListener("click", () => this.#multiply(1 / 2));
        byId("tempo-double").addEventListener("click", () => this.#multiply(2));
        for (const kind of /** @type {const} */ (["media", "draft", "evaluation"])) store.on(kind, () => this.show());
        this.show();
    }

    choose(/** @type {string} */ choice) {
        this.choice = choice;
        this.show();
        this.acts.onChange();
    }

    /** @param {number[]} indexes of the selected keyframes */
    select(indexes) {
        this.#selected = indexes;
        this.#showButton();
    }

    // Which beats

    get #others() {
        const { clip, media } = this.store;
        return media.filter(({ id, audio }) => audio && id !== clip?.id);
    }

    /** The clip whose sound is listened to; null if there is none. */
    get #heard() {
        const { clip } = this.store;
        if (this.choice === OWN) return clip?.audio ? clip : null;
        return this.#others.find(({ id }) => id === this.choice) ?? null;
    }

    /** What is known of the beats of the sound that is listened to. */
    get #known() {
        const key = this.#heard && versionKey(this.#heard);
        const found = key ? this.#found.get(key) : undefined;
        return key && typeof found === "object" ? atMultiple(found, this.#multiples.get(key) ?? 1) : found;
    }

    /** People hear some music at half or twice the tempo that was found. */
    #multiply(/** @type {number} */ by) {
        const key = this.#heard && versionKey(this.#heard);
        const multiple = by * (key && this.#multiples.get(key) || 1);
        if (!key || !isMultiple(multiple)) return;
        this.#multiples.set(key, multiple);
        sessionStorage.setItem(TEMPOS, JSON.stringify([...this.#multiples]));
        this.#kept = null;
        this.show();
        this.acts.onChange();
    }

    /** @returns {import("./types").Beats | null} */
    get beats() {
        const found = this.#known;
        return typeof found === "object" ? { ...found, over: this.choice === OWN ? "source" : "output" } : null;
    }

    async #find(/** @type {Media} */ clip) {
        const key = versionKey(clip);
        if (this.#asked.has(key)) return;
        this.#asked.add(key);
        const answer = await api.beats(clip.id);
        if (answer.ok) {
            this.#found.set(key, answer.value);
        } else {
            this.#found.set(key, answer.error.message);
            // What failed because the server couldn't be reached is asked again at the next choice.
            if (answer.error.status === 0) this.#asked.delete(key);
        }
        this.#kept = null;
        this.show();
        this.acts.onChange();
    }

    /** @type {{ key: string, beats: import("./types").Beats | null } | null} what `beats` gave last, and for what */
    #kept = null;

    /** The beats to draw: the same object as long as they are the same. */
    get shown() {
        const key = `${this.choice} ${this.#heard && versionKey(this.#heard)}`;
        if (this.#kept?.key !== key) this.#kept = { key, beats: this.beats };
        return this.#kept.beats;
    }

    show() {
        const { clip } = this.store;
        /** @type {[string, string][]} */
        const choices = [[NONE, "No beats"]];
        if (clip?.audio) choices.push([OWN, "Beats: this clip"]);
        for (const { id, name } of this.#others) choices.push([id, `Beats: ${name}`]);
        setShown("beats-label", choices.length > 1);
        this.showMenu(choices.some(([value]) => value === this.choice) ? this.choice : NONE, choices);
        const heard = this.#heard;
        // Of an edit that was changed, a copy is made first.
        if (heard && heard.analysis !== "waiting") this.#find(heard);
        const found = this.#known;
        if (!heard) this.#say("");
        else if (found === undefined) this.#say("Listening…");
        else if (typeof found === "string") this.#say(found);
        // The server omits the tempo of what has no beat.
        else if (!found.tempo) this.#say("No steady beat");
        else this.#say(tempoText(found.tempo), false);
        setShown("tempo-by", typeof found === "object" && Boolean(found.tempo));
        this.#showButton();
    }

    /** Shows the tempo, or a sentence instead of it. */
    #say(/** @type {string} */ text, isText = true) {
        const figure = byId("tempo");
        setShown("tempo-figure", text !== "");
        figure.classList.toggle("is-text", isText);
        if (figure.textContent !== text) figure.textContent = text;
    }

    // Hitting a beat

    get #keyframes() {
        const { draft: { task, warp } } = this.store;
        return task === "warp" && warp.kind === "keyframes" ? warp.keyframes : null;
    }

    #showButton() {
        const isPossible = this.#keyframes !== null && (this.shown?.beats.length ?? 0) > 0;
        this.button.hidden = !isPossible;
        this.button.setAttribute("aria-disabled", String(this.#selected.length === 0));
    }

    /**
     * Brings the selected keyframes onto the beats that are nearest to them. A beat of the clip's own sound is a place
     * of the clip, so the keyframe moves there. To a beat of the output, the speeds before the keyframe bring it: what
     * it shows stays the same.
     */
    async hit() {
        const { shown: beats, store: { evaluation } } = this;
        const before = this.#keyframes;
        if (!beats?.beats.length || !evaluation || !before) return;
        if (this.#selected.length === 0) {
            announce("Select a keyframe first.");
            return;
        }
        if (beats.over === "source") {
            this.#moveToBeats(beats.beats, before, evaluation);
            return;
        }
        let keyframes = before;
        const selected = this.#outputs(keyframes, evaluation, this.#selected), first = selected[0]?.output ?? 0;
        // One that was brought onto a beat before stays there. The film's beginning needn't.
        let kept = this.#outputs(keyframes, evaluation, [...keyframes.keys()]).filter(({ output }) => (
            output > ON && output < first && Math.abs((nearestTime(beats.beats, output) ?? NaN) - output) <= ON)).at(-1)?.index;
        for (const { index, output } of selected) {
            const beat = nearestTime(beats.beats, output) ?? output;
            // If an earlier one was moved, one that was on a beat isn't there any more.
            if (keyframes !== before || Math.abs(beat - output) > ON) {
                const brought = await this.#brought(keyframes, { keyframe: index, kept, output: beat, way: "speed" });
                // Meanwhile the user may have gone on.
                if (!brought || this.#keyframes !== before) return;
                keyframes = brought;
            }
            kept = index;
        }
        this.acts.onKeyframes(keyframes, true);
        announce("On the beat.");
    }

    /** Moves a keyframe that was dragged onto a beat of the output to where that beat is then. */
    async hitBySnapping(/** @type {number} */ index, /** @type {number} */ beat) {
        const keyframes = this.#keyframes;
        if (!keyframes) return;
        const moved = await this.#brought(keyframes, { keyframe: index, output: beat, way: "place" });
        if (this.#keyframes === keyframes) this.acts.onKeyframes(moved ?? keyframes, true);
    }

    /** Converts a keyframe's place to the curve's and back. */
    #turned(/** @type {number} */ place) {
        return isFlipped(this.store.draft.warp) ? 1 - place : place;
    }

    /**
     * Some keyframes with their output times, in the order of these.
     * @type {(keyframes: Keyframe[], evaluation: Evaluation, indexes: number[]) => { index: number, output: number }[]}
     */
    #outputs(keyframes, { map, curve, sourceDuration, outputDuration }, indexes) {
        const isOutput = curve.over === "output";
        const places = placesOf(keyframes, isOutput ? outputDuration : sourceDuration);
        return indexes.filter((index) => index < keyframes.length).map((index) => ({
            index, output: isOutput ? places[index] * outputDuration
                : outputOf(map, this.#turned(places[index]) * sourceDuration) ?? 0,
        })).sort((a, b) => a.output - b.output);
    }

    /**
     * The keyframes after the change that the server finds; null if there is none.
     * @param {Keyframe[]} keyframes
     * @param {Omit<import("../../shared/server").HitRequest, keyof import("../types").Request>} hit
     */
    async #brought(keyframes, hit) {
        const { request, evaluation } = this.store;
        if (!request || !evaluation) return null;
        const segment = segmentOf(request.job);
        this.#hitting.abort();
        this.#hitting = new AbortController();
        const { signal } = this.#hitting;
        const answer = await api.hit({
            ...hit, ...withSegmentOf(request, { ...segment, warp: { ...segment.warp, keyframes } }),
        }, signal);
        if (!answer.ok) {
            if (!signal.aborted) this.#say(answer.error.message);
            return null;
        }
        return answer.value.changes.reduce((list, { keyframe, place, speed }) =>
            exactlyPlaced(list, keyframe, { place, speed }, curveLength(evaluation)), keyframes);
    }

    /** @type {(times: number[], keyframes: Keyframe[], evaluation: Evaluation) => void} */
    #moveToBeats(times, keyframes, { sourceStart, sourceDuration }) {
        const places = placesOf(keyframes, sourceDuration);
        for (const index of this.#selected) {
            const now = this.#turned(places[index]) * sourceDuration + sourceStart;
            const place = this.#turned(((nearestTime(times, now) ?? now) - sourceStart) / sourceDuration);
            const isFree = place >= 0 && place <= 1 && place > (places[index - 1] ?? -1)
                && place < (places[index + 1] ?? 2);
            if (isFree) keyframes = exactlyPlaced(keyframes, index, { place }, sourceDuration);
        }
        this.acts.onKeyframes(keyframes, true);
        announce("On the beat.");
    }
}
