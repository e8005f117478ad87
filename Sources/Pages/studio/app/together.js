// Source and result, linked by the result's time map: where one is scrubbed or played, the other
// follows. The wipe lays the source's picture over the result's.

import { announce } from "../../shared/elements/announce.js";
import { byId } from "../../shared/elements/dom.js";
import { outputsOf, sourceAt } from "../../shared/playing/plot-map.js";
import { insideOf } from "../../shared/playing/preview.js";
import { seekVideo } from "../../shared/playing/seek.js";
import { Wipe } from "../results/wipe.js";

/** Seconds by which the source may be behind a playing result before it jumps, and seconds in which it catches up. */
const JUMP = 0.4, CATCH_UP = 0.5;
/** Seconds that are added to a place, so that the start of a frame shows that frame and not the one before it. */
const EDGE = 0.002;
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

    /**
     * @param {import("./source-panel.js").SourcePanel} source
     * @param {import("../results/result-panel.js").ResultPanel} result
     * @param {() => Panel} leader the panel that was used last, which the other follows
     */
    constructor(source, result, leader) {
        this.source = source;
        this.result = result;
        this.leader = leader;
        const { video, follower } = source.player;
        this.follower = follower;
        this.wipe = new Wipe(byId("result-screen"), video, follower.canvas);
        byId("link").addEventListener("click", () => this.toggleLink());
        byId("wipe").addEventListener("click", () => this.toggleWipe());
        this.show();
    }

    /** The result's time map; null if the source player doesn't have the result's clip. */
    get #evaluation() {
        const { render, evaluation } = this.result;
        const isSame = render && render.media === this.source.player.clip?.key;
        return isSame && this.source.player.canPlay ? evaluation : null;
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
        return render.media === this.source.player.clip?.key && this.result.hasClipChanged
            ? `The edit was changed since ${render.name} was rendered.`
            : `${render.name} was made from another clip. Choose that clip to compare them.`;
    }

    show() {
        const isPossible = this.#evaluation !== null;
        const { render } = this.result;
        const key = `${isPossible} ${this.isLinked} ${this.wipe.isOn} ${render?.id}`;
        if (key === this.#shown) return;
        this.#shown = key;
        for (const { button, isOn, what } of [
            { button: byId("link"), isOn: this.isLinked, what: "Link source and result (G)" },
            { button: byId("wipe"), isOn: this.wipe.isOn, what: "Wipe between source and result (W)" },
        ]) {
            button.hidden = !render;
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
            this.#move(this.result.player, this.#outputOf(evaluation));
        } else if (this.result.player.isPlaying && !this.source.player.preview) {
            this.#follow();
        } else {
            this.#leave();
            this.#move(this.source.player, this.#placeAt(evaluation, this.result.player.time));
        }
    }

    /** The output time nearest to the present one at which the result shows what the source player shows. */
    #outputOf(/** @type {Evaluation} */ { map, sourceStart }) {
        const now = this.result.player.time;
        const found = outputsOf(map, insideOf(map, this.source.player.time - sourceStart));
        return found.reduce(
            (best, each) => (Math.abs(each - now) < Math.abs(best - now) ? each : best),
            found[0] ?? now);
    }

    #placeAt(/** @type {Evaluation} */ { map, sourceStart }, /** @type {number} */ output) {
        return sourceStart + sourceAt(map, output) + EDGE;
    }

    #move(/** @type {import("../../shared/playing/player.js").Player} */ player, /** @type {number} */ place) {
        if (Math.abs(player.time - place) < player.frame / 4) return;
        if (player.isPlaying) player.pause();
        player.seek(place);
    }

    // While the result plays, the source plays through the result's map.

    #follow() {
        if (this.#request !== 0) return;
        const { player } = this.source;
        if (player.isPlaying) player.pause();
        player.isLed = true;
        player.video.muted = true;
        this.#tick();
    }

    #tick = () => {
        const { source, result, follower } = this;
        const evaluation = this.#evaluation;
        const goesOn = this.isLinked && evaluation && result.player.isPlaying
            && this.leader() === result && !source.player.isPlaying && !source.player.preview;
        if (!goesOn) {
            this.#leave();
            if (this.isLinked && evaluation && this.leader() === result) this.moved(result);
            return;
        }
        this.#request = requestAnimationFrame(this.#tick);
        const { time, pace, frame } = result.player;
        const { map, sourceStart: start } = evaluation;
        const late = follower.map ? time - follower.output : Infinity;
        if (follower.map !== map) follower.follow(map, { start, frame: source.player.frame }, time);
        if (Math.abs(late) > JUMP) seekVideo(source.player.video, follower.jump(time));
        const haste = Math.max(-MOST_HASTE, Math.min(MOST_HASTE, late / CATCH_UP));
        follower.tick(pace + (Math.abs(late) < Math.min(frame, JUMP) / 2 ? 0 : haste || 0), false);
        if (follower.isShowingImage) this.wipe.draw();
        source.transport.showTime();
    };

    #leave() {
        if (this.#request === 0) return;
        cancelAnimationFrame(this.#request);
        this.#request = 0;
        const { player } = this.source;
        player.isLed = false;
        this.follower.leave();
        if (!player.isPlaying) player.video.pause();
        player.applySound();
    }
}
