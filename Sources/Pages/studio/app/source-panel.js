// The source player: the clip, and its preview through the time map.

import { api, urls } from "../../shared/api.js";
import { announce } from "../../shared/elements/announce.js";
import { showCard } from "../../shared/elements/cards.js";
import { byId } from "../../shared/elements/dom.js";
import { showShortage } from "../../shared/playing/frame-tally.js";
import { mediaOf } from "./job.js";
import { Player } from "../../shared/playing/player.js";
import { durationText } from "../../shared/times.js";
import { createNotice } from "../../shared/elements/notice.js";
import { createTransport } from "../../shared/playing/transport.js";
import { view } from "../../shared/elements/view.js";

export class SourcePanel {
    hasFailed = false;

    /**
     * @param {import("./store.js").Store} store
     * @param {{ onTime: () => void, onPlay: () => void, chooseFile: () => void }} acts
     */
    constructor(store, acts) {
        this.store = store;
        this.acts = acts;
        this.button = byId("preview");
        this.say = createNotice("error-source");
        this.player = new Player(byId("source-video"), {
            onTime: () => this.#showTime(),
            onState: () => this.#showState(),
            onFailure: (error) => this.#onFailure(error),
            onRefusal: () => this.say("Press Play: the browser wants a press."),
        }, byId("source-frames"));
        this.transport = createTransport(byId("source-transport"), "Source", this.player, {
            setIn: () => this.setIn(), setOut: () => this.setOut(),
        });
        this.button.addEventListener("click", () => this.togglePreview());
        store.on("media", () => this.show());
        store.on("draft", () => this.show());
        store.on("evaluation", () => this.#follow());
        this.show();
    }

    /** Shows the clip of the draft. */
    show() {
        const { clip } = this.store;
        const isReady = clip?.playback === "direct" || clip?.playback === "proxy";
        const url = clip && isReady ? urls.content(clip) : "";
        if (clip?.id !== this.player.clip?.key || url !== this.player.clip?.url) this.hasFailed = false;
        this.player.load(clip && {
            key: clip.id, duration: clip.duration, frameRate: clip.video?.frameRate ?? null, url,
            fetchFrames: clip.video
                ? (second, isBackwards) => api.frames(clip.id, second, isBackwards) : null,
        });
        byId("source-name").textContent = clip?.name ?? "";
        showCard(byId("source-card"), this.#card(clip));
        this.#showBounds();
        this.#showState();
    }

    /** Has a copy made of a clip that this browser can't play. */
    async #onFailure(/** @type {MediaError | null} */ error) {
        const { clip } = this.store, code = error?.code;
        const isUnplayable = code === MediaError.MEDIA_ERR_DECODE || code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED;
        if (isUnplayable && clip?.playback === "direct") {
            // Events say how it goes on. The response may arrive after them, so it isn't shown.
            if ((await api.wantProxy(clip.id)).ok) return;
        }
        this.hasFailed = true;
        this.show();
    }

    /** @type {(clip: import("../types").Media | null) => import("../../shared/elements/cards.js").Card | null} */
    #card = (clip) => {
        if (!clip) {
            return {
                icon: "film", title: "Drop a clip here",
                text: "or choose one. It stays on this computer.",
                actions: [view("button", {
                    type: "button", class: "primary", onclick: this.acts.chooseFile,
                }, "Choose a file")],
            };
        }
        const poster = clip.video && clip.analysis === "ready" ? urls.poster(clip) : undefined;
        if (this.hasFailed || clip.playback === "failed") {
            return {
                icon: "film", poster, title: "This browser can't play the clip",
                text: "Everything else works: the plot, the figures and the render.",
            };
        }
        if (clip.playback === "waiting") {
            return {
                icon: "film", poster, title: "Just a moment",
                text: "A copy that this browser can play is being made.",
            };
        }
        return clip.video ? null : { icon: "note", title: clip.name, text: "Audio only" };
    };

    /** Sets the range as the part that is looped. */
    #showBounds() {
        const { evaluation, draft } = this.store;
        this.player.bounds = draft.range && evaluation ? {
            start: evaluation.sourceStart,
            end: evaluation.sourceStart + evaluation.sourceDuration,
        } : null;
    }

    // Preview

    get isPreviewing() {
        return this.player.preview !== null;
    }

    /** @returns the preview of the present evaluation, or null */
    #preview() {
        const { evaluation, evaluated, clip } = this.store;
        if (!evaluation || !evaluated || !clip || mediaOf(evaluated) !== clip.id) return null;
        return {
            map: evaluation.map, start: evaluation.sourceStart,
            mode: evaluated.job.audio?.mode ?? "",
        };
    }

    togglePreview() {
        const { player } = this;
        if (this.isPreviewing) {
            player.setPreview(null);
            announce("Preview off.");
            return;
        }
        const preview = this.#preview();
        if (!preview || !player.canPlay) return;
        player.setPreview(preview);
        if (!player.isPlaying) player.play();
        announce("Preview on: the source follows the curve.");
    }

    /** After a change of the map, continues the preview at the same place of the clip. */
    #follow() {
        this.#showBounds();
        const preview = this.isPreviewing ? this.#preview() : null;
        if (preview) this.player.setPreview(preview);
        this.#showState();
    }

    // Marks

    setIn() {
        this.#mark({ start: this.player.frameStart });
    }

    setOut() {
        this.#mark({ end: this.player.frameStart + this.player.frame });
    }

    #mark(/** @type {{ start?: number, end?: number }} */ change) {
        const { clip, draft, evaluation } = this.store;
        if (!clip) return;
        const ranged = draft.range && evaluation;
        const start = ranged ? ranged.sourceStart : 0;
        const present = { start, end: ranged ? start + ranged.sourceDuration : clip.duration };
        const range = { ...present, ...change };
        // If in and out are in the wrong order, the other one is reset.
        if (range.end <= range.start && change.start !== undefined) range.end = clip.duration;
        if (range.end <= range.start && change.end !== undefined) range.start = 0;
        this.store.edit({ range: {
            start: durationText(range.start),
            end: durationText(Math.min(range.end, clip.duration)),
        } });
        announce(change.end === undefined ? "In point set." : "Out point set.");
    }

    // Showing

    #showTime() {
        this.transport?.showTime();
        showShortage(byId("source-shortage"), this.player.shortage);
        this.acts.onTime();
    }

    #showState() {
        this.transport?.showState();
        this.transport?.showTime();
        const isPossible = this.player.canPlay && this.#preview() !== null;
        this.button.setAttribute("aria-pressed", String(this.isPreviewing));
        this.button.setAttribute("aria-disabled", String(!isPossible));
        byId("source").classList.toggle("previewing", this.isPreviewing);
        if (!this.player.isPlaying) return;
        this.say("");
        this.acts.onPlay();
    }
}
