// What was exported, in one line; what the format couldn't say, on demand.

import { announce } from "./announce.js";
import { byId } from "./dom.js";
import { counted } from "../format-numbers.js";
import { draw, view } from "./view.js";

/**
 * Says in an element that a file was saved; null takes it back.
 * @param {keyof import("../elements").Elements} id
 * @param {{ name: string, notes: string[] } | null} file
 */
export function showReport(id, file) {
    const element = byId(id);
    if (!file) {
        draw(element);
        return;
    }
    const { name, notes } = file, line = `${name} was saved.`;
    draw(element, notes.length === 0 ? view("p", { class: "hint" }, line) : view("details", { class: "report" },
        view("summary", {}, `${line} ${counted(notes.length, "note")}`),
        view("ul", { class: "hint" }, ...notes.map((note) => view("li", {}, note)))));
    announce(line);
}
