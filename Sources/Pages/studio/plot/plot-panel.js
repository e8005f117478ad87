// The panel with the plot, its figures, and the dot at the playing position.

import { api, urls, versionKey } from "../../shared/api.js";
import { BeatsPanel } from "./beats-panel.js";
import { byId } from "../../shared/elements/dom.js";
import { createChoice, createSwitch } from "../../shared/elements/fields.js";
import { counted, rateText, times } from "../../shared/format-numbers.js";
import { isFlipped } from "../app/draft.js";
import { segmentOf } from "../app/job.js";
import { curveLength, outputOf, sourceAt } from "../../shared/playing/plot-map.js";
import { createPlot } from "./plot.js";
import { durationText, frameLength, lengthText } from "../../shared/times.js";

/** How much a press of a button or key zooms. */
const ZOOM = 2;
/** A zoom has come to rest after this many milliseconds. */
const REST = 150;

const FIGURES = /** @type {const} */ (["length", "frames", "rate", "source-rate", "minimum", "maximum"]);
/** Rates that differ by less are shown as one. */
const SAME_RATE = 0.005;

/**
 * @typedef {import("./types").Part} Part
 * @typedef {import("./types").Place} Place
 * @typedef {import("./types").Range} Range
 * @typedef {import("./types").View} View
 * @typedef {import("../types").Media} Media
 */

export class PlotPanel {
    /** @type {View} */
    view = "speed";
    snap = true;
    /** Whether the curve was made of keyframes at the last look. */
    wasCustom = false;
    /** The number of evaluations shown since the page was opened. */
    #count = 0;
    /** @type {Range | null} the range that was set by dragging its handles, until its evaluation arrives */
    #range = null;
    /** @type {{ key: string | null, value: import("./types").Waveform | null }} */
    #waveform = { key: null, value: null };
    /** @type {number | null} */
    #selected = null;
    /** All keyframes that are selected. */
    selected = /** @type {number[]} */ ([]);
    /** @type {import("./types").Position | null} where the dot is */
    position = null;
    /** @type {Place | null} of a player that has loaded its clip before there is an evaluation */
    #early = null;
    #rest = 0;
    /** @type {number | null} the instant of the output that was sought in the plot last */
    #near = null;

