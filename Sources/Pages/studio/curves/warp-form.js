// The form of the Warp tab: the curve and its settings.

import { mirrored } from "../keyframes/keyframe-edits.js";
import { createKeyframeTable } from "../keyframes/keyframe-table.js";
import { byId } from "../../shared/elements/dom.js";
import { showError } from "../app/errors.js";
import { announce } from "../../shared/elements/announce.js";
import { api } from "../../shared/api.js";
import { createCurveMenu } from "./curve-menu.js";
import { createChoice, createDial, createSwitch, createText, setShown } from "../../shared/elements/fields.js";
import { short } from "../../shared/format-numbers.js";
import { capabilities, named } from "../app/capabilities.js";
import { curveOf, freshDraft, isFlipped, isTimed, RANGES } from "../app/draft.js";

/**
 * @typedef {import("../types").WarpDraft} WarpDraft
 * @typedef {import("../types").How} How
 * @typedef {import("../types").Keyframe} Keyframe
 */

const FLAT_CURVE = "constant";
/** The keyframes of normal speed. */
const FLAT = ["0%", "100%"].map((at) => ({ at, speed: 1, easing: "smooth" }));

/** A factor and its speed, for screen readers. */
function spokenFactor(/** @type {number} */ factor) {
    if (factor === 1) return "1, normal speed";
    if (!(factor > 0)) return String(factor);
    return `${short(factor)}, speed ${short(1 / factor)}`;
}

/** @type {(id: "factor" | "modifier", meaning: string | undefined) => void} says what a number means for a curve */
function explain(id, meaning = "") {
    byId(`${id}-meaning`).textContent = meaning;
    byId(id).setAttribute("aria-description", meaning);
}

export class WarpForm {
    /** How often a kind of curve was chosen: only the last choice counts. */
    #choices = 0;

