// Shows the error of the request next to the field that causes it.

import { announce } from "../../shared/elements/announce.js";
import { byId } from "../../shared/elements/dom.js";

/** @typedef {keyof import("../../shared/elements").Elements} Id */

/**
 * For each field of an error: the element that shows the message, and the inputs marked as invalid.
 * @type {Record<string, [place: Id, fields: Id[]]>}
 */
const PLACES = {
    curve: ["error-curve", ["formula"]],
    fit: ["error-fit", ["fit"]],
    scale: ["error-scale", ["scale-duration", "scale-speed-number", "scale-factor-number"]],
    stretch: ["error-stretch", ["stretch-duration", "stretch-by"]],
    match: ["error-match", []],
    range: ["error-range", ["range-in", "range-out"]],
    video: ["error-video", ["quality", "preset"]],
    sound: ["error-sound", ["bit-rate"]],
    container: ["error-container", ["container"]],
    media: ["error-media", []],
    sample: ["error-request", []],
};

/** @type {Record<string, string>} what the length of the output is set by */
const LENGTHS = { warp: "fit", scale: "scale", stretch: "stretch" };
/** @type {Record<string, string>} the task that a field belongs to */
const TASKS = { curve: "warp", match: "stretch" };

/** An error is announced after this many milliseconds, because the user may still be typing. */
const PAUSE = 800;

/** @param {import("./store.js").Store} store */
export function createErrors(store) {
    let timer = 0;
    let told = "";
    store.on("evaluation", () => {
        const { error } = store;
        showError(error, store.draft.task);
        byId("render").setAttribute("aria-disabled", String(error !== null));
        clearTimeout(timer);
        if (!error) told = "";
        else timer = setTimeout(() => {
            if (error.message !== told) announce(error.message);
            told = error.message;
        }, PAUSE);
    });
}

/**
 * @param {Pick<import("../../shared/types").Failure, "message" | "field"> | null} error
 * @param {import("../types").Task} task
 */
export function showError(error, task) {
    const shown = placeOf(error, task);
    for (const [place, fields] of Object.values(PLACES)) {
        byId(place).textContent = error && place === shown ? error.message : "";
        for (const id of fields) {
            if (place === shown) byId(id).setAttribute("aria-invalid", "true");
            else byId(id).removeAttribute("aria-invalid");
        }
    }
    byId("error-request").textContent = error && shown === "error-request" ? error.message : "";
    // The group is opened to show the error.
    if (error?.field === "container") byId("output").open = true;
}

/**
 * The element that shows an error. An error of a hidden field is shown above the Render button.
 * @type {(error: { field: string | null } | null, task: string) => Id | null}
 */
const placeOf = (error, task) => {
    if (!error) return null;
    const field = (error.field === "length" ? LENGTHS[task] : error.field) ?? "";
    const isHidden = (TASKS[field] ?? task) !== task || (field === "video" && byId("video-group").hidden);
    return PLACES[field] && !isHidden ? PLACES[field][0] : "error-request";
};
