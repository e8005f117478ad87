// The result player: shows a finished render, or the progress of a running one.

import { api, urls } from "../../shared/api.js";
import { showCard } from "../../shared/elements/cards.js";
import { byId } from "../../shared/elements/dom.js";
import { requestFor } from "../app/job.js";
import { ratioOf } from "../../shared/numbers.js";
import { Player } from "../../shared/playing/player.js";
import { RenderingView } from "./rendering-view.js";
import { createTransport } from "../../shared/playing/transport.js";

/** @typedef {import("../../shared/types").Render} Render */

export class ResultPanel {
    /** @type {Render | null} the render that is in the player */
    render = null;
    /**
     * Evaluations of the renders that were opened, by id; null while one is fetched.
     * @type {Map<string | undefined, import("../types").Evaluation | null>}
     */
    #maps = new Map();

    /**
     * @param {import("../app/store.js").Store} store
     * @param {{ onTime: () => void, onPlay: () => void, cancel: (id: string) => void,
     *     reveal: (render: Render) => void }} acts
     */
    constructor(store, acts) {
        this.store = store;
        this.acts = acts;
        this.player = new Player(byId("result-video"), {
            onTime: () => {
                this.transport?.showTime();
                acts.onTime();
            },
            onState: () => this.#showState(),
            onRefusal: () => {},
        });
        this.rendering = new RenderingView(byId("rendering"), acts.cancel);
        this.transport = createTransport(byId("result-transport"), "Result", this.player);
        byId("result-show").addEventListener("click", () => this.render && acts.reveal(this.render));
        store.on("renders", () => this.show());
        store.on("media", () => this.#fetchMap());
        this.show();
    }

    /**
     * Shows a finished render in the player.
     * @param {Render} render
     * @param {boolean} isToPlay
     */
    open(render, isToPlay = false) {
        this.render = render;
        this.player.load({
            key: render.id, length: render.outputDuration, frameRate: this.#frameRate(render),
            open: (from, size, signal) => api.playRender(render.id, from, size, signal),
        });
        this.#fetchMap();
        this.show();
        if (isToPlay) this.player.play();
    }

    /** The frame rate of a render, as far as its settings and its clip tell. */
    #frameRate(/** @type {Render} */ { job, media }) {
        const clip = this.store.media.find(({ id }) => id === media);
        const rate = ratioOf(job.video?.rate ?? "source");
        const source = clip ? clip.video?.frameRate ?? null : 30;
        return rate > 0 ? rate : source;
    }

    /** Fetches the time map of a render, which places the dot on the curve. */
    async #fetchMap() {
        const { render } = this;
        if (!render || !this.#clip || this.#maps.has(render.id) || this.hasClipChanged) return;
        const { id } = render;
        this.#maps.set(id, null);
        const answer = await api.evaluate(requestFor(render));
        if (answer.ok) this.#maps.set(id, answer.value);
        else this.#maps.delete(id);
        this.acts.onTime();
    }

    /** The clip of the render in the player; undefined if it was removed. */
    get #clip() {
        return this.store.media.find(({ id }) => id === this.render?.media);
    }

    /** Whether the clip of the render in the player, an edit, was changed since it was rendered. */
    get hasClipChanged() {
        const mediaStamp = this.render?.mediaStamp;
        return Boolean(this.#clip && mediaStamp && this.#clip.stamp !== mediaStamp);
    }

    /** The evaluation of the render in the player; null until it has been fetched, or if its clip has changed. */
    get evaluation() {
        return this.#maps.get(this.render?.id) ?? null;
    }

    /** Shows a running render, the render in the player, or a hint if there is none. */
    show() {
        const known = this.store.renders.find(({ id }) => id === this.render?.id);
        if (this.render && !known) {
            this.render = null;
            this.player.load(null);
        }
        if (known) this.render = known;
        const running = this.store.renders.find(({ state }) => state === "running");
        this.rendering.show(running, this.player.isPlaying);
        byId("result-name").textContent = this.render?.name ?? "";
        // Small windows have no room for a player without a film.
        byId("result").classList.toggle("is-empty", !this.render && !running);
        const link = byId("result-download");
        link.hidden = byId("result-show").hidden = !this.render;
        if (this.render) link.href = urls.download(this.render.id);
        showCard(byId("result-card"), this.#card());
    }

    /** @returns {import("../../shared/elements/cards.js").Card | null} */
    #card() {
        if (!this.render) {
            return {
                icon: "film", title: "Nothing rendered yet",
                text: "Preview shows the speed ramp at once; Render writes it to a file.",
            };
        }
        const { failure } = this.player;
        if (failure) return { icon: "film", title: "This can't be played", text: failure };
        return this.#clip && !this.#clip.video
            ? { icon: "note", title: this.render.name, text: "Audio only" } : null;
    }

    #showState() {
        this.transport?.showState();
        this.transport?.showTime();
        byId("result-note").textContent = this.player.note;
        showCard(byId("result-card"), this.#card());
        // If the user plays a result, it is shown even during a render.
        const running = this.store.renders.find(({ state }) => state === "running");
        this.rendering?.show(running, this.player.isPlaying);
        if (this.player.isPlaying) this.acts.onPlay();
    }
}
