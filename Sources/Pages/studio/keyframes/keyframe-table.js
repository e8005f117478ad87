// The keyframes as a table: the same edits as in the plot, for keyboards and screen readers.

import { factorOf } from "../../shared/numbers.js";
import { decimals } from "../../shared/plot-format.js";
import { clockText, parseDuration } from "../../shared/times.js";
import { curveSpeedAt } from "../../shared/playing/plot-map.js";
import { draw, restore, view } from "../../shared/elements/view.js";
import { capabilities } from "../app/capabilities.js";
import { fitRatio } from "../plot/plot-geometry.js";
import { added, deleted, eased, leastDistance, placed, placesOf, roundSpeed, widestGap } from "./keyframe-edits.js";
import { withPicturesHeld } from "./keyframe-pictures.js";
import { handlesOf, LINEAR_HANDLES, parseAt, parseEasing, placeOf, printAt, printBezier, SHOWN_SECONDS } from "./keyframe-text.js";

/**
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("./types").Table} Table
 * @typedef {import("./types").TableActions} TableActions
 * @typedef {import("../../shared/elements/view.js").View} View
 */

const HEADINGS = ["Place", "Speed", "Easing", "Delete"];
const HANDLES = ["x1", "y1", "x2", "y2"];
const CROSS = "M4 4l8 8M12 4l-8 8";

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
    /** @type {Table} */
    #state = { keyframes: [], duration: 1, frameRate: 0, over: "source", evaluation: null, flip: false };
    /** @type {number | null} */
    #selected = null;
    #problem = "";

    /** @param {HTMLElement} host @param {TableActions} actions */
    constructor(host, actions) {
        this.host = host;
        this.actions = actions;
        host.classList.add("keyframes");
    }

    show(/** @type {Table} */ state) {
        this.#state = state;
        this.#draw();
    }

    select(/** @type {number | null} */ index) {
        this.#selected = index;
        this.#draw();
    }

    get #axis() {
        const { duration } = this.#state;
        return { duration, least: leastDistance(duration, 0) };
    }

    // Drawing

    #draw() {
        const { keyframes, duration, over } = this.#state;
        draw(this.host,
            view("table", {},
                view("caption", {}, `Speeds at times of the ${over} (${decimals(duration, 2)} s)`),
                view("thead", {}, view("tr", {}, ...HEADINGS.map((text) =>
                    view("th", { scope: "col" }, view("span", {}, text))))),
                view("tbody", {}, ...keyframes.map((keyframe, index) => this.#row(keyframe, index)))),
            view("p", { class: "keyframes-problem", role: "alert", hidden: this.#problem === "" }, this.#problem),
            view("div", { class: "row keyframes-acts" },
                this.#stepButton(-1, "Previous"),
                view("button", { type: "button", class: "small", title: "At the playhead (A)", onclick: () => this.#add() },
                    "Add keyframe"),
                this.#stepButton(1, "Next")));
    }

    /** @type {(way: -1 | 1, title: string) => View} a button that goes to the keyframe before or after the playhead */
    #stepButton(way, title) {
        return view("button", {
            type: "button", class: "small", title: `${title} keyframe (${way < 0 ? "[" : "]"})`,
            "aria-label": `${title} keyframe`, onclick: () => this.actions.onStep?.(way),
        }, way < 0 ? "‹" : "›");
    }

    /** @type {(keyframe: Keyframe, index: number) => View} */
    #row({ at, speed, easing, source }, index) {
        const { keyframes, duration } = this.#state;
        const name = `Keyframe ${index + 1}`;
        const unit = parseAt(at)?.unit === "seconds" ? "seconds" : "percent";
        const place = printAt(placeOf(at, duration) ?? 0, unit, duration, SHOWN_SECONDS);
        return view("tr", {
            "aria-current": index === this.#selected ? "true" : null, onfocusin: () => this.#choose(index),
        },
        view("td", {}, textField("place", place, {
            "aria-label": `${name}, place`, title: "40%, 1.5s, 0:01.5, 0:00:01:12 or 36f",
        }, (text) => this.#place(index, text, unit)),
        source !== undefined && view("label", { class: "keyframes-cut" }, "cut to",
            textField("cut", clockText(this.#start + (parseAt(source)?.value ?? 0)), {
                "aria-label": `${name}, cut to`, title: "A time of the clip: 1.5s, 0:01.5, 0:00:01:12 or 36f",
            }, (text) => this.#cutTo(index, text)))),
        view("td", {}, textField("speed", String(Number(Number(speed).toPrecision(4))), {
            "aria-label": `${name}, speed`, inputmode: "decimal", title: "0.5, 1/2, 50% or 2×",
        }, (text) => this.#accelerate(index, factorOf(text))),
        view("span", { class: "keyframes-unit", "aria-hidden": "true" }, "×")),
        view("td", {}, ...index + 1 === keyframes.length ? [view("span", { class: "keyframes-last" }, "—")]
            : this.#easing(easing, index, name)),
        view("td", {}, view("button", {
            type: "button", class: "keyframes-delete", "data-act": "delete", title: "Delete",
            "aria-label": `Delete keyframe ${index + 1}`, onclick: () => this.#delete(index),
        }, view("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, view("path", { d: CROSS })))));
    }

    /** @type {(easing: string | undefined, index: number, name: string) => (View | false)[]} */
    #easing(easing, index, name) {
        const kind = parseEasing(easing)?.kind ?? "smooth";
        return [
            view("select", {
                class: "keyframes-easing", "data-act": "easing", value: kind,
                "aria-label": `${name}, easing to the next`,
                onchange: (/** @type {Event} */ { target }) => this.#edit(eased(
                    this.#state.keyframes, index, /** @type {HTMLSelectElement} */ (target).value), index),
            }, ...capabilities.easings.map((each) => view("option", { value: each.name }, each.title))),
            kind === "bezier" && view("span", { class: "keyframes-bezier" },
                ...(handlesOf(easing) ?? []).map((value, i) => numberField("handle", String(Number(value.toFixed(2))), {
                    "aria-label": `${name}, Bézier ${HANDLES[i]}`, title: HANDLES[i],
                }, (number) => this.#bend(index, i, number)))),
        ];
    }

    /** Where in the clip its used part begins. */
    get #start() {
        return this.#state.evaluation?.sourceStart ?? 0;
    }

    #say(/** @type {string} */ text) {
        this.#problem = text;
        this.#draw();
    }

    // Editing

    #choose(/** @type {number} */ index) {
        if (index === this.#selected) return;
        this.select(index);
        this.actions.onSelect?.(index);
    }

    #focus(/** @type {number} */ index, /** @type {string} */ part) {
        const row = this.host.querySelectorAll("tbody tr")[index];
        /** @type {HTMLElement | null | undefined} */ (row?.querySelector(`[data-act=${part}]`))?.focus();
    }

    /** @type {(edited: Keyframe[], index: number, next?: number) => void} `next`: the new row of `index` */
    #edit(edited, index, next = index) {
        const { keyframes: before, evaluation } = this.#state;
        const keyframes = evaluation && next === index
            ? withPicturesHeld(before, edited, evaluation.sourceDuration) : edited;
        const { activeElement } = document;
        const part = activeElement instanceof HTMLElement && this.host.contains(activeElement)
            ? activeElement.dataset.act : undefined;
        this.#problem = "";
        this.show({ ...this.#state, keyframes });
        this.actions.onKeyframes?.(keyframes, { final: true });
        if (next === index) return;
        if (part) this.#focus(next, part);
        this.#choose(next);
    }

    #change(/** @type {number} */ index, /** @type {Partial<Keyframe>} */ change) {
        this.#edit(this.#state.keyframes.map((each, i) => (i === index ? { ...each, ...change } : each)), index);
    }

    /** @type {(index: number, text: string, shown: import("./keyframe-text.js").Unit) => void} `shown`: of a bare number */
    #place(index, text, shown) {
        const { frameRate } = this.#state, { duration } = this.#axis;
        const unit = text.endsWith("%") ? "percent" : /^[\d.]+$/.test(text) ? shown : "seconds";
        const number = unit === "percent" ? Number(text.replace("%", "") || NaN) : parseDuration(text, frameRate) ?? NaN;
        const whole = unit === "percent" ? 100 : duration;
        // A rounded number may be slightly beyond the end.
        if (!(number >= 0 && number <= whole * (1 + 1e-4))) {
            this.#say(`A place is a share, such as 40%, or a time up to ${clockText(duration)}, such as 1.5s, 0:01.5 or 36f.`);
            return;
        }
        const result = placed(this.#state.keyframes, index, Math.min(1, number / whole), this.#axis, unit);
        if (result) this.#edit(result.keyframes, index, result.index);
        else this.#say("Another keyframe is at that place.");
    }

    /** @type {(index: number, text: string) => void} lets a cut go to another time of the clip */
    #cutTo(index, text) {
        const { frameRate, evaluation } = this.#state;
        const time = (parseDuration(text, frameRate) ?? NaN) - this.#start, length = evaluation?.sourceDuration ?? 0;
        if (time >= 0 && time <= length) this.#change(index, { source: printAt(time / length, "seconds", length) });
        else this.#say(`A cut goes to a time from ${clockText(this.#start)} to ${clockText(this.#start + length)}.`);
    }

    /** @type {(index: number, number: number) => void} */
    #accelerate(index, number) {
        if (!Number.isFinite(number) || Math.abs(number) > 1000) {
            this.#say("A speed is a number from −1000 to 1000: 0 freezes, below 0 plays backwards.");
            return;
        }
        this.#change(index, { speed: Number.isInteger(number) ? number : roundSpeed(number) || number });
    }

    /** @type {(index: number, i: number, number: number) => void} sets a number of a Bézier easing */
    #bend(index, i, number) {
        const isTime = i % 2 === 0;
        if (!Number.isFinite(number) || (isTime && (number < 0 || number > 1))) {
            this.#say(isTime ? "x is a number from 0 to 1." : "y is a number.");
            return;
        }
        const values = [...handlesOf(this.#state.keyframes[index].easing) ?? LINEAR_HANDLES];
        values[i] = number;
        this.#change(index, { easing: printBezier(values) });
    }

    /** At the playhead, or in the widest gap if there is a keyframe already. */
    #add() {
        const index = this.actions.onAdd?.() ?? null;
        if (index !== null) {
            this.#focus(index, "place");
            return;
        }
        const { keyframes, duration } = this.#state;
        const place = widestGap(keyframes, duration);
        const result = added(keyframes, { place, speed: this.#speedAt(place) }, this.#axis);
        if (!result) {
            this.#say("There is no room for another keyframe.");
            return;
        }
        this.#edit(result.keyframes, result.index);
        this.#focus(result.index, "place");
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
        this.#edit(rest, next);
        this.#focus(next, "delete");
    }
}

/**
 * @type {(part: string, value: string, attributes: Record<string, any>, onText: (text: string) => void) => View}
 */
function textField(part, value, attributes, onText) {
    return view("input", {
        type: "text", class: `keyframes-${part}`, "data-act": part, autocomplete: "off", spellcheck: "false", value,
        ...attributes, onchange: (/** @type {Event} */ { currentTarget }) => {
            const field = /** @type {HTMLInputElement} */ (currentTarget);
            onText(field.value.trim());
            restore(field);
        },
    });
}

/** @type {(part: string, value: string, attributes: Record<string, any>, onNumber: (number: number) => void) => View} */
const numberField = (part, value, attributes, onNumber) => textField(part, value, {
    type: "number", step: "any", inputmode: "decimal", ...attributes,
}, (text) => onNumber(text === "" ? NaN : Number(text)));