    /**
     * @param {import("../app/store.js").Store} store
     * @param {import("./types").PanelActions} acts
     */
    constructor(store, acts) {
        this.store = store;
        this.acts = acts;
        this.beats = new BeatsPanel(store, {
            onChange: () => {
                this.show();
                acts.onView();
            },
            onKeyframes: (keyframes, final) => acts.onKeyframes(keyframes, final),
        });
        this.plot = createPlot(byId("plot"), {
            onKeyframes: (keyframes, { final }) => acts.onKeyframes(keyframes, final),
            onSeek: (seconds, sought) => acts.onSeek(seconds, this.#noted(sought)),
            onPicture: (seconds, sought) => acts.onPicture(seconds, this.#noted(sought)),
            onRange: (range, how) => this.#setRange(range, how),
            onPart: (part) => this.#setPart(part),
            onMenu: (point) => acts.onMenu(point),
            onBeat: (index, beat) => this.beats.hitBySnapping(index, beat),
            onSelect: (index, all) => {
                this.#setSelected(index, all);
                acts.onSelect(index);
            },
        });
        this.showView = createChoice("view", (/** @type {View} */ view) => this.setView(view));
        byId("zoom-in").addEventListener("click", () => this.plot.zoom(ZOOM));
        byId("zoom-out").addEventListener("click", () => this.plot.zoom(1 / ZOOM));
        byId("zoom-fit").addEventListener("click", () => this.plot.fit());
        this.showSnap = createSwitch("snap", (snap) => {
            this.snap = snap;
            this.show();
            acts.onView();
        });
        store.on("draft", () => this.#onDraft());
        store.on("media", () => this.#onMedia());
        store.on("evaluation", () => this.#onEvaluation());
        this.#onMedia();
    }

    #noted(/** @type {import("./types").Sought} */ sought) {
        this.#near = sought.output ?? null;
        return sought;
    }

    setView(/** @type {View} */ view) {
        this.view = view;
        this.showView(view);
        this.#showFigures();
        this.show();
        this.acts.onView();
    }

    /** Has the curve evaluated closely where it is looked at closely, when the zoom comes to rest. */
    #setPart(/** @type {Part | null} */ part) {
        for (const id of /** @type {const} */ (["zoom-out", "zoom-fit"])) {
            byId(id).setAttribute("aria-disabled", String(part === null));
        }
        clearTimeout(this.#rest);
        this.#rest = setTimeout(() => {
            const length = this.store.evaluation && curveLength(this.store.evaluation);
            this.acts.onPart(part && length
                ? { from: part.from / length, to: Math.min(1, part.to / length) } : null);
        }, REST);
    }

    setSnap(/** @type {boolean} */ snap) {
        this.snap = snap;
        this.showSnap(snap);
    }

    select(/** @type {number | null} */ index) {
        if (index === this.#selected) return;
        this.#setSelected(index, index === null ? [] : [index]);
        this.plot.select(index);
    }

    /** Selects keyframes together. */
    selectAll(/** @type {number[]} */ indexes) {
        this.#setSelected(indexes[0] ?? null, indexes);
        this.plot.select(this.#selected, indexes);
        this.acts.onSelect(this.#selected);
    }

    /** @type {(index: number | null, all: number[]) => void} */
    #setSelected(index, all) {
        this.#selected = index;
        this.selected = all;
        this.beats.select(all);
    }

    // What is shown

    #onDraft() {
        const isCustom = this.#keyframes !== null;
        byId("snap-label").hidden = !isCustom;
        // Keyframes are speeds, so the speed view is the one to edit them in.
        if (isCustom && !this.wasCustom && this.view !== "speed") this.setView("speed");
        // When the keyframes are gone, so is the selection with its easing handles.
        if (this.wasCustom && !isCustom) {
            this.select(null);
            this.acts.onSelect(null);
        }
        this.wasCustom = isCustom;
        if (!this.store.draft.range) this.#range = null;
        this.#wantWaveform();
    }

    #onMedia() {
        this.#wantWaveform();
        this.show();
    }

    /** Fetches the waveform of the draft's clip, which an edit or undo may have changed. */
    #wantWaveform() {
        const { clip } = this.store;
        if (clip?.analysis !== "ready") this.#waveform = { key: null, value: null };
        else if (clip.audio) this.#fetchWaveform(clip);
    }

    async #fetchWaveform(/** @type {Media} */ clip) {
        const key = versionKey(clip);
        if (this.#waveform.key === key) return;
        this.#waveform = { key, value: null };
        const answer = await api.waveform(clip.id);
        if (this.#waveform.key !== key) return;
        this.#waveform = { key: answer.ok ? key : null, value: answer.ok ? answer.value : null };
        this.show();
    }

    #onEvaluation() {
        if (!this.store.error) this.#range = null;
        byId("plot").classList.toggle("stale", this.store.error !== null);
        this.#showFigures();
        this.show();
        if (this.#early) this.showPlace(this.#early);
        this.#count += 1;
        document.documentElement.dataset.evaluated = String(this.#count);
    }

    get #keyframes() {
        const { draft: { task, warp } } = this.store;
        return task === "warp" && warp.kind === "keyframes" ? warp.keyframes : null;
    }

    show() {
        const { clip, evaluation } = this.store;
        this.plot.show({
            evaluation: clip ? evaluation : null, view: this.view, snap: this.snap,
            keyframes: clip ? this.#keyframes : null, flip: isFlipped(this.store.draft.warp),
            fit: this.store.draft.warp.fit.on,
            clip: clip && {
                duration: clip.duration, frameRate: clip.video?.frameRate ?? null,
                range: this.#range ?? this.#evaluatedRange(),
            },
            strip: clip?.strip && clip.analysis === "ready"
                ? { url: urls.strip(clip), ...clip.strip } : null,
            waveform: clip && this.#waveform.key === versionKey(clip) ? this.#waveform.value : null,
            beats: clip ? this.beats.shown : null,
            tiles: clip && clip.analysis === "ready" ? this.#tiles(clip) : null,
        });
    }

    /** @returns {import("./types").FinerTiles} */
    #tiles(/** @type {Media} */ clip) {
        return {
            key: versionKey(clip), strip: (level, tile) => urls.stripTile(clip, level, tile),
            waveform: async (level, tile) => {
                const answer = await api.waveformTile(clip.id, level, tile);
                return answer.ok ? answer.value : null;
            },
        };
    }

    #evaluatedRange() {
        const { evaluation, evaluated } = this.store;
        if (!evaluation || !evaluated || !segmentOf(evaluated.job).range) return null;
        const start = evaluation.sourceStart;
        return { start, end: start + evaluation.sourceDuration };
    }

