// The tabs for the tasks: Warp, Scale, Stretch, Reverse.

import { byId } from "../../shared/elements/dom.js";

/** @param {import("./store.js").Store} store */
export function createTabs(store) {
    const tabs = /** @type {HTMLElement[]} */ ([...byId("tabs").querySelectorAll("[role=tab]")]);
    const choose = (/** @type {HTMLElement} */ tab) => store.edit({
        task: /** @type {import("../types").Task} */ (tab.dataset.task) });
    for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
    byId("tabs").addEventListener("keydown", (event) => {
        const place = tabs.findIndex((tab) => tab === document.activeElement);
        /** @type {Record<string, number>} */
        const places = {
            ArrowRight: (place + 1) % tabs.length,
            ArrowLeft: (place + tabs.length - 1) % tabs.length,
            Home: 0, End: tabs.length - 1,
        };
        const next = places[event.key];
        if (next === undefined || place < 0) return;
        event.preventDefault();
        event.stopPropagation();
        tabs[next].focus();
        choose(tabs[next]);
    });
    const show = () => {
        for (const tab of tabs) {
            const isChosen = tab.dataset.task === store.draft.task;
            tab.setAttribute("aria-selected", String(isChosen));
            tab.tabIndex = isChosen ? 0 : -1;
            const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
            if (panel) panel.hidden = !isChosen;
        }
    };
    store.on("draft", show);
    show();
}
