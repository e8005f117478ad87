// The scenes that the viewer has come through, and what was ever seen of the story. The runtime remembers only decisions;
// this also remembers the segments between them, so that a viewer can return to each.

import { savedPath, savedSeen, savePath, saveSeen } from "./saves.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").PathStep} PathStep */

/** No viewer looks at more, and storage is limited. */
const MOST_STEPS = 500;

export class Path {
    /** @type {PathStep[]} */
    steps = [];
    /** @type {Set<string>} */
    #scenes = new Set();
    /** @type {Set<string>} pairs of names as JSON */
    #ways = new Set();

    /** @param {import("../types.js").Manifest} manifest */
    constructor(manifest) {
        this.manifest = manifest;
        const seen = savedSeen(manifest);
        const isKnown = (/** @type {string} */ name) => Object.hasOwn(manifest.segments, name);
        for (const name of seen?.scenes ?? []) if (isKnown(name)) this.#scenes.add(name);
        for (const way of seen?.ways ?? []) {
            if (Array.isArray(way) && way.every(isKnown)) this.#ways.add(JSON.stringify(way));
        }
    }

    /** @type {(name: string) => string} the title that viewers see */
    titleOf(name) {
        return this.manifest.segments[name].title ?? name;
    }

    /** @type {(step: PathStep) => string | null} the label of the choice that was taken in a step */
    chosenIn({ segment, choice }) {
        return choice === null ? null : this.manifest.segments[segment].choices[choice]?.label ?? null;
    }

    /** @param {string} name */
    hasSeen(name) {
        return this.#scenes.has(name);
    }

    /** @type {(from: string, to: string) => boolean} */
    hasTaken(from, to) {
        return this.#ways.has(JSON.stringify([from, to]));
    }

    get seenCount() {
        return this.#scenes.size;
    }

    /** @type {(state: State) => void} the viewer begins; nothing came before */
    begin(state) {
        this.steps = [];
        this.#enter(state);
    }

    /** @type {(state: State) => void} a saved story goes on */
    resume(state) {
        const saved = savedPath(this.manifest);
        const { history } = state;
        const fits = Array.isArray(saved) && saved.at(-1)?.segment === state.segment
            && saved.every((/** @type {any} */ step) => step && Object.hasOwn(this.manifest.segments, step.segment)
                && Number.isInteger(step.depth) && step.depth >= 0 && step.depth <= history.length);
        this.steps = fits ? saved.slice(0, -1)
            : history.map((moment, depth) => ({ ...moment, depth, choice: null }));
        this.#enter(state);
    }

    /** @type {(choice: number) => void} */
    choose(choice) {
        this.steps[this.steps.length - 1].choice = choice;
    }

    /** @type {(state: State) => void} the next segment begins; a segment that repeats is one step */
    follow(state) {
        const last = this.steps[this.steps.length - 1];
        this.#ways.add(JSON.stringify([last.segment, state.segment]));
        if (last.segment === state.segment && last.choice === null) this.#save();
        else this.#enter(state);
    }

    /** @type {(state: State) => void} the viewer went back to a decision */
    back(state) {
        const { segment, history } = state;
        const place = this.steps.findLastIndex((step) =>
            step.segment === segment && step.depth === history.length);
        this.steps = this.steps.slice(0, Math.max(0, place));
        this.#enter(state);
    }

    /** @type {(index: number, now: State) => State} the state in which a step began, for the runtime to resume */
    stateAt(index, { history }) {
        const { segment, variables, depth } = this.steps[index];
        return {
            segment, variables, phase: "playing", available: [], next: null, fired: 0,
            history: history.slice(0, depth),
        };
    }

    /** @type {(index: number) => void} forgets a step and what came after it */
    cutAt(index) {
        this.steps = this.steps.slice(0, index);
    }

    /** @type {(steps: PathStep[]) => void} has the steps of earlier again */
    takeBack(steps) {
        this.steps = steps;
    }

    /** @type {(state: State) => void} begins a step again that `cutAt` has removed, or that `takeBack` has left out */
    enterAgain(state) {
        this.#enter(state);
    }

    /** @param {State} state */
    #enter({ segment, variables, history }) {
        this.#scenes.add(segment);
        this.steps.push({ segment, variables, depth: history.length, choice: null });
        this.steps = this.steps.slice(-MOST_STEPS);
        this.#save();
    }

    #save() {
        savePath(this.manifest, this.steps);
        saveSeen(this.manifest, {
            scenes: [...this.#scenes], ways: [...this.#ways].map((way) => JSON.parse(way)),
        });
    }
}
