// Plays a story as a pure state machine: a state and an input give a new state and actions. It
// uses no clock, page or video, and follows the same rules as StoryRuntime in the library.
//
//            showControls            chose, decide
//   playing ─────────────▶ choosing ───────────────▶ locked ──finished──▶ (the next segment)
//      │ ◀─────────────── ───┘  hideControls            ▲
//      │     decide, or a segment with only `then`      │
//      ├────────────────────────────────────────────────┘
//      │ finished: choices but no default        chose
//      ├───────────────────────────────▶ waiting ───────▶ (the next segment)
//      │ finished: nothing follows
//      └───────────────────────────────▶ ended

import { holds, valueOf } from "./formula.js";

/** @typedef {import("../types.js").Manifest} Manifest */
/** @typedef {import("../types.js").State} State */

/** A step in progress: the new state, and the actions so far. */
class Step {
    /** @param {Manifest} manifest @param {State} state */
    constructor(manifest, state) {
        this.manifest = manifest;
        this.state = state;
        /** @type {import("../types.js").Action[]} */
        this.actions = [];
    }

    get segment() {
        return this.manifest.segments[this.state.segment];
    }

    /** @type {(name: string, how: "play" | "jump") => void} */
    enter(name, how) {
        Object.assign(this.state, {
            segment: name, phase: "playing", available: [], next: null, fired: 0,
        });
        this.actions.push({ do: how, segment: name });
        if (this.segment.choices.length === 0 && this.segment.then !== null) {
            this.lock(this.segment.then);
        }
    }

    /** @param {string} next */
    lock(next) {
        Object.assign(this.state, { phase: "locked", available: [], next });
        this.actions.push({ do: "lock", segment: next });
    }

    /** Hides the choices, if they are shown. */
    hide() {
        if (this.state.phase !== "choosing" && this.state.phase !== "waiting") return;
        this.actions.push({ do: "hide" });
    }

    offered() {
        return this.segment.choices.flatMap((choice, index) =>
            holds(choice.when, this.state.variables) ? [index] : []);
    }

    remember() {
        const { segment, variables } = this.state;
        this.state.history = [...this.state.history, { segment, variables }];
    }

    takeDefault() {
        const { loop, default: preset } = this.segment;
        const next = loop ? this.state.segment : preset;
        if (next === null) return;
        if (!loop) this.remember();
        this.hide();
        this.lock(next);
    }

    /** @param {{ do: string }} event */
    fire(event) {
        const { phase } = this.state;
        if (event.do === "showControls") {
            if (phase === "playing") this.showControls();
        } else if (event.do === "hideControls") {
            if (phase !== "choosing") return;
            this.hide();
            Object.assign(this.state, { phase: "playing", available: [] });
        } else if (event.do === "decide") {
            if (this.segment.choices.length === 0) return;
            if (phase === "playing" || phase === "choosing") this.takeDefault();
        } else {
            this.actions.push({ do: "event", name: event.do });
        }
    }

    showControls() {
        const choices = this.offered();
        if (choices.length === 0) return;
        Object.assign(this.state, { phase: "choosing", available: choices });
        this.actions.push({ do: "show", choices });
    }

    /** @param {number} time */
    reached(time) {
        const { events } = this.segment;
        while (this.state.fired < events.length && events[this.state.fired].at <= time) {
            this.state.fired += 1;
            this.fire(events[this.state.fired - 1]);
        }
    }

    finished() {
        this.reached(Infinity);
        if (this.state.phase !== "locked" && this.segment.choices.length > 0) this.takeDefault();
        if (this.state.phase === "locked") {
            this.enter(this.state.next, "jump");
        } else {
            this.stay();
        }
    }

    /** Nothing follows automatically: the viewer has to choose, or the story ends. */
    stay() {
        const choices = this.offered();
        const wereShown = this.state.phase === "choosing";
        Object.assign(this.state, {
            phase: choices.length > 0 ? "waiting" : "ended", available: choices,
        });
        if (choices.length === 0) {
            this.actions.push({ do: "end" });
        } else if (!wereShown) {
            this.actions.push({ do: "show", choices });
        }
    }

    /** @param {number} index */
    chose(index) {
        if (!this.state.available.includes(index)) return;
        const wasWaiting = this.state.phase === "waiting";
        const choice = this.segment.choices[index];
        const before = this.state.variables;
        this.remember();
        // Values that JSON can't store (NaN, infinity) are not assigned. Adding 0 turns −0 into 0, because not every JSON
        // reader keeps the sign.
        const values = choice.set
            .map(/** @returns {[string, number]} */ ([name, formula]) => [name, valueOf(formula, before) + 0])
            .filter(([, value]) => Number.isFinite(value));
        this.state.variables = { ...before, ...Object.fromEntries(values) };
        this.actions.push({ do: "choice", segment: this.state.segment, choice: index });
        this.hide();
        if (choice.immediately && !wasWaiting) {
            // What the segment still had is never reached.
            this.state.fired = this.segment.events.length;
            this.actions.push({ do: "leave" });
        }
        this.lock(choice.goto);
        if (wasWaiting) this.enter(choice.goto, "jump");
    }

