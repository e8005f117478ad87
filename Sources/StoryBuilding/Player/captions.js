// Captions: WebVTT read here and shown by the picture that is on the screen, in its segment's own
// time. So they need no re-timing, follow a loop, and change with the picture.

import { textOf } from "./segment-store.js";

/** "01:02:03.456" or "02:03.456" in seconds. */
function timeOf(text) {
    const match = /^(?:(\d+):)?(\d\d):(\d\d)\.(\d{3})$/.exec(text);
    if (!match) return NaN;
    const [hours, minutes, whole, thousandths] = match.slice(1).map((part) => Number(part ?? 0));
    return hours * 3600 + minutes * 60 + whole + thousandths / 1000;
}

/** The cues of a WebVTT file: `{ start, end, text }`, by start. Notes and styles are left out. */
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

/** Shows the captions of one language, if a segment has them. */
export class Captions {
    #cues = new Map();
    #shown = "";

    constructor(element, manifest) {
        Object.assign(this, { element, manifest, language: null });
        const all = Object.values(manifest.segments).flatMap((segment) => segment.captions);
        /** Language to label, in the order of the story. */
        this.languages = new Map(all.map(({ language, label }) => [language, label]));
    }

    /** @param language one of `languages`, or null for no captions */
    choose(language) {
        this.language = this.languages.has(language) ? language : null;
        if (this.language) this.element.lang = language;
        this.#show([]);
    }

    /** Reads a segment's captions before they are needed. */
    async prepare(name) {
        const file = this.#file(name);
        if (!file || this.#cues.has(file)) return;
        this.#cues.set(file, []);
        try {
            this.#cues.set(file, cuesOf(await textOf(file)));
        } catch {
            // A film without its captions is better than none; they are asked for again next time.
            this.#cues.delete(file);
        }
    }

    /** Shows what belongs to a time of a segment. */
    update(name, time) {
        const cues = this.#cues.get(this.#file(name)) ?? [];
        this.#show(cues.filter(({ start, end }) => start <= time && time < end));
    }

    #file(name) {
        const { captions } = this.manifest.segments[name];
        return captions.find(({ language }) => language === this.language)?.file;
    }

    #show(cues) {
        const text = cues.map((cue) => cue.text).join("\n");
        if (text === this.#shown) return;
        this.#shown = text;
        this.element.replaceChildren(...cues.map(({ start, end, text }) => {
            const line = document.createElement("p");
            // The browser's own reading of <i>, <v Speaker> and the like; never as HTML.
            line.append(new VTTCue(start, end, text).getCueAsHTML());
            return line;
        }));
    }
}
