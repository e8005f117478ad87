// What smart rendering keeps of the video, beside its switch.

import { api } from "../../shared/api.js";
import { byId } from "../../shared/elements/dom.js";
import { createEvaluator } from "../app/evaluator.js";
import { estimateText } from "./smart-text.js";

/** For how many milliseconds nothing may change before the file is read. */
const PAUSE = 500;

/**
 * Asks the server whenever the output's settings are open.
 * @param {import("../app/store.js").Store} store
 */
export function createSmartEstimate(store) {
    const settings = /** @type {HTMLDetailsElement} */ (byId("output"));
    /** @type {import("../../shared/server").KeepingEstimate | null} */
    let estimate = null;
    /** @type {number | undefined} */
    let pause;
    const show = () => {
        byId("smart-hint").textContent = estimateText(estimate, store.draft.video.smart);
    };
    const evaluate = createEvaluator(api.keeping, (answer, _request, isLatest) => {
        if (!isLatest) return;
        estimate = answer.ok ? answer.value : null;
        show();
    });
    const ask = () => {
        clearTimeout(pause);
        if (settings.open) pause = window.setTimeout(() => evaluate(store.request), PAUSE);
        else estimate = null;
        show();
    };
    settings.addEventListener("toggle", ask);
    store.on("draft", ask);
    store.on("media", ask);
    show();
}
