// The built story in its own player, inside the page: it is walked there, and jumps to any segment.

import { urls } from "../shared/api.js";
import { byId, make } from "../shared/elements/dom.js";

export class StoryFilm {
    #shown = "";
    #frame = null;
    #id = null;
    /** The segment to go to when the player has loaded. */
    #wanted = null;

    /** @param {(segment: string | null) => void} onSegment called when another segment plays */
    constructor(onSegment) {
        Object.assign(this, { host: byId("film"), onSegment });
    }

    /** @param {object | null} story @param {number} edition counts its builds, which replace the film */
    show(story, edition) {
        const isBuilt = typeof story?.isCurrent === "boolean";
        const key = story ? `${story.id} ${isBuilt} ${edition}` : "";
        if (key === this.#shown) return;
        this.#shown = key;
        this.#id = isBuilt ? story.id : null;
        this.#frame = null;
        this.onSegment(null);
        if (!isBuilt) {
            this.host.replaceChildren(make("p", { class: "hint" },
                story ? "Build the story, and walk through it here." : ""));
            return;
        }
        this.#frame = make("iframe", {
            src: urls.film(story.id), title: `The film ${story.title ?? story.name}`,
            allow: "autoplay; fullscreen", onload: () => this.#onLoad(),
        });
        this.host.replaceChildren(this.#frame);
    }

    #onLoad() {
        const player = this.#frame.contentDocument.getElementById("player");
        if (!player) return;
        const tell = () => this.onSegment(player.dataset.segment ?? null);
        new MutationObserver(tell).observe(player, { attributeFilter: ["data-segment"] });
        if (this.#wanted) this.#pressResume();
    }

    /** Presses the first button of the player's card, which goes on at the saved segment. */
    #pressResume() {
        this.#wanted = null;
        const card = this.#frame.contentDocument.getElementById("card");
        const press = () => {
            const button = card.hidden ? null : card.querySelector("button");
            button?.click();
            return button !== null;
        };
        if (press()) return;
        const watcher = new MutationObserver(() => press() && watcher.disconnect());
        watcher.observe(card, { attributes: true, childList: true, subtree: true });
    }

    /** What the film is made of; null if it isn't there. */
    async #manifest() {
        try {
            const response = await fetch(`${urls.film(this.#id)}story.json`);
            return response.ok ? await response.json() : null;
        } catch {
            return null;
        }
    }

    /**
     * Plays a segment with the story's first values, as if the viewer had left there: the player finds its state in
     * the browser's storage.
     * @returns {Promise<boolean>} whether the film has the segment
     */
    async jump(name) {
        if (!this.#frame) return false;
        const manifest = await this.#manifest();
        if (!manifest || !Object.hasOwn(manifest.segments, name)) return false;
        localStorage.setItem(`timewarp:story:${manifest.id}`, JSON.stringify({
            segment: name, variables: manifest.variables, phase: "playing", available: [], next: null,
            fired: 0, history: [],
        }));
        this.#wanted = name;
        this.#frame.contentWindow.location.reload();
        return true;
    }
}
