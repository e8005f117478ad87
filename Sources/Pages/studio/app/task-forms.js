// The forms of the tabs Scale and Stretch, and of the part of the clip that is used.

import { byId } from "../../shared/elements/dom.js";
import { createChoice, createDial, createSwitch, createText, setShown } from "../../shared/elements/fields.js";
import { short } from "../../shared/format-numbers.js";
import { durationText, parseDuration } from "../../shared/times.js";

const SPEEDS = { min: 0.1, max: 4, step: 0.01 };

/**
 * @typedef {import("../types").Draft} Draft
 * @typedef {import("../types").How} How
 */

/** @param {import("./store.js").Store} store */
export function createTaskForms(store) {
    /** @type {(change: Partial<Draft["scale"]>, how?: How) => void} */
    const scale = (change, how) => store.edit({ scale: change }, how);
    /** @type {(change: Partial<Draft["stretch"]>, how?: How) => void} */
    const stretch = (change, how) => store.edit({ stretch: change }, how);
    const shows = {
        by: createChoice("scale-by", (/** @type {Draft["scale"]["by"]} */ by) => scale({ by })),
        speed: createDial("scale-speed", SPEEDS, short, (speed, how) => scale({ speed }, how)),
        factor: createDial("scale-factor", SPEEDS, short, (factor, how) => scale({ factor }, how)),
        length: createText("scale-duration", (duration, how) => scale({ duration }, how)),
        to: createChoice("stretch-to", (/** @type {Draft["stretch"]["to"]} */ to) => stretch({ to })),
        duration: createText("stretch-duration", (duration, how) => stretch({ duration }, how)),
        change: createText("stretch-by", (by, how) => stretch({ by }, how)),
        boomerang: createSwitch("boomerang", (boomerang) => store.edit({ boomerang })),
    };
    const show = () => {
        const { draft, clip } = store;
        shows.by(draft.scale.by);
        shows.speed(draft.scale.speed);
        shows.factor(draft.scale.factor);
        shows.length(draft.scale.duration);
        setShown("scale-speed-dial", draft.scale.by === "speed");
        setShown("scale-factor-dial", draft.scale.by === "factor");
        setShown("scale-duration-row", draft.scale.by === "duration");
        shows.to(draft.stretch.to);
        shows.duration(draft.stretch.duration);
        shows.change(draft.stretch.by);
        setShown("stretch-duration-row", draft.stretch.to === "duration");
        setShown("stretch-by-row", draft.stretch.to === "by");
        shows.boomerang(draft.boomerang);
        for (const field of [byId("scale-duration"), byId("stretch-duration"), byId("range-out")]) {
            field.placeholder = clip ? durationText(clip.duration) : "";
        }
    };
    createRange(store);
    store.on("draft", show);
    store.on("media", show);
    show();
}

/** The fields for the in and out points. */
function createRange(/** @type {import("./store.js").Store} */ store) {
    /** @type {(change: Partial<NonNullable<Draft["range"]>>, how: How) => void} */
    const edit = (change, how) => {
        const { clip, draft } = store;
        const end = clip ? durationText(clip.duration) : "";
        const range = { start: "0", end, ...draft.range, ...change };
        range.start = range.start.trim() || "0";
        range.end = range.end.trim() || end;
        // The clip ends where it ends: what was typed says so at once.
        const { video, duration = 0 } = clip ?? {};
        if (how.final && (parseDuration(range.end, video?.frameRate, duration) ?? 0) > duration) range.end = end;
        const isWhole = parseDuration(range.start) === 0 && range.end === end;
        store.setRange(isWhole || !clip ? null : range, how);
    };
    const showIn = createText("range-in", (start, how) => edit({ start }, how));
    const showOut = createText("range-out", (end, how) => edit({ end }, how));
    const clear = byId("range-clear");
    clear.addEventListener("click", () => store.setRange(null));
    const show = () => {
        const { range } = store.draft;
        showIn(range?.start ?? "");
        showOut(range?.end ?? "");
        // Hiding the focused button would lose the focus.
        if (!range && document.activeElement === clear) byId("range-in").focus();
        clear.hidden = !range;
    };
    store.on("draft", show);
    show();
}
