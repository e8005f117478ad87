// Says what was removed or replaced last, and offers to bring it back.

import { announce } from "./announce.js";
import { byId, make } from "./dom.js";

/** @param {keyof import("../elements").Elements} id of the element that says it */
export function createUndoNotice(id) {
    const element = byId(id);
    const withdraw = () => element.replaceChildren();
    /**
     * @param {string} name
     * @param {"removed" | "replaced"} what
     * @param {() => Promise<import("../types").Answer<unknown>>} bringBack
     */
    const offer = (name, what, bringBack) => {
        const use = async () => {
            const answer = await bringBack();
            if (answer.ok) withdraw();
            else element.textContent = answer.error.message;
            announce(answer.ok ? `${name} is back.` : answer.error.message);
        };
        announce(`${name} was ${what}.`);
        element.replaceChildren(
            make("span", { class: "name", title: name }, `${name} was ${what}`),
            make("button", { type: "button", class: "small", onclick: use, "aria-label": `Bring back ${name}` },
                "Undo"));
    };
    return { offer, withdraw };
}
