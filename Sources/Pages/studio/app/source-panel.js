// The source player: the clip as it is, or what the present job makes of it.

import { urls } from "../../shared/api.js";
import { announce } from "../../shared/elements/announce.js";
import { showCard } from "../../shared/elements/cards.js";
import { byId } from "../../shared/elements/dom.js";
import { asSeen, mediaOf } from "./job.js";
import { nearestOutput } from "../../shared/playing/plot-map.js";
import { Player } from "../../shared/playing/player.js";
import { clipItself, filmOf, placeAt, throughJob, timeOf } from "./shown.js";
import { durationText, frameAt, frameLength } from "../../shared/times.js";
import { createNotice } from "../../shared/elements/notice.js";
import { createTransport } from "../../shared/playing/transport.js";
import { view } from "../../shared/elements/view.js";

/** @typedef {import("./shown.js").Shown} Shown */

export class SourcePanel {
    /** @type {Shown | null} */
    #shown = null;
    isPreviewing = false;
    /** @type {Shown | null} the source as the result shows it, while it follows the result */
    #led = null;

    /**
     * @param {import("./store.js").Store} store
     * @param {{ onTime: () => void, onPlay: () => void, chooseFile: () => void }} acts
     */
    constructor(store, acts) {
        this.store = store;
        this.acts = acts;
        this.button = byId("preview");
        this.say = createNotice("error-source");
        this.player = new Player(byId("source-video"), {
            onTime: () => this.showTime(),
            onState: () => this.#showState(),
            onRefusal: () => this.say("Press Play: the browser wants a press."),
        });
        this.transport = createTransport(byId("source-transport"), "Source", this.player, {
            setIn: () => this.setIn(), setOut: () => this.setOut(),
        });
        this.button.addEventListener("click", () => this.togglePreview());
        store.on("media", () => this.show());
        store.on("draft", () => this.show());
        store.on("evaluation", () => this.#follow());
        this.show();
    }

    /** Shows the clip of the draft. */
    show() {
        const { clip } = this.store;
        if (clip?.id !== this.clip) {
            this.isPreviewing = false;
            this.player.pause();
            this.#setLed(null);
            this.#shown = null;
        }
        this.#load();
        byId("source-name").textContent = clip?.name ?? "";
        this.#showBounds();
        this.#showState();
    }

    /** Puts into the player what is to be shown, at a time of it, or else at the same place of the clip. */
    #load(/** @type {number | undefined} */ time = undefined) {
        const { clip } = this.store;
        if (!clip) {
            this.#shown = null;
            this.player.load(null);
            return;
        }
        const preview = this.isPreviewing ? this.#preview() ?? this.#shown : null;
        const shown = this.#led ?? preview ?? clipItself(clip);
        const film = filmOf(clip, shown);
        if (film.key === this.player.film?.key) return;
        const at = time ?? (this.#shown ? timeOf(shown, this.place, this.#share) : 0);
        this.#shown = shown;
        this.player.load(film, at);
    }

    /** How far in the output is that is shown. */
    get #share() {
        return this.#shown?.map ? this.player.time / (this.#shown.length || 1) : 0;
    }

    /** The identity of the clip; null for none. */
    get clip() {
        return this.#shown && mediaOf(this.#shown.request);
    }

    /** The place in the clip that is shown. */
    get place() {
        const { time } = this.player;
        return this.#shown ? placeAt(this.#shown, time) : time;
    }