    back() {
        const last = this.state.history.at(-1);
        if (!last) return;
        this.hide();
        this.state.history = this.state.history.slice(0, -1);
        this.state.variables = last.variables;
        this.enter(last.segment, "play");
    }

    restart() {
        this.hide();
        Object.assign(this.state, freshState(this.manifest));
        this.enter(this.manifest.start, "play");
    }
}

/** @type {(manifest: Manifest) => State} the state before a story has begun */
export function freshState(manifest) {
    return {
        segment: manifest.start, variables: { ...manifest.variables }, phase: "ended",
        available: [], next: null, fired: 0, history: [],
    };
}

/**
 * Takes one step. The given state isn't changed.
 * @type {(manifest: Manifest, state: State, input: import("../types.js").Input) => import("../types.js").Result}
 */
export function step(manifest, state, input) {
    const next = new Step(manifest, { ...state });
    const goesOn = ["playing", "choosing", "locked"].includes(state.phase);
    switch (input.do) {
    case "reached": if (goesOn) next.reached(input.time); break;
    case "finished": if (goesOn) next.finished(); break;
    case "chose": next.chose(input.choice); break;
    case "back": next.back(); break;
    case "start":
    case "restart": next.restart(); break;
    }
    return { state: next.state, actions: next.actions };
}

/**
 * Resumes a saved state: plays its segment from the start, with its variables and history.
 * @param {Manifest} manifest
 * @param {unknown} saved
 * @returns {import("../types.js").Result | null} null if the story had ended or the state isn't from this story
 */
export function resume(manifest, saved) {
    if (!isState(manifest, saved) || saved.phase === "ended") return null;
    const next = new Step(manifest, { ...freshState(manifest), variables: saved.variables });
    next.state.history = saved.history;
    next.enter(saved.segment, "play");
    return { state: next.state, actions: next.actions };
}

/** @type {(manifest: Manifest, saved: any) => saved is State} */
function isState(manifest, saved) {
    if (!isMoment(manifest, saved) || !Array.isArray(saved.history)) return false;
    const { events, choices } = manifest.segments[saved.segment];
    /** @type {(value: any, end: number) => boolean} */
    const isIndex = (value, end) => Number.isInteger(value) && value >= 0 && value < end;
    const goesOn = saved.next === null
        ? saved.phase !== "locked" : Object.hasOwn(manifest.segments, saved.next);
    return goesOn && isIndex(saved.fired, events.length + 1)
        && Array.isArray(saved.available)
        && saved.available.every((/** @type {any} */ index) => isIndex(index, choices.length))
        && saved.history.every((/** @type {any} */ moment) => isMoment(manifest, moment));
}

/** @type {(manifest: Manifest, moment: any) => boolean} */
function isMoment(manifest, moment) {
    if (!moment || !moment.variables || !Object.hasOwn(manifest.segments, moment.segment)) {
        return false;
    }
    const names = Object.keys(moment.variables);
    return names.length === Object.keys(manifest.variables).length
        && names.every((name) => Object.hasOwn(manifest.variables, name)
            && typeof moment.variables[name] === "number");
}

/** @type {(manifest: Manifest, state: State) => string | null} the segment that follows if nothing more is done */
export function foreseen(manifest, state) {
    if (state.phase === "locked") return state.next;
    const { actions } = step(manifest, state, { do: "finished" });
    return actions.flatMap((action) => (action.do === "jump" ? action.segment : []))[0] ?? null;
}

/** @type {(manifest: Manifest, state: State) => string[]} what may follow directly, the most likely segments first */
export function reachable(manifest, state) {
    if (state.phase === "locked") return [state.next];
    const segment = manifest.segments[state.segment];
    const next = [foreseen(manifest, state)];
    for (const choice of segment.choices) {
        if (holds(choice.when, state.variables)) next.push(choice.goto);
    }
    return [...new Set(next)].flatMap((name) => name ?? []);
}

/**
 * When the time for choosing ends, in seconds of the segment; null if there is no limit.
 * @type {(manifest: Manifest, state: State) => number | null}
 */
export function deadline(manifest, state) {
    const { events, duration, loop, default: preset } = manifest.segments[state.segment];
    const decides = preset !== null && !loop;
    const end = events.slice(state.fired).find((event) =>
        event.do === "hideControls" || (event.do === "decide" && decides));
    return end?.at ?? (decides ? duration : null);
}
