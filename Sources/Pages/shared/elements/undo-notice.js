// Says what was removed or replaced last, and offers to bring it back.

import { announce } from "./announce.js";
import { byId } from "./dom.js";
import { draw, view } from "./view.js";

/** @param {keyof import("../elements").Elements} id of the element that says it */
export function createUndoNotice(id) {
    const element = byId(id);
    const withdraw = () => draw(element);
    /**
     * @param {string} name
     * @param {"removed" | "replaced"} what
     * @param {() => Promise<import("../types").Answer<unknown>>} bringBack
     */
    const offer = (name, what, bringBack) => {
        const use = async () => {
            const answer = await bringBack();
            if (answer.ok) withdraw();
            else draw(element, answer.error.message);
            announce(answer.ok ? `${name} is back.` : answer.error.message);
        };
        announce(`${name} was ${what}.`);
        draw(element,
            view("span", { class: "name", title: name }, `${name} was ${what}`),
            view("button", { type: "button", class: "small", onclick: use, "aria-label": `Bring back ${name}` },
                "Undo"));
    };
    return { offer, withdraw };
}
