// Where the viewer has been: the path as a list of scenes, on the map and at the end, the way back into it, and what
// authors learn of it.

import { nameButton, newButton } from "./buttons.js";
import { storyMap } from "./map.js";
import { Panel, panelHeading } from "./panels.js";
import { Path } from "../story/path.js";
import { resume } from "../story/runtime.js";
import { sceneList } from "./scenes.js";
import { Stills } from "./stills.js";
import { Visits } from "../story/visits.js";
import { words } from "./words.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Beginning} Beginning */

/**
 * How a segment may begin that doesn't follow another one: how the path changes, and the type in a log of visits.
 * @type {Record<Beginning, (path: Path, state: State) => void>}
 */
export const BEGINNINGS = {
    start: (path, state) => path.begin(state),
    resume: (path, state) => path.resume(state),
    back: (path, state) => path.back(state),
    scene: (path, state) => path.enterAgain(state),
};

export class VisitedScenes {
    #segment = "";
    /** @type {number | null} the choice that leads on from here */
    #taken = null;
    /**
     * Where the viewer was before the last restart; null if there was nothing to lose.
     * @type {{ state: State, steps: import("../types.js").PathStep[] } | null}
     */
    #kept = null;

    /**
     * @param {import("../types.js").Manifest} manifest
     * @param {Record<"scenes" | "scenesButton" | "map" | "mapButton", HTMLElement>} elements
     * @param {() => HTMLVideoElement} video gives the element that shows the film
     * @param {{ state(): State | null, goTo(state: State, title: string): void, restart(): void }} acts
     *     the state of the story, to go on with another one, to start again
     */
    constructor(manifest, elements, video, acts) {
        this.manifest = manifest;
        this.acts = acts;
        this.path = new Path(manifest);
        this.visits = new Visits(manifest);
        this.stills = new Stills(video, manifest);
        const { scenes, scenesButton, map, mapButton } = elements;
        this.scenes = new Panel(scenes, scenesButton, () => [
            panelHeading(words.say("scenes")), this.#list(), this.#restartButton(),
        ]);
        this.map = new Panel(map, mapButton, () => [
            panelHeading(words.say("map")),
            ...storyMap(manifest, this.path, (index) => this.#goTo(index)),
        ]);
        this.hasMap = manifest.controls?.map ?? false;
        mapButton.hidden = !this.hasMap;
        nameButton(scenesButton, words.say("scenes"));
        nameButton(mapButton, words.say("map"));
    }

    /** @type {(how: Beginning, state: State) => void} a segment begins because the viewer wants it */
    begin(how, state) {
        this.#segment = state.segment;
        this.#taken = null;
        BEGINNINGS[how](this.path, state);
        this.visits.note({ type: how, segment: state.segment });
        this.#refresh();
    }

    /** @type {(state: State) => void} a segment follows the one before it */
    follow(state) {
        const { choices, loop } = this.manifest.segments[this.#segment];
        const way = choices.length === 0 ? "then" : loop ? "loop" : "default";
        const by = this.#taken === null ? { by: way } : { by: "choice", choice: this.#taken };
        this.visits.note({ type: "way", from: this.#segment, to: state.segment, ...by });
        this.#segment = state.segment;
        this.#taken = null;
        this.path.follow(state);
        this.#refresh();
    }

    /** @param {number} choice */
    choose(choice) {
        this.#taken = choice;
        this.path.choose(choice);
        this.#refresh();
    }

    /** @param {import("../types.js").Told} detail */
    tell(detail) {
        this.visits.note({ ...detail, time: Math.round(1000 * detail.time) / 1000 });
        if (detail.type === "end") this.#refresh();
    }

    /** @type {(segment: string, time: number) => void} */
    update(segment, time) {
        this.stills.update(segment, time);
    }

    /** The elements that show the path at the end, if it has more than one scene. */
    summary() {
        if (this.path.steps.length < 2) return [];
        const heading = document.createElement("h3");
        heading.textContent = words.say("path");
        words.mark(heading);
        return [heading, this.#list()];
    }

    #refresh() {
        this.scenes.refresh();
        this.map.refresh();
    }

    #list() {
        const isOver = this.acts.state()?.phase === "ended";
        return sceneList(this.path, this.stills, (index) => this.#goTo(index), isOver);
    }

    /** @type {(index: number) => void} goes back to a step of the path, with the values of the variables that it had */
    #goTo(index) {
        const { segment } = this.path.steps[index];
        const now = this.acts.state();
        const state = now && this.path.stateAt(index, now);
        if (state === null || resume(this.manifest, state) === null) return;
        this.scenes.close();
        this.map.close();
        this.path.cutAt(index);
        this.acts.goTo(state, this.path.titleOf(segment));
    }

    /** @type {(state: State) => void} keeps where the viewer is, before a restart */
    keep(state) {
        const { steps } = this.path;
        if (steps.length > 1) this.#kept = { state: this.path.stateAt(steps.length - 1, state), steps };
    }

    /** Whether there is a way back from a restart. */
    get isKept() {
        return this.#kept !== null;
    }

    /** Goes back to where the viewer was before the last restart. */
    undoRestart() {
        if (this.#kept === null) return;
        const { state, steps } = this.#kept;
        this.#kept = null;
        this.path.takeBack(steps.slice(0, -1));
        this.acts.goTo(state, this.path.titleOf(state.segment));
    }

    #restartButton() {
        return newButton(words.say("restart"), () => {
            this.scenes.close();
            this.acts.restart();
        }, "plain");
    }
}
