// The list of scenes that the viewer has come through: as a panel during the story, and on the card at its end.

import { newButton } from "./buttons.js";

/**
 * @param {import("../story/path.js").Path} path
 * @param {import("./stills.js").Stills} stills
 * @param {(index: number) => void} act called with the number of the step whose scene was chosen
 * @param {boolean} isOver whether the story has ended, so that no scene is the current one
 * @returns a list with a button for each step
 */
export function sceneList(path, stills, act, isOver) {
    const list = document.createElement("ol");
    list.className = "scenes";
    list.append(...path.steps.map((step, index) => {
        const title = document.createElement("span");
        title.className = "scene-title";
        title.dir = "auto";
        title.textContent = path.titleOf(step.segment);
        const label = path.chosenIn(step);
        if (label !== null) {
            const chosen = document.createElement("span");
            chosen.className = "scene-choice";
            chosen.dir = "auto";
            chosen.textContent = label;
            title.append(chosen);
        }
        const button = newButton([stills.draw(step.segment), title], () => act(index));
        if (!isOver && index === path.steps.length - 1) button.setAttribute("aria-current", "true");
        const item = document.createElement("li");
        item.append(button);
        return item;
    }));
    return list;
}