    /**
     * Seeks to a place of the clip while something is dragged to it; it is let go of with the final one.
     * @type {(place: number, isFinal: boolean, output?: number | null) => void} `output`: the instant of what the job makes
     */
    scrub(place, isFinal, output = null) {
        const shown = this.#shown;
        if (shown) this.player.scrub(this.isPreviewing && output !== null ? output : timeOf(shown, place, this.#share));
        if (isFinal) this.player.settle();
    }

    /** The instant of the output that is shown; null while it is the clip itself. */
    get output() {
        return this.#shown?.map ? this.player.time : null;
    }

    /** @type {(evaluation: import("../types").Evaluation) => number} the instant of an output that shows what is shown */
    instantIn({ map, sourceStart }) {
        return this.output ?? nearestOutput(map, this.place - sourceStart);
    }

    /**
     * Shows the clip as a result shows it, or no longer.
     * @param {{ request: import("../../shared/types").Request, evaluation: import("../types").Evaluation } | null} result
     * @param {number} [at] the result's time
     */
    lead(result, at) {
        if (!result && !this.#led) return;
        this.#setLed(result && throughJob(asSeen(result.request), result.evaluation));
        this.#load(at);
    }

    #setLed(/** @type {Shown | null} */ led) {
        this.#led = led;
        this.player.isSilent = led !== null;
        this.player.applySound();
    }

    /** @type {(clip: import("../types").Media | null) => import("../../shared/elements/cards.js").Card | null} */
    #card = (clip) => {
        if (!clip) {
            return {
                icon: "film", title: "Drop a clip here",
                text: "or choose one. It stays on this computer.",
                actions: [view("button", {
                    type: "button", class: "primary", onclick: this.acts.chooseFile,
                }, "Choose a file")],
            };
        }
        const poster = clip.video && clip.analysis === "ready" ? urls.poster(clip) : undefined;
        const { failure } = this.player;
        if (failure) return { icon: "film", poster, title: "This can't be played", text: failure };
        return clip.video ? null : { icon: "note", title: clip.name, text: "Audio only" };
    };

    /** Sets the range as the part that is looped. */
    #showBounds() {
        const { evaluation, draft } = this.store;
        this.player.bounds = draft.range && evaluation && !this.#shown?.map ? {
            start: evaluation.sourceStart,
            end: evaluation.sourceStart + evaluation.sourceDuration,
        } : null;
    }

    // Preview

    /** @returns what the job makes that was evaluated last, or null */
    #preview() {
        const { evaluation, evaluated, clip } = this.store;
        if (!evaluation || !evaluated || !clip || mediaOf(evaluated) !== clip.id) return null;
        return throughJob(evaluated, evaluation);
    }

    togglePreview() {
        const { player } = this;
        if (!this.isPreviewing && !this.#preview()) return;
        this.isPreviewing = !this.isPreviewing;
        this.#load();
        this.#showBounds();
        if (this.isPreviewing && !player.isPlaying) player.play();
        else this.#showState();
        announce(this.isPreviewing ? "Preview on: what plays is what will be rendered." : "Preview off.");
    }

    /** After a change, goes on at the same place of the clip. */
    #follow() {
        this.#load();
        this.#showBounds();
        this.#showState();
    }

    // Marks

    setIn() {
        this.#mark({ start: this.#frameStart });
    }

    setOut() {
        this.#mark({ end: this.#frameStart + this.#frame });
    }

    /** The duration of a frame of the clip. */
    get #frame() {
        return frameLength(this.store.clip?.video?.frameRate);
    }

    /** The start of the frame of the clip that is shown. */
    get #frameStart() {
        return frameAt(this.place, 1 / this.#frame) * this.#frame;
    }

    #mark(/** @type {{ start?: number, end?: number }} */ change) {
        const { clip, draft, evaluation } = this.store;
        if (!clip) return;
        const ranged = draft.range && evaluation;
        const start = ranged ? ranged.sourceStart : 0;
        const present = { start, end: ranged ? start + ranged.sourceDuration : clip.duration };
        const range = { ...present, ...change };
        // If in and out are in the wrong order, the other one is reset.
        if (range.end <= range.start && change.start !== undefined) range.end = clip.duration;
        if (range.end <= range.start && change.end !== undefined) range.start = 0;
        this.store.setRange({
            start: durationText(range.start),
            end: durationText(Math.min(range.end, clip.duration)),
        });
        announce(change.end === undefined ? "In point set." : "Out point set.");
    }

    // Showing

    showTime() {
        this.transport?.showTime();
        const { output, player: { video: { dataset } } } = this;
        if (output === null) delete dataset.output;
        else dataset.output = output.toFixed(4);
        this.acts.onTime();
    }

    #showState() {
        this.transport?.showState();
        this.transport?.showTime();
        const isPossible = this.isPreviewing || this.#preview() !== null;
        byId("source-note").textContent = this.player.note;
        showCard(byId("source-card"), this.#card(this.store.clip));
        this.button.setAttribute("aria-pressed", String(this.isPreviewing));
        this.button.setAttribute("aria-disabled", String(!isPossible));
        byId("source").classList.toggle("previewing", this.isPreviewing);
        if (!this.player.isPlaying) return;
        this.say("");
        this.acts.onPlay();
    }
}
