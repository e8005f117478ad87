// The card that covers a player if there is no video to show.

import { icon } from "./icons.js";
import { draw, view } from "./view.js";

/**
 * What a card says.
 * @typedef {{ icon: import("./icons.js").IconName, title?: string, text?: string,
 *     actions?: import("./view.js").View[], poster?: string }} Card
 */

/**
 * Shows a card, or hides it.
 * @param {HTMLElement} card
 * @param {Card | null} content
 */
export function showCard(card, content) {
    card.hidden = !content;
    const { poster, title, text, actions = [] } = content ?? /** @type {Partial<Card>} */ ({});
    card.classList.toggle("has-poster", Boolean(poster));
    draw(card,
        poster && view("img", { src: poster, alt: "", class: "poster" }),
        content && view("div", { class: "card-text" },
            icon(content.icon),
            title && view("p", { class: "card-title" }, title),
            text && view("p", {}, text),
            actions.length > 0 && view("div", { class: "row" }, ...actions)));
}