    /**
     * @param {import("../app/store.js").Store} store
     * @param {Omit<import("../keyframes/types").TableActions, "onKeyframes">} acts
     */
    constructor(store, acts) {
        this.store = store;
        /** @type {(change: Partial<WarpDraft>, how?: How) => void} */
        const edit = (change, how) => store.edit({ warp: change }, how);
        this.edit = edit;
        this.showMenu = createCurveMenu(store, (change) => this.#choose(change));
        this.shows = {
            factor: createDial("factor", RANGES.factor, spokenFactor,
                (factor, how) => edit({ factor }, how)),
            modifier: createDial("modifier", RANGES.modifier, short,
                (modifier, how) => edit({ modifier }, how)),
            flip: createSwitch("flip", (flip) => edit({ flip })),
            fitOn: createSwitch("fit-on", (on) => this.#setFit(on)),
            fit: createText("fit", (text, how) => edit({ fit: { on: true, text } }, how)),
            as: createChoice("formula-as", (/** @type {WarpDraft["formula"]["as"]} */ as) => this.#editFormula({ as })),
            formula: createText("formula", (text, how) => this.#editFormula({ text }, how)),
        };
        this.table = createKeyframeTable(byId("keyframes-form"), {
            onKeyframes: (keyframes, { final }) => this.setKeyframes(keyframes, final),
            ...acts,
        });
        byId("formula").addEventListener("scroll", () => this.#showCaret());
        byId("formula").addEventListener("input", () => this.#showCaret());
        store.on("draft", () => this.show());
        store.on("evaluation", () => {
            this.#showTable();
            this.#showCaret();
        });
        this.show();
    }

    /** @type {(keyframes: Keyframe[], final: boolean) => void} sets what was dragged or typed */
    setKeyframes(keyframes, final) {
        this.edit({ keyframes }, { gesture: "keyframes", final });
    }

    /** @param {Partial<WarpDraft["formula"]>} change @param {How} [how] */
    #editFormula(change, how) {
        this.edit({ formula: { ...this.store.draft.warp.formula, ...change } }, how);
    }

    /**
     * Chooses a kind of curve. Keyframes follow the present curve; if some were made from it before, these come back
     * with all edits.
     * @param {Partial<WarpDraft>} change
     */
    async #choose(change) {
        if (change.kind === "keyframes") {
            const made = await this.#followed();
            if (made) this.edit(made);
            this.showMenu();
        } else {
            this.#choices += 1;
            // With a factor of 1 every curve is flat, as an edit's is at first; nobody chooses one for that.
            const isFlat = (change.name ?? FLAT_CURVE) !== FLAT_CURVE && this.store.draft.warp.factor === 1;
            this.edit({ ...change, ...isFlat ? { factor: freshDraft().warp.factor } : {} });
        }
    }

    /**
     * The change that makes keyframes of the present curve; null if it can't be made, which has been said, or if something
     * else has been chosen or set meanwhile.
     * @returns {Promise<Partial<WarpDraft> & { keyframes: Keyframe[] } | null>}
     */
    async #followed() {
        const choice = this.#choices += 1;
        await this.store.settled();
        if (choice !== this.#choices) return null;
        const { draft: { warp }, evaluated } = this.store;
        const seed = JSON.stringify(curveOf(warp));
        if (warp.keyframes && (warp.seed === seed || !evaluated)) return { kind: "keyframes", keyframes: warp.keyframes };
        const answer = evaluated && await api.keyframes(evaluated);
        if (choice !== this.#choices) return null;
        if (answer && !answer.ok) {
            showError(answer.error, "warp");
            announce(answer.error.message);
            return null;
        }
        // The curve that they follow is already flipped.
        return this.store.draft.warp !== warp ? null
            : { kind: "keyframes", keyframes: answer ? answer.value.keyframes : FLAT, seed, flip: false };
    }

    /** The same for a command on them, which sees them as they play: not flipped. */
    async keyframes() {
        const { draft: { warp }, evaluation } = this.store;
        if (warp.kind !== "keyframes" || !warp.keyframes) return this.#followed();
        const duration = evaluation?.sourceDuration ?? 1;
        return { keyframes: isFlipped(warp) ? mirrored(warp.keyframes, duration) : warp.keyframes, flip: false };
    }

    /** Turns the exact length on or off; it starts with the present length of the output. */
    #setFit(/** @type {boolean} */ on) {
        const { fit } = this.store.draft.warp;
        const length = this.store.evaluation?.outputDuration;
        const text = fit.text || (length ? String(Number(length.toFixed(3))) : "");
        this.edit({ fit: { on, text } });
        if (on) byId("fit").focus();
    }

    show() {
        const { warp } = this.store.draft;
        this.showMenu();
        this.shows.factor(warp.factor);
        this.shows.modifier(warp.modifier);
        this.shows.flip(warp.flip);
        this.shows.fitOn(warp.fit.on);
        this.shows.fit(warp.fit.text);
        this.shows.as(warp.formula.as);
        this.shows.formula(warp.formula.text);
        const curve = named(capabilities.curves, warp.name);
        explain("factor", curve?.factor);
        explain("modifier", curve?.modifier);
        setShown("dials", warp.kind === "built-in");
        setShown("modifier-dial", curve?.modifier !== undefined);
        setShown("formula-form", warp.kind === "formula");
        setShown("formula-hint", warp.kind === "formula");
        setShown("keyframes-form", warp.kind === "keyframes");
        setShown("keyframes-hint", warp.kind === "keyframes");
        setShown("file-curve", warp.kind === "file");
        setShown("fit", warp.fit.on);
        setShown("flip-label", warp.kind !== "keyframes" || !isTimed(warp.keyframes));
        byId("file-curve").textContent = warp.file
            ? `${warp.file.name}. Choose Keyframes to change it.` : "";
        this.#showTable();
        this.#showCaret();
    }

    #showTable() {
        const { draft: { warp }, evaluation, clip } = this.store;
        if (warp.kind !== "keyframes" || !warp.keyframes) return;
        const over = isTimed(warp.keyframes) ? "output" : "source";
        const duration = (over === "output" ? evaluation?.outputDuration
            : evaluation?.sourceDuration) ?? clip?.duration ?? 10;
        const frameRate = (over === "output" ? evaluation?.averageFrameRate : null) ?? clip?.video?.frameRate ?? 0;
        this.table.show({
            keyframes: warp.keyframes, duration, frameRate, over, evaluation, flip: isFlipped(warp),
        });
    }

    /** Shows a mark below the character of the formula where the mistake is. */
    #showCaret() {
        const { error, draft: { warp } } = this.store;
        const column = warp.kind === "formula" && error?.field === "curve" ? error.column : null;
        const caret = byId("formula-caret"), field = byId("formula");
        caret.hidden = column === null;
        field.dataset.column = String(column ?? "");
        // `scrollLeft` forces a layout, which would slow down every move of a slider.
        if (column === null) return;
        caret.textContent = `${" ".repeat(column - 1)}^`;
        caret.style.transform = `translateX(${-field.scrollLeft}px)`;
    }
}
