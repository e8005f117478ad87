// One keyframe as a row of fields: its place, its speed, and its easing to the next keyframe.

import { capabilities } from "../app/capabilities.js";
import { html, setAll, setShown, svg } from "../../shared/elements/plot-dom.js";
import { eased, placed, roundSpeed } from "./keyframe-edits.js";
import {
    handlesOf, LINEAR_HANDLES, parseAt, parseEasing, placeOf, printAt, printBezier,
} from "./keyframe-text.js";

const HANDLES = ["x1", "y1", "x2", "y2"];
const CROSS = "M4 4l8 8M12 4l-8 8";

/**
 * @typedef {import("./types").Axis} Axis
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {"place" | "speed" | "easing" | "delete"} RowPart
 */

/** @type {RowPart[]} */
const PARTS = ["place", "speed", "easing", "delete"];

/**
 * A number field. The text isn't changed while the user is typing.
 * @param {string} className
 * @param {{ min?: number }} attributes
 * @param {(number: number) => void} onNumber
 */
function numberField(className, attributes, onNumber) {
    const field = html("input", className, {
        type: "number", step: "any", inputmode: "decimal", autocomplete: "off", ...attributes,
    });
    field.addEventListener("input", () => field.classList.add("is-typed"));
    field.addEventListener("change", () => {
        field.classList.remove("is-typed");
        onNumber(field.valueAsNumber);
    });
    field.addEventListener("blur", () => field.classList.remove("is-typed"));
    return field;
}

/** @type {(field: HTMLInputElement, text: string) => void} sets the text of a field unless the user is typing in it */
function fill(field, text) {
    if (field.classList.contains("is-typed") || field.value === text) return;
    field.value = text;
}

/** One row. It has the whole list, because an edit makes a new list. */
export class KeyframeRow {
    /** @type {Keyframe[]} */
    #keyframes = [];
    #index = 0;
    /** @type {Axis} */
    #axis = { duration: 1, least: 0 };

    /**
     * @param {{ onEdit: (keyframes: Keyframe[], next?: number) => void, onDelete: () => void,
     *     onProblem: (text: string) => void }} actions `next`: the keyframe's new index
     */
    constructor(actions) {
        this.actions = actions;
        this.place = numberField("keyframes-place", { min: 0 }, (number) => this.#onPlace(number));
        this.unit = html("span", "keyframes-unit", { "aria-hidden": "true" });
        this.speed = numberField("keyframes-speed", {}, (number) => this.#onSpeed(number));
        this.easing = html("select", "keyframes-easing", {},
            ...capabilities.easings.map(({ name, title }) => html("option", "", { value: name }, title)));
        this.easing.addEventListener("change", () =>
            this.actions.onEdit(eased(this.#keyframes, this.#index, this.easing.value)));
        this.handles = HANDLES.map((_, i) =>
            numberField("keyframes-handle", {}, (number) => this.#onHandle(i, number)));
        this.bezier = html("span", "keyframes-bezier", {}, ...this.handles);
        this.last = html("span", "keyframes-last", {}, "—");
        this.delete = html("button", "keyframes-delete", { type: "button" },
            svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: CROSS })));
        this.delete.addEventListener("click", () => this.actions.onDelete());
        const cells = [[this.place, this.unit], [this.speed, html("span", "keyframes-unit",
            { "aria-hidden": "true" }, "×")], [this.easing, this.bezier, this.last], [this.delete]];
        this.element = html("tr", "", {}, ...cells.map((children) => html("td", "", {}, ...children)));
    }

    /** The name of the part that has the focus; null if none has. */
    get focused() {
        return PARTS.find((part) => this[part] === document.activeElement) ?? null;
    }

    focus(/** @type {RowPart} */ part) {
        this[part].focus();
    }

    /** @type {(keyframes: Keyframe[], index: number, axis: Axis) => void} */
    show(keyframes, index, axis) {
        this.#keyframes = keyframes;
        this.#index = index;
        this.#axis = axis;
        const { at, speed, easing } = keyframes[index];
        const isSeconds = parseAt(at)?.unit === "seconds";
        const place = placeOf(at, axis.duration) ?? 0;
        fill(this.place, printAt(place, isSeconds ? "seconds" : "percent", axis.duration).slice(0, -1));
        this.unit.textContent = isSeconds ? "s" : "%";
        fill(this.speed, String(Number(Number(speed).toPrecision(4))));
        this.#showEasing(easing, index + 1 === keyframes.length);
        const name = `Keyframe ${index + 1}`;
        setAll(this.place, {
            "aria-label": `${name}, place in ${isSeconds ? "seconds" : "percent"}`,
            max: isSeconds ? axis.duration : 100,
        });
        setAll(this.speed, { "aria-label": `${name}, speed` });
        setAll(this.easing, { "aria-label": `${name}, easing to the next` });
        setAll(this.delete, { "aria-label": `Delete keyframe ${index + 1}`, title: "Delete" });
        this.handles.forEach((field, i) =>
            setAll(field, { "aria-label": `${name}, Bézier ${HANDLES[i]}`, title: HANDLES[i] }));
    }

    /** @type {(easing: string | undefined, isLast: boolean) => void} */
    #showEasing(easing, isLast) {
        const kind = parseEasing(easing)?.kind ?? "smooth";
        if (this.easing.value !== kind) this.easing.value = kind;
        setShown(this.easing, !isLast);
        setShown(this.last, isLast);
        setShown(this.bezier, kind === "bezier" && !isLast);
        if (kind === "bezier") handlesOf(easing)?.forEach((value, i) => fill(this.handles[i], String(value)));
    }

    #refuse(/** @type {string} */ text) {
        this.show(this.#keyframes, this.#index, this.#axis);
        this.actions.onProblem(text);
    }

    #onPlace(/** @type {number} */ number) {
        const isSeconds = this.unit.textContent === "s";
        const whole = isSeconds ? this.#axis.duration : 100;
        // A rounded number may be slightly beyond the end.
        if (!(number >= 0 && number <= whole * (1 + 1e-4))) {
            this.#refuse(`A place is a number from 0 to ${Number(whole.toFixed(3))}.`);
            return;
        }
        const result = placed(this.#keyframes, this.#index, Math.min(1, number / whole), this.#axis);
        if (result) this.actions.onEdit(result.keyframes, result.index);
        else this.#refuse("Another keyframe is at that place.");
    }

    #onSpeed(/** @type {number} */ number) {
        if (!Number.isFinite(number) || Math.abs(number) > 1000) {
            this.#refuse("A speed is a number from −1000 to 1000: 0 freezes, below 0 plays backwards.");
            return;
        }
        const speed = Number.isInteger(number) ? number : roundSpeed(number) || number;
        this.actions.onEdit(this.#keyframes.map((keyframe, i) =>
            (i === this.#index ? { ...keyframe, speed } : keyframe)));
    }

    /** @type {(i: number, number: number) => void} */
    #onHandle(i, number) {
        const isTime = i % 2 === 0;
        if (!Number.isFinite(number) || (isTime && (number < 0 || number > 1))) {
            this.#refuse(isTime ? "x is a number from 0 to 1." : "y is a number.");
            return;
        }
        const values = [...handlesOf(this.#keyframes[this.#index].easing) ?? LINEAR_HANDLES];
        values[i] = number;
        this.actions.onEdit(this.#keyframes.map((keyframe, k) =>
            (k === this.#index ? { ...keyframe, easing: printBezier(values) } : keyframe)));
    }
}
