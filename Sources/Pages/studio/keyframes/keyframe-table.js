// The keyframes as a table: the same edits as in the plot, for keyboards and screen readers.

import { html, setAll, setShown } from "../../shared/elements/plot-dom.js";
import { decimals } from "../../shared/plot-format.js";
import { added, deleted, leastDistance, placesOf, widestGap } from "./keyframe-edits.js";
import { fitRatio } from "../plot/plot-geometry.js";
import { curveSpeedAt } from "../../shared/playing/plot-map.js";
import { KeyframeRow } from "./keyframe-row.js";

/**
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("./types").Table} Table
 * @typedef {import("./types").TableActions} TableActions
 */

const HEADINGS = ["Place", "Speed", "Easing", "Delete"];

/**
 * Creates the table in an empty element.
 *
 * @param {HTMLElement} host
 * @param {TableActions} [actions]
 */
export function createKeyframeTable(host, actions = {}) {
    const table = new KeyframeTable(host, actions);
    return {
        show: (/** @type {Table} */ state) => table.show(state),
        select: (/** @type {number | null} */ index) => table.select(index),
    };
}

class KeyframeTable {
    /** @type {KeyframeRow[]} */
    #rows = [];
    /** @type {Table} */
    #state = { keyframes: [], duration: 1, over: "source", evaluation: null, flip: false };
    /** @type {number | null} */
    #selected = null;
    #caption = html("caption", "");
    #body = html("tbody", "");
    #problem = html("p", "keyframes-problem", { role: "alert", hidden: "" });

    /** @param {HTMLElement} host @param {TableActions} actions */
    constructor(host, actions) {
        this.actions = actions;
        const headings = HEADINGS.map((text) => html("th", "", { scope: "col" }, html("span", "", {}, text)));
        const add = html("button", "keyframes-add", { type: "button" }, "Add keyframe");
        add.addEventListener("click", () => this.#add());
        const table = html("table", "", {}, this.#caption,
            html("thead", "", {}, html("tr", "", {}, ...headings)), this.#body);
        host.classList.add("keyframes");
        host.replaceChildren(table, this.#problem, add);
    }

    show(/** @type {Table} */ state) {
        this.#state = state;
        const { keyframes, duration, over } = state;
        this.#caption.textContent =
            `Speeds at times of the ${over} (${decimals(duration, 2)} s)`;
        while (this.#rows.length < keyframes.length) this.#append();
        while (this.#rows.length > keyframes.length) this.#rows.pop()?.element.remove();
        this.#rows.forEach((row, i) => row.show(keyframes, i, this.#axis));
        this.#mark();
    }

    select(/** @type {number | null} */ index) {
        this.#selected = index;
        this.#mark();
    }

    get #axis() {
        const { duration } = this.#state;
        return { duration, least: leastDistance(duration, 0) };
    }

    #append() {
        const index = this.#rows.length;
        const row = new KeyframeRow({
            onEdit: (keyframes, next = index) => this.#edit(keyframes, next, index),
            onDelete: () => this.#delete(index),
            onProblem: (text) => this.#say(text),
        });
        row.element.addEventListener("focusin", () => this.#choose(index));
        this.#rows.push(row);
        this.#body.append(row.element);
    }

    #mark() {
        this.#rows.forEach(({ element }, i) => {
            setAll(element, { "aria-current": i === this.#selected ? "true" : null });
        });
    }

    #choose(/** @type {number} */ index) {
        if (index === this.#selected) return;
        this.select(index);
        this.actions.onSelect?.(index);
    }

    #say(/** @type {string} */ text) {
        this.#problem.textContent = text;
        setShown(this.#problem, text !== "");
    }

    /** @type {(keyframes: Keyframe[], next: number, index: number) => void} `next`: the new row of `index` */
    #edit(keyframes, next, index) {
        this.#say("");
        const focused = this.#rows[index].focused;
        this.show({ ...this.#state, keyframes });
        this.actions.onKeyframes?.(keyframes, { final: true });
        if (next === index) return;
        if (focused) this.#rows[next].focus(focused);
        this.#choose(next);
    }

    #add() {
        const { keyframes, duration } = this.#state;
        const place = widestGap(keyframes, duration);
        const result = added(keyframes, { place, speed: this.#speedAt(place) }, this.#axis);
        if (!result) {
            this.#say("There is no room for another keyframe.");
            return;
        }
        this.#edit(result.keyframes, result.index, result.index);
        this.#rows[result.index].focus("place");
    }

    /** The curve's speed at a place; without an evaluation, the speed of the keyframe before it. */
    #speedAt(/** @type {number} */ place) {
        const { keyframes, duration, evaluation, flip } = this.#state;
        const places = placesOf(keyframes, duration);
        if (evaluation) {
            const turned = (/** @type {number} */ share) => (flip ? 1 - share : share);
            const ratio = fitRatio(evaluation, keyframes, places.map(turned)) ?? 1;
            return curveSpeedAt(evaluation.curve, turned(place)) / ratio;
        }
        const before = places.filter((other) => other <= place).length - 1;
        return keyframes[Math.max(0, before)]?.speed ?? 1;
    }

    #delete(/** @type {number} */ index) {
        const { keyframes } = this.#state;
        const rest = deleted(keyframes, index);
        if (rest === keyframes) {
            this.#say("At least two keyframes are needed.");
            return;
        }
        const next = Math.min(index, rest.length - 1);
        this.#edit(rest, next, next);
        this.#rows[next].focus("delete");
    }
}
