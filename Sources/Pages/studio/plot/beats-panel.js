// Which sound's beats the plot shows, and "Hit the beat": bringing the selected keyframe onto one.

import { announce } from "../../shared/elements/announce.js";
import { api, versionKey } from "../../shared/api.js";
import { nearestTime, tempoText } from "./beat-times.js";
import { byId } from "../../shared/elements/dom.js";
import { createMenu, setShown } from "../../shared/elements/fields.js";
import { exactlyPlaced, placesOf } from "../keyframes/keyframe-edits.js";
import { outputOf } from "../../shared/playing/plot-map.js";
import { isFlipped } from "../app/draft.js";
import { segmentOf, withSegmentOf } from "../app/job.js";

/** Nearer than this a keyframe is on a beat, in seconds. */
const ON = 0.0005;

/** The choices that aren't clips. */
const NONE = "none", OWN = "own";

export class BeatsPanel {
    /** "none", "own" for the clip's own sound, or the id of the clip whose sound goes with the output. */
    choice = NONE;
    /** The beats found so far, by clip and its version: an answer's value, or the message of its error. */
    #found = new Map();
    #asked = new Set();
    #selected = [];
    /** Ends the last search for how a keyframe hits a beat: only one counts. */
    #hitting = new AbortController();

    /**
     * @param {import("../app/store.js").Store} store
     * @param {{ onChange: () => void, onKeyframes: (keyframes: object[], final: boolean) => void }} acts
     */
    constructor(store, acts) {
        Object.assign(this, { store, acts });
        this.showMenu = createMenu("beats", (choice) => this.choose(choice));
        this.button = byId("hit");
        this.button.addEventListener("click", () => this.hit());
        for (const kind of ["media", "draft", "evaluation"]) store.on(kind, () => this.show());
        this.show();
    }

    choose(choice) {
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
        return this.#heard ? this.#found.get(versionKey(this.#heard)) : undefined;
    }

    /** @returns {import("./beat-times.js").Beats | null} */
    get beats() {
        const found = this.#known;
        return found?.beats ? { ...found, over: this.choice === OWN ? "source" : "output" } : null;
    }

    async #find(clip) {
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

    /** The value that `beats` gave last, so that the plot can tell whether it has changed. */
    #kept = null;

    /** The beats to draw: the same object as long as they are the same. */
    get shown() {
        const key = `${this.choice} ${this.#heard && versionKey(this.#heard)}`;
        if (this.#kept?.key !== key) this.#kept = { key, beats: this.beats };
        return this.#kept.beats;
    }

    show() {
        const { clip } = this.store;
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
        else if (found.tempo === null) this.#say("No steady beat");
        else this.#say(tempoText(found.tempo), false);
        this.#showButton();
    }

    /** Shows the tempo, or a sentence instead of it. */
    #say(text, isText = true) {
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
        const { beats, evaluation } = { beats: this.shown, evaluation: this.store.evaluation };
        if (!beats || !evaluation || !this.#keyframes) return;
        if (this.#selected.length === 0) {
            announce("Select a keyframe first.");
            return;
        }
        if (beats.over === "source") {
            this.#moveToBeats(beats.beats);
            return;
        }
        const before = this.#keyframes;
        let keyframes = before;
        let kept = null;
        for (const { index, output } of this.#outputs(keyframes)) {
            const beat = nearestTime(beats.beats, output);
            if (Math.abs(beat - output) > ON) {
                keyframes = await this.#brought(keyframes, { keyframe: index, kept, output: beat, way: "speed" });
                // Meanwhile the user may have gone on.
                if (!keyframes || this.#keyframes !== before) return;
            }
            kept = index;
        }
        this.acts.onKeyframes(keyframes, true);
        announce("On the beat.");
    }

    /** Moves a keyframe that was dragged onto a beat of the output to where that beat is then. */
    async hitBySnapping(index, beat) {
        const keyframes = this.#keyframes;
        const moved = await this.#brought(keyframes, { keyframe: index, kept: null, output: beat, way: "place" });
        if (this.#keyframes === keyframes) this.acts.onKeyframes(moved ?? keyframes, true);
    }

    /** The selected keyframes with their output times, in the order of these. */
    #outputs(keyframes) {
        const { evaluation, draft: { warp } } = this.store;
        const { map, curve, sourceDuration, outputDuration } = evaluation;
        const isOutput = curve.over === "output";
        const places = placesOf(keyframes, isOutput ? outputDuration : sourceDuration);
        const turned = (place) => (isFlipped(warp) ? 1 - place : place);
        return this.#selected.filter((index) => index < keyframes.length).map((index) => ({
            index, output: isOutput ? places[index] * outputDuration
                : outputOf(map, turned(places[index]) * sourceDuration) ?? 0,
        })).sort((a, b) => a.output - b.output);
    }

    /** The keyframes after the change that the server finds; null if there is none. */
    async #brought(keyframes, hit) {
        const { request } = this.store;
        const segment = segmentOf(request.job);
        this.#hitting.abort();
        this.#hitting = new AbortController();
        const { signal } = this.#hitting;
        const { evaluation } = this.store;
        const answer = await api.hit({
            ...hit, ...withSegmentOf(request, { ...segment, warp: { ...segment.warp, keyframes } }),
        }, signal);
        if (!answer.ok) {
            if (!signal.aborted) this.#say(answer.error.message);
            return null;
        }
        const length = evaluation.curve.over === "output"
            ? evaluation.outputDuration : evaluation.sourceDuration;
        return answer.value.changes.reduce((list, { keyframe, place, speed }) =>
            exactlyPlaced(list, keyframe, { place, speed }, length), keyframes);
    }

    #moveToBeats(times) {
        const { evaluation, draft: { warp } } = this.store;
        const { sourceStart, sourceDuration } = evaluation;
        const turned = (place) => (isFlipped(warp) ? 1 - place : place);
        let keyframes = this.#keyframes;
        const places = placesOf(keyframes, sourceDuration);
        for (const index of this.#selected) {
            const now = turned(places[index]) * sourceDuration + sourceStart;
            const place = turned((nearestTime(times, now) - sourceStart) / sourceDuration);
            const isFree = place >= 0 && place <= 1 && place > (places[index - 1] ?? -1)
                && place < (places[index + 1] ?? 2);
            if (isFree) keyframes = exactlyPlaced(keyframes, index, { place }, sourceDuration);
        }
        this.acts.onKeyframes(keyframes, true);
        announce("On the beat.");
    }
}
