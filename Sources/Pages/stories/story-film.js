// The built story in its own player, inside the page: it is walked there, and jumps to any segment.

import { urls } from "../shared/api.js";
import { byId } from "../shared/elements/dom.js";
import { draw, make, view } from "../shared/elements/view.js";

/**
 * @typedef {import("../shared/server").Story} Story
 * @typedef {import("../player/types").Manifest} Manifest
 */

export class StoryFilm {
    #shown = "";
    /** @type {HTMLIFrameElement | null} */
    #frame = null;
    /** @type {string | null} */
    #id = null;
    /** @type {string | null} the segment to go to when the player has loaded */
    #wanted = null;

    /** @param {(segment: string | null) => void} onSegment called when another segment plays */
    constructor(onSegment) {
        this.host = byId("film");
        this.onSegment = onSegment;
    }

    /** @param {Story | null} story @param {number} edition counts its builds, which replace the film */
    show(story, edition) {
        const isBuilt = typeof story?.isCurrent === "boolean";
        const key = story ? `${story.id} ${isBuilt} ${edition}` : "";
        if (key === this.#shown) return;
        this.#shown = key;
        this.#id = isBuilt ? story.id : null;
        this.#frame = null;
        this.onSegment(null);
        if (!isBuilt) {
            draw(this.host, view("p", { class: "hint" },
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
        const player = this.#frame?.contentDocument?.getElementById("player");
        if (!player) return;
        const tell = () => this.onSegment(player.dataset.segment ?? null);
        new MutationObserver(tell).observe(player, { attributeFilter: ["data-segment"] });
        if (this.#wanted) this.#pressResume();
    }

    /** Presses the first button of the player's card, which goes on at the saved segment. */
    #pressResume() {
        this.#wanted = null;
        const card = this.#frame?.contentDocument?.getElementById("card");
        if (!card) return;
        const press = () => {
            const button = card.hidden ? null : card.querySelector("button");
            button?.click();
            return button !== null;
        };
        if (press()) return;
        new MutationObserver((_, watcher) => press() && watcher.disconnect())
            .observe(card, { attributes: true, childList: true, subtree: true });
    }

    /** @type {(id: string) => Promise<Manifest | null>} what the film is made of; null if it isn't there */
    async #manifest(id) {
        try {
            const response = await fetch(`${urls.film(id)}story.json`);
            return response.ok ? await response.json() : null;
        } catch {
            return null;
        }
    }

    /**
     * Plays a segment with the story's first values, as if the viewer had left there: the player finds its state in
     * the browser's storage.
     * @param {string} name
     * @returns {Promise<boolean>} whether the film has the segment
     */
    async jump(name) {
        if (!this.#id) return false;
        const manifest = await this.#manifest(this.#id);
        if (!manifest || !Object.hasOwn(manifest.segments, name)) return false;
        localStorage.setItem(`timewarp:story:${manifest.id}`, JSON.stringify({
            segment: name, variables: manifest.variables, phase: "playing", available: [], next: null,
            fired: 0, history: [],
        }));
        this.#wanted = name;
        this.#frame?.contentWindow?.location.reload();
        return true;
    }
}