    /** @type {(range: Range, options: import("./types").Trimmed) => void} */
    #setRange({ start, end }, { final, at }) {
        const { clip } = this.store;
        if (!clip) return;
        const isWhole = start <= 0 && end >= clip.duration;
        this.#range = { start, end };
        this.show();
        this.store.setRange(isWhole ? null : { start: durationText(start), end: durationText(end) }, { gesture: "range", final });
        this.acts.onPicture(at, { final });
    }

    // Figures

    #showFigures() {
        const { evaluation, clip } = this.store;
        /** @type {(name: typeof FIGURES[number], text: string) => void} */
        const put = (name, text) => {
            byId(`figure-${name}`).textContent = text;
        };
        const isSpeed = this.view === "speed";
        const { error } = this.store;
        if (!evaluation || !clip || error) {
            byId("render").dataset.summary = error ? whyNot(error) : "";
            for (const name of FIGURES) put(name, name === "source-rate" ? "" : "–");
            return;
        }
        const { frames, averageFrameRate: rate, sourceFrameRate: own } = evaluation;
        put("length", lengthText(evaluation.outputDuration));
        put("frames", clip.video && frames !== undefined ? frames.toLocaleString("en") : "–");
        put("rate", clip.video && rate !== undefined ? rateText(rate) : "–");
        const isOther = clip.video && rate !== undefined && own !== undefined && Math.abs(own - rate) > SAME_RATE;
        put("source-rate", isOther ? `${Number(own.toFixed(2))} of the source's` : "");
        const [least, most] = isSpeed ? bounds(evaluation.curve.speed)
            : [evaluation.minimum, evaluation.maximum];
        put("minimum", times(least ?? Infinity));
        put("maximum", times(most ?? Infinity));
        // A narrow button breaks the line between the two, not before a unit.
        byId("render").dataset.summary = [
            ...clip.video && frames !== undefined ? [counted(frames, "frame")] : [],
            lengthText(evaluation.outputDuration),
        ].map((each) => each.replaceAll(" ", "\u00a0")).join(", ");
    }

    // The dot

    /** Moves the dot to the position of a player. */
    showPlace(/** @type {Place} */ position) {
        const { isSource, time, output, evaluation } = position;
        const present = this.store.evaluation;
        this.#early = present ? null : position;
        if (!present || !this.store.clip) {
            this.#moveDot(null);
            return;
        }
        if (isSource) {
            const source = time - present.sourceStart, near = this.#near;
            // Of several instants that show it, the one that was asked for.
            const isThere = near !== null && Math.abs(sourceAt(present.map, near) - source)
                < frameLength(this.store.clip.video?.frameRate);
            this.#moveDot({ source: time, output: output ?? (isThere ? near : outputOf(present.map, source)) });
            return;
        }
        if (!evaluation) return;
        const source = evaluation.sourceStart + sourceAt(evaluation.map, time);
        const isSame = evaluation.command === present.command;
        this.#moveDot({
            source, output: isSame ? time : outputOf(present.map, source - present.sourceStart),
        });
    }

    #moveDot(/** @type {import("./types").Position | null} */ position) {
        this.position = position;
        this.plot.moveDot(position);
    }
}

/** Why a request with an error can't be rendered. */
function whyNot(/** @type {{ field: string | null }} */ { field }) {
    if (field === "match") return "· not matched yet";
    /** @type {Record<string, string>} */
    const names = {
        curve: "the curve", fit: "the length", scale: "the length", stretch: "the length",
        range: "In or Out", media: "the clip",
    };
    return `· ${names[field ?? ""] ?? "a setting"} is wrong`;
}

/** The smallest and largest of some values; nulls are skipped. */
function bounds(/** @type {(number | null)[]} */ values) {
    let least = Infinity, most = -Infinity;
    for (const value of values) {
        if (value === null) continue;
        least = Math.min(least, value);
        most = Math.max(most, value);
    }
    return [least, most];
}
