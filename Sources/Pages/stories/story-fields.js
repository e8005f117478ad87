// The fields beside the graph.

import { restore, view } from "../shared/elements/view.js";

/** @typedef {import("../shared/elements/view.js").View} View */

/** @type {(label: string, control: View, hint?: string) => View} */
export const field = (label, control, hint) => view("label", { class: "story-field", title: hint },
    view("span", {}, label), control);

/**
 * A text field. It gets its text back if the new one isn't taken: if `onChange` returns false.
 * @type {(value: string, onChange: (text: string) => unknown, attributes?: Record<string, any>) => View}
 */
export const textField = (value, onChange, attributes = {}) => view("input", {
    type: "text", value, autocomplete: "off", spellcheck: "false", ...attributes,
    onchange: (/** @type {Event} */ event) => {
        const target = /** @type {HTMLInputElement} */ (event.target);
        if (onChange(target.value.trim()) === false) restore(target);
    },
});

/**
 * A menu among pairs of value and text.
 * @param {string} value
 * @param {[string, string][]} options
 * @param {(value: string) => void} onChange
 * @param {Record<string, any>} attributes
 * @returns {View}
 */
export const menu = (value, options, onChange, attributes = {}) => view("select", {
    value, ...attributes,
    onchange: (/** @type {Event} */ { target }) => onChange(/** @type {HTMLSelectElement} */ (target).value),
}, ...options.map(([each, text]) => view("option", { value: each }, text)));
