// Captions from WebVTT files. They are chosen by the frame that is presented, in the time of its
// segment, so they need no retiming and are right in loops and after jumps.

import { textOf } from "../playing/segment-store.js";

/** @typedef {{ start: number, end: number, text: string }} Cue */

/** @type {(text: string) => number} the seconds of a time such as "01:02:03.456" or "02:03.456" */
function timeOf(text) {
    const match = /^(?:(\d+):)?(\d\d):(\d\d)\.(\d{3})$/.exec(text);
    if (!match) return NaN;
    const [hours, minutes, whole, thousandths] = match.slice(1).map((part) => Number(part ?? 0));
    return hours * 3600 + minutes * 60 + whole + thousandths / 1000;
}

/** @type {(vtt: string) => Cue[]} the cues of a WebVTT file, sorted by start; notes and styles are ignored */
export function cuesOf(vtt) {
    const blocks = vtt.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n").split(/\n{2,}/);
    const cues = [];
    for (const block of blocks) {
        const lines = block.split("\n").filter((line) => line !== "");
        const timing = lines.findIndex((line) => line.includes("-->"));
        if (timing < 0 || timing > 1) continue;
        const [start, end] = lines[timing].trim().split(/\s+-->\s+|\s+/).map(timeOf);
        const text = lines.slice(timing + 1).join("\n");
        if (end > start) cues.push({ start, end, text });
    }
    return cues.sort((a, b) => a.start - b.start);
}

/** Shows the captions of one language, for segments that have them. */
export class Captions {
    /** @type {Map<string | undefined, Cue[]>} by file */
    #cues = new Map();
    #shown = "";

    /** @param {HTMLElement} element @param {import("../types.js").Manifest} manifest */
    constructor(element, manifest) {
        this.element = element;
        this.manifest = manifest;
        /** @type {string | null} */
        this.language = null;
        const all = Object.values(manifest.segments).flatMap((segment) => segment.captions);
        /** @type {Map<string | null, string>} the label of each language, in the order of the story */
        this.languages = new Map(all.map(({ language, label }) => [language, label]));
    }

    /** @param {string | null} language one of `languages`, or null for no captions */
    choose(language) {
        this.language = this.languages.has(language) ? language : null;
        if (this.language) this.element.lang = this.language;
        this.#show([]);
    }

    /** @type {(name: string) => Promise<void>} loads a segment's captions before they are needed */
    async prepare(name) {
        const file = this.#file(name);
        if (!file || this.#cues.has(file)) return;
        this.#cues.set(file, []);
        try {
            this.#cues.set(file, cuesOf(await textOf(file)));
        } catch {
            // The story plays without captions. Loading them is tried again next time.
            this.#cues.delete(file);
        }
    }

    /** @type {(name: string, time: number) => void} shows the captions for a time of a segment */
    update(name, time) {
        const cues = this.#cues.get(this.#file(name)) ?? [];
        this.#show(cues.filter(({ start, end }) => start <= time && time < end));
    }

    /** @param {string} name */
    #file(name) {
        const { captions } = this.manifest.segments[name];
        return captions.find(({ language }) => language === this.language)?.file;
    }

    /** @param {Cue[]} cues */
    #show(cues) {
        const text = cues.map((cue) => cue.text).join("\n");
        if (text === this.#shown) return;
        this.#shown = text;
        this.element.replaceChildren(...cues.map(({ start, end, text }) => {
            const line = document.createElement("p");
            line.dir = "auto";
            // The browser parses <i>, <v Speaker> and other tags as WebVTT, never as HTML.
            line.append(new VTTCue(start, end, text).getCueAsHTML());
            return line;
        }));
    }
}
