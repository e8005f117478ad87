// The tabs for the tasks: Warp, Scale, Stretch, Reverse.

import { byId } from "../../shared/elements/dom.js";

/** @param {import("./store.js").Store} store */
export function createTabs(store) {
    const tabs = [...byId("tabs").querySelectorAll("[role=tab]")];
    const choose = (tab) => store.edit({ task: tab.dataset.task });
    byId("tabs").addEventListener("click", ({ target }) => {
        const tab = target.closest("[role=tab]");
        if (tab) choose(tab);
    });
    byId("tabs").addEventListener("keydown", (event) => {
        const place = tabs.indexOf(document.activeElement);
        const next = {
            ArrowRight: (place + 1) % tabs.length,
            ArrowLeft: (place + tabs.length - 1) % tabs.length,
            Home: 0, End: tabs.length - 1,
        }[event.key];
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
            byId(tab.getAttribute("aria-controls")).hidden = !isChosen;
        }
    };
    store.on("draft", show);
    show();
}
