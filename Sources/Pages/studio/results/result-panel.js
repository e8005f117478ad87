// The result player: shows a finished render, what would be rendered now, or the progress of a running render.

import { announce } from "../../shared/elements/announce.js";
import { api, urls } from "../../shared/api.js";
import { showCard } from "../../shared/elements/cards.js";
import { byId } from "../../shared/elements/dom.js";
import {
    isSoundOnly, mediaOf, plainText, requestFor, requestOf, withRequest, withSegmentOf,
} from "../app/job.js";
import { ratioOf } from "../../shared/numbers.js";
import { Player } from "../../shared/playing/player.js";
import { RenderingView } from "./rendering-view.js";
import { filmOf, placeAt, throughJob, timeOf } from "../app/shown.js";
import { createTransport } from "../../shared/playing/transport.js";
import { view } from "../../shared/elements/view.js";

/**
 * @typedef {import("../../shared/types").Render} Render
 * @typedef {import("../../shared/types").Request} Request
 */

export class ResultPanel {
    /** @type {Render | null} the render that was opened last */
    render = null;
    /** Whether what would be rendered now is in the player. */
    isLive = false;
    /** @type {import("../app/shown.js").Shown | null} what would be rendered */
    #live = null;
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
        byId("result-live").addEventListener("click", () => this.toggleLive());
        for (const kind of /** @type {const} */ (["renders", "draft", "evaluation"])) store.on(kind, () => this.show());
        store.on("media", () => this.#fetchMap());
        store.on("evaluation", () => this.isLive && this.#follow());
        this.show();
    }

    /**
     * Shows a finished render in the player.
     * @param {Render} render
     * @param {boolean} isToPlay
     */
    open(render, isToPlay = false) {
        this.render = render;
        this.isLive = false;
        this.#load();
        this.#fetchMap();
        this.show();
        if (isToPlay) this.player.play();
    }

    /** Shows what would be rendered now, or again the render that was opened last. */
    toggleLive() {
        this.isLive = !this.isLive;
        if (this.isLive) this.#follow();
        else this.#load();
        this.show();
        announce(this.isLive ? "Live: the result is what would be rendered." : "Not live.");
    }

    /** Puts the render into the player. */
    #load() {
        const { render } = this;
        this.#live = null;
        this.player.load(render && {
            key: render.id, length: render.outputDuration, frameRate: this.#frameRate(render),
            open: (from, size, signal) => api.playRender(render.id, from, size, signal),
        });
    }

    /** Puts what would be rendered into the player, at the same place of the clip as before. */
    #follow() {
        const { clip, evaluation, evaluated } = this.store;
        if (!clip || !evaluation || !evaluated || mediaOf(evaluated) !== clip.id) {
            this.#live = null;
            this.player.load(null);
        } else {
            const shown = throughJob(evaluated, evaluation);
            const before = this.#live && mediaOf(this.#live.request) === clip.id ? this.#live : null;
            const { time } = this.player;
            const at = before ? timeOf(shown, placeAt(before, time), time / (before.length || 1)) : 0;
            this.#live = shown;
            this.player.load(filmOf(clip, shown), at);
        }
        this.show();
        this.acts.onTime();
    }

    /** The identity of the clip whose result is shown; null for none. */
    get media() {
        return this.isLive ? this.#live && mediaOf(this.#live.request) : this.render?.media ?? null;
    }

    /** The place of the draft's clip that is shown; null if it is another one, or isn't known. */
    get place() {
        const { evaluation, request } = this;
        return evaluation && request && this.media === this.store.draft.media
            ? placeAt(throughJob(request, evaluation), this.player.time) : null;
    }

    /** What was rendered, or would be. */
    get request() {
        return this.isLive ? this.#live?.request ?? null : this.render && requestFor(this.render);
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

    /** Whether the render in the player isn't what would be rendered now of the same clip. */
    get isOutdated() {
        const { render, store: { draft, clip, request, evaluation } } = this;
        if (!render || !clip || !request || !evaluation || render.media !== clip.id) return false;
        const textOf = (/** @type {Request} */ other) => plainText(requestOf(withRequest(draft, other), clip));
        // Times are written in many ways: both clips are compared in the server's words.
        return this.hasClipChanged
            || textOf(requestFor(render)) !== textOf(withSegmentOf(request, evaluation.segment));
    }

    /** The evaluation of what is shown; null until it has been fetched, or if its clip has changed. */
    get evaluation() {
        return this.isLive ? this.#live?.evaluation ?? null : this.#maps.get(this.render?.id) ?? null;
    }

    /** Shows a running render, the render in the player, or a hint if there is none. */
    show() {
        const known = this.store.renders.find(({ id }) => id === this.render?.id);
        if (this.render && !known) {
            this.render = null;
            if (!this.isLive) this.player.load(null);
        }
        if (known) this.render = known;
        const running = this.store.renders.find(({ state }) => state === "running");
        this.rendering.show(running, this.player.isPlaying);
        const isFile = this.render !== null && !this.isLive;
        const name = byId("result-name"), isOutdated = isFile && this.isOutdated;
        name.textContent = this.isLive ? "as it would be rendered"
            : `${isOutdated ? "earlier settings · " : ""}${this.render?.name ?? ""}`;
        name.title = isOutdated
            ? "The settings have changed since this was rendered. Live shows what would be rendered now." : "";
        byId("result-live").setAttribute("aria-pressed", String(this.isLive));
        const link = byId("result-download");
        link.hidden = byId("result-show").hidden = !isFile;
        if (this.render) link.href = urls.download(this.render.id);
        showCard(byId("result-card"), this.#card());
    }

    /** @returns {import("../../shared/elements/cards.js").Card | null} */
    #card() {
        const { failure } = this.player;
        if (failure) return { icon: "film", title: "This can't be played", text: failure };
        if (this.isLive && !this.#live) return { icon: "film", title: "There is nothing to be rendered" };
        if (!this.isLive && !this.render) {
            return {
                icon: "film", title: "Nothing rendered yet",
                text: "Live shows at once what would be rendered; Render writes it to a file.",
                actions: [view("button", {
                    type: "button", class: "primary", onclick: () => this.toggleLive(),
                }, "Show it live")],
            };
        }
        const { request, media } = this, clip = this.store.media.find(({ id }) => id === media);
        return clip && request && (!clip.video || isSoundOnly(request))
            ? { icon: "note", title: request.job.output.path, text: "Audio only" } : null;
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
