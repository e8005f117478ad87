// The card that covers a player if there is no video to show.

import { make } from "./dom.js";
import { icon } from "./icons.js";

/**
 * What a card says.
 * @typedef {{ icon: import("./icons.js").IconName, title?: string, text?: string, actions?: Node[],
 *     poster?: string }} Card
 */

/**
 * Shows a card, or hides it.
 * @param {HTMLElement} card
 * @param {Card | null} content
 */
export function showCard(card, content) {
    const key = content ? JSON.stringify({ ...content, actions: content.actions?.length }) : "";
    if (card.dataset.key === key) return;
    card.dataset.key = key;
    card.hidden = !content;
    if (!content) {
        card.replaceChildren();
        return;
    }
    const { poster, title, text, actions = [] } = content;
    card.classList.toggle("has-poster", Boolean(poster));
    card.replaceChildren(
        ...poster ? [make("img", { src: poster, alt: "", class: "poster" })] : [],
        make("div", { class: "card-text" },
            icon(content.icon),
            title ? make("p", { class: "card-title" }, title) : null,
            text ? make("p", {}, text) : null,
            actions.length > 0 ? make("div", { class: "row" }, ...actions) : null));
}
