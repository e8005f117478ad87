// Says what was removed or replaced last, and offers to bring it back.

import { announce } from "./announce.js";
import { byId, make } from "./dom.js";

/**
 * @param {string} id of the element that says it
 * @returns {{ offer: (name: string, what: "removed" | "replaced",
 *     bringBack: () => Promise<{ ok: boolean, error?: { message: string } }>) => void, withdraw: () => void }}
 */
export function createUndoNotice(id) {
    const element = byId(id);
    const withdraw = () => element.replaceChildren();
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
