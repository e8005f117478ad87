// Form fields that show a value of the draft, and edit the draft when the user changes them.

import { byId } from "./dom.js";
import { create, draw, view } from "./view.js";
import { factorOf } from "../numbers.js";
import { durationText, parseDuration } from "../times.js";

/**
 * @typedef {import("../types").How} How
 * @typedef {import("../elements").IdOf<HTMLInputElement>} TextId
 */

/** What a time can be. */
export const A_TIME = "A time such as 1.5s, 60f, 1:30 or 25%.";

/**
 * Says beside a field what can be typed there, until something else is typed or the field is left.
 * @type {(field: HTMLInputElement, hint: string) => void}
 */
export function refuse(field, hint) {
    const end = new AbortController(), { signal } = end;
    for (const kind of ["input", "blur"]) {
        field.addEventListener(kind, () => {
            end.abort();
            field.setCustomValidity("");
            field.removeAttribute("aria-invalid");
        }, { signal, capture: true });
    }
    field.setAttribute("aria-invalid", "true");
    field.setCustomValidity(hint);
    field.reportValidity();
}

/** @type {(field: HTMLInputElement) => number | null} the number in a field; null if it has none */
function numberIn(field) {
    const number = factorOf(field.value);
    return Number.isFinite(number) ? number : null;
}

/**
 * A slider with a number field, which takes any value. Undo treats a drag as one step.
 * @param {"factor" | "modifier" | "scale-factor" | "scale-speed"} id of the slider; that of the field is `id-number`
 * @param {{ min: number, max: number, step: number }} range
 * @param {(value: number) => string} spoken
 * @param {(value: number, how: How) => void} onEdit
 * @returns {(value: number) => void} shows a value
 */
export function createDial(id, range, spoken, onEdit) {
    const slider = byId(id), field = byId(`${id}-number`);
    Object.assign(slider, range);
    const paint = (/** @type {number} */ value) => {
        const share = (Math.min(range.max, Math.max(range.min, value)) - range.min)
            / (range.max - range.min);
        slider.style.setProperty("--share", `${100 * share}%`);
        slider.setAttribute("aria-valuetext", spoken(value));
    };
    slider.addEventListener("input", () => {
        onEdit(Number(slider.value), { gesture: id, final: false });
    });
    slider.addEventListener("change", () => {
        onEdit(Number(slider.value), { gesture: id, final: true });
    });
    field.addEventListener("input", () => {
        const value = numberIn(field);
        field.setAttribute("aria-invalid", String(value === null));
        if (value !== null) onEdit(value, { gesture: `${id}-number`, final: false });
    });
    let shown = NaN;
    field.addEventListener("change", () => {
        // If the text isn't a number, the field gets its old value back.
        const value = numberIn(field) ?? shown;
        field.value = String(value);
        field.removeAttribute("aria-invalid");
        onEdit(value, { gesture: `${id}-number`, final: true });
    });
    return (value) => {
        shown = value;
        if (Number(slider.value) !== value) slider.value = String(value);
        if (document.activeElement !== field || numberIn(field) !== value) field.value = String(value);
        paint(value);
    };
}

/**
 * A text field. Undo treats everything typed until the field loses the focus as one step. While somebody types, the
 * field isn't written, because what is typed may not be finished: "1." on the way to "1.5".
 * @param {TextId} id
 * @param {(text: string, how: How) => unknown} onEdit returns a hint if the text can't be used
 * @returns {(text: string) => void} shows a text
 */
export function createText(id, onEdit) {
    const field = byId(id);
    let shown = field.value, isTyping = false;
    const end = () => {
        isTyping = false;
        field.value = shown;
    };
    field.addEventListener("input", () => {
        isTyping = true;
        onEdit(field.value, { gesture: id, final: false });
    });
    field.addEventListener("change", () => {
        const hint = onEdit(field.value, { gesture: id, final: true });
        // What can't be used stays to be mended, unless the field is left.
        if (typeof hint === "string" && field.matches(":focus")) refuse(field, hint);
        else end();
    });
    field.addEventListener("blur", end);
    return (text) => {
        shown = text;
        if (!isTyping && field.value !== text) field.value = text;
    };
}

/**
 * A text field with a time in seconds, which counts when the field is left or with Enter.
 * @param {TextId} id
 * @param {(seconds: number) => void} onEdit
 * @param {() => number} frameRate of what may be typed as frames or timecode
 * @param {() => number} whole the duration that is 100%
 * @returns {(seconds: number) => void} shows a time
 */
export function createTime(id, onEdit, frameRate, whole) {
    const field = byId(id);
    const show = createText(id, (text, { final }) => {
        const seconds = parseDuration(text, frameRate(), whole());
        field.setAttribute("aria-invalid", String(seconds === null && !final));
        if (seconds === null) return A_TIME;
        if (final) onEdit(seconds);
    });
    return (seconds) => show(durationText(Number(seconds.toFixed(3))));
}

/**
 * Makes the radio buttons of a group from what can be chosen.
 * @param {import("../elements").IdOf<HTMLFieldSetElement>} id of the group, and the name of its buttons
 * @param {{ name: string, title: string }[]} choices
 */
export function fillChoice(id, choices) {
    byId(id).append(...choices.map(({ name, title }) => create(view("label", {},
        view("input", { type: "radio", name: id, value: name }), view("span", {}, title)))));
}

/**
 * A group of radio buttons with the same name.
 * @template {string} Value
 * @param {string} name
 * @param {(value: Value) => void} onEdit
 * @returns {(value: Value) => void} shows a choice
 */
export function createChoice(name, onEdit) {
    /** @returns {NodeListOf<HTMLInputElement>} */
    const radios = () => document.querySelectorAll(`input[type=radio][name="${name}"]`);
    for (const radio of radios()) {
        radio.addEventListener("change", () => radio.checked && onEdit(/** @type {Value} */ (radio.value)));
    }
    return (value) => {
        for (const radio of radios()) radio.checked = radio.value === value;
    };
}

/**
 * @param {TextId} id
 * @param {(isOn: boolean) => void} onEdit
 * @returns {(isOn: boolean) => void}
 */
export function createSwitch(id, onEdit) {
    const box = byId(id);
    box.addEventListener("change", () => onEdit(box.checked));
    return (isOn) => {
        box.checked = isOn;
    };
}

/**
 * A menu.
 * @param {import("../elements").IdOf<HTMLSelectElement>} id
 * @param {(value: string) => void} onEdit
 * @returns {(value: string, options: [string, string][]) => void} shows a choice among pairs of
 *     value and text
 */
export function createMenu(id, onEdit) {
    const menu = byId(id);
    menu.addEventListener("change", () => onEdit(menu.value));
    return (value, options) => {
        draw(menu, ...options.map(([each, text]) => view("option", { value: each }, text)));
        menu.value = value;
    };
}

/**
 * Hides or shows an element by its id.
 * @param {keyof import("../elements").Elements} id
 * @param {boolean} isShown
 */
export function setShown(id, isShown) {
    byId(id).hidden = !isShown;
}
