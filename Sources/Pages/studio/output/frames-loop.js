// Loops of the clip's own frames: while one of the ways to make frames in slow motion has the pointer or the focus, a small
// player shows what it makes of the slow part that is next.

import { byId } from "../../shared/elements/dom.js";
import { filmOf, throughJob } from "../app/shown.js";
import { asSeen } from "../app/job.js";
import { capabilities, named } from "../app/capabilities.js";
import { clockText } from "../../shared/times.js";
import { clamped } from "../../shared/numbers.js";
import { MARGIN, placeInWindow } from "../../shared/elements/placing.js";
import { Player } from "../../shared/playing/player.js";
import { slowInstant } from "./slow-instant.js";

/** Seconds of the output that are shown again and again. */
const SHOWN = 1.6;
/** Milliseconds before it opens: the pointer may only pass. */
const REST = 200;
/**
 * @param {import("../app/store.js").Store} store
 * @param {import("../app/source-panel.js").SourcePanel} source
 */
export function createFramesLoop(store, source) {
    const box = byId("frames-loop"), choices = byId("frames");
    const player = new Player(byId("frames-video"), { onTime: () => {}, onState: () => {}, onRefusal: () => {} });
    player.loop = true;
    player.setMuted(true);
    let rest = 0;

    const open = (/** @type {string} */ mode) => {
        const { clip, evaluation, evaluated, error } = store;
        const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        if (!clip?.video || !evaluation || !evaluated || error || choices.disabled || isCalm) return;
        const length = evaluation.outputDuration, here = slowInstant(evaluation, source.instantIn(evaluation));
        const start = clamped(here - SHOWN / 2, 0, Math.max(0, length - SHOWN));
        box.showPopover();
        byId("frames-loop-text").textContent = `${named(capabilities.frames, mode)?.title ?? mode}, at ${clockText(here)} of the output`;
        const { left, top } = choices.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = box;
        const beside = left - width - MARGIN, hasRoom = beside >= MARGIN;
        placeInWindow(box, hasRoom ? beside : left, hasRoom ? top : top - height - MARGIN);
        player.bounds = { start, end: Math.min(length, start + SHOWN) };
        player.load(filmOf(clip, throughJob(asSeen(evaluated, mode), evaluation)), start);
        player.seek(start);
        player.play();
    };
    const close = () => {
        clearTimeout(rest);
        player.load(null);
        box.hidePopover();
    };
    const soon = (/** @type {Event} */ { target }) => {
        const mode = /** @type {Element} */ (target).closest("label")?.querySelector("input")?.value;
        clearTimeout(rest);
        if (mode) rest = setTimeout(() => open(mode), REST);
    };
    for (const event of ["pointerover", "focusin"]) choices.addEventListener(event, soon);
    for (const event of ["pointerleave", "focusout"]) choices.addEventListener(event, close);
}
