// Source and result, linked by the result's time map: where one is scrubbed or played, the other
// follows. The wipe lays the source's frame over the result's.

import { announce } from "../../shared/elements/announce.js";
import { byId } from "../../shared/elements/dom.js";
import { nearestOutput } from "../../shared/playing/plot-map.js";
import { Wipe } from "../results/wipe.js";

/**
 * Seconds by which the source may be off a playing result before it hurries, and before it jumps, and seconds in which it
 * catches up.
 */
const LATE = 0.02, JUMP = 0.4, CATCH_UP = 0.5;
/** The largest change of the source's pace for catching up. */
const MOST_HASTE = 0.3;

/**
 * @typedef {import("../types").Evaluation} Evaluation
 * @typedef {import("./source-panel.js").SourcePanel | import("../results/result-panel.js").ResultPanel} Panel
 */

export class Together {
    isLinked = false;
    #shown = "";
    #request = 0;
    /** @type {Evaluation | null} by which the source was led last */
    #led = null;

    /**
     * @param {import("./source-panel.js").SourcePanel} source
     * @param {import("../results/result-panel.js").ResultPanel} result
     * @param {() => Panel} leader the panel that was used last, which the other follows
     */
    constructor(source, result, leader) {
        this.source = source;
        this.result = result;
        this.leader = leader;
        this.wipe = new Wipe(byId("result-screen"), source.player.video);
        byId("link").addEventListener("click", () => this.toggleLink());
        byId("wipe").addEventListener("click", () => this.toggleWipe());
        this.show();
    }

    /** The result's time map; null if the source player doesn't have the result's clip. */
    get #evaluation() {
        const { media, evaluation } = this.result;
        return media !== null && media === this.source.clip ? evaluation : null;
    }

    toggleLink() {
        this.#set(!this.isLinked, false);
    }

    toggleWipe() {
        const isOn = !this.wipe.isOn;
        this.#set(isOn || this.isLinked, isOn);
    }

    #set(/** @type {boolean} */ isLinked, /** @type {boolean} */ isWiped) {
        if (isLinked && !this.#evaluation) {
            announce(this.#reason);
            return;
        }
        if (isLinked !== this.isLinked || isWiped !== this.wipe.isOn) {
            announce(isWiped ? "Wipe: the source is left of the divider, the result right of it."
                : isLinked ? "Source and result are linked." : "Source and result aren't linked.");
        }
        this.isLinked = isLinked;
        this.wipe.set(isWiped);
        if (isLinked) this.moved(this.leader());
        else this.#leave();
        this.show();
    }

    get #reason() {
        const { render } = this.result;
        if (!render) return "Nothing has been rendered yet.";
        return render.media === this.source.clip && this.result.hasClipChanged
            ? `The edit was changed since ${render.name} was rendered.`
            : `${render.name} was made from another clip. Choose that clip to compare them.`;
    }

    show() {
        const isPossible = this.#evaluation !== null;
        const { media, isLive, render } = this.result;
        const key = `${isPossible} ${this.isLinked} ${this.wipe.isOn} ${isLive} ${media} ${render?.id}`;
        if (key === this.#shown) return;
        this.#shown = key;
        for (const { button, isOn, what } of [
            { button: byId("link"), isOn: this.isLinked, what: "Link source and result (G)" },
            { button: byId("wipe"), isOn: this.wipe.isOn, what: "Wipe between source and result (W)" },
        ]) {
            button.hidden = media === null;
            button.setAttribute("aria-pressed", String(isOn));
            button.setAttribute("aria-disabled", String(!isPossible && !isOn));
            button.title = isPossible ? what : this.#reason;
        }
        this.wipe.setShown(isPossible);
    }

    /** Call this whenever a player's time or state has changed. */
    moved(/** @type {Panel} */ panel) {
        this.show();
        if (!this.isLinked || panel !== this.leader()) return;
        const evaluation = this.#evaluation;
        if (!evaluation) {
            this.#leave();
        } else if (panel === this.source) {
            this.#leave();
            const { map, sourceStart } = evaluation;
            const { player } = this.result;
            const output = nearestOutput(map, this.source.place - sourceStart, player.time);
            if (Math.abs(player.time - output) < player.frame / 4) return;
            player.pause();
            player.seek(output);
        } else {
            this.#follow(evaluation);
        }
    }

    /** Has the source shown as the result's job shows it, so that both have the same times. */
    #follow(/** @type {Evaluation} */ evaluation) {
        const { player } = this.result;
        if (this.#request !== 0) return;
        this.source.player.pause();
        this.#lead(evaluation);
        if (player.isPlaying) {
            this.source.player.video.play().catch(() => {});
            this.#tick();
        } else if (Math.abs(this.source.player.time - player.time) > player.frame / 4) {
            this.source.player.seek(player.time);
        }
    }

    #lead(/** @type {Evaluation} */ evaluation) {
        const { request, player } = this.result;
        this.#led = evaluation;
        if (request) this.source.lead({ request, evaluation }, player.time);
    }

    /** While the result plays, the source keeps up with it. */
    #tick = () => {
        const { source, result } = this;
        const evaluation = this.#evaluation;
        const goesOn = this.isLinked && evaluation && result.player.isPlaying
            && this.leader() === result && !source.player.isPlaying;
        if (!goesOn) {
            this.#stop();
            if (this.isLinked && evaluation && this.leader() === result) this.moved(result);
            return;
        }
        this.#request = requestAnimationFrame(this.#tick);
        // What is live may have changed.
        if (evaluation !== this.#led) this.#lead(evaluation);
        const { time, pace } = result.player;
        const { video } = source.player;
        const late = time - source.player.time;
        if (Math.abs(late) > JUMP || pace < 0) source.player.seek(time);
        const haste = Math.max(-MOST_HASTE, Math.min(MOST_HASTE, late / CATCH_UP));
        const rate = Math.max(0.1, pace + (Math.abs(late) < LATE ? 0 : haste));
        if (Math.abs(video.playbackRate - rate) > LATE) video.playbackRate = rate;
        source.player.feed.fill();
        source.showTime();
    };

    #stop() {
        cancelAnimationFrame(this.#request);
        this.#request = 0;
        const { player } = this.source;
        if (!player.isPlaying) player.video.pause();
    }

    #leave() {
        if (this.#request !== 0) this.#stop();
        this.source.lead(null);
    }
}
