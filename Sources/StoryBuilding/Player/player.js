// Connects the parts of the page.

import { Captions } from "./captions.js";
import { Cards } from "./cards.js";
import { Choices } from "./choices.js";
import { Controls } from "./controls.js";
import { watchFrames } from "./frames.js";
import { loadManifest } from "./manifest.js";
import { MediaSourceTimeline } from "./media-source.js";
import { Playback } from "./playback.js";
import { deadline, resume } from "./runtime.js";
import { savedState, savedTaste, saveState, saveTaste } from "./saves.js";
import { SegmentStore } from "./segment-store.js";
import { SingleFileTimeline } from "./single-file.js";
import { tell } from "./statements.js";
import { words } from "./words.js";

const element = (id) => document.getElementById(id);

class Player {
    #lastChoice = null;
    #lastOffer = "";
    #segment = "";
    /** Whether choices were withdrawn in this step without one having been taken. */
    #isUnchosen = false;

    constructor(manifest) {
        this.manifest = manifest;
        this.root = element("player");
        this.video = element("video");
        this.stage = element("stage");
        this.cards = new Cards({ card: element("card"), stage: this.stage });
        this.choices = new Choices({
            list: element("choices"), spots: element("spots"),
            countdown: element("countdown"), time: element("time"),
        }, (index) => this.playback.choose(index));
        this.captions = new Captions(element("captions"), manifest);
        this.controls = new Controls({
            player: this.root, video: this.video, back: element("back"),
            restart: element("restart"), play: element("play"), mute: element("mute"),
            volume: element("volume"), captions: element("captions-button"), full: element("full"),
        }, this.captions, savedTaste(), {
            back: () => this.back(), restart: () => this.restart(),
            toggle: () => this.toggle(), setTaste: saveTaste,
            captionsChanged: () => this.captionsChanged(),
        });
        this.#dress();
    }

    #dress() {
        const { title, language, media } = this.manifest;
        document.title = title;
        document.documentElement.lang = language ?? "";
        element("title").textContent = title;
        this.root.style.setProperty("--ratio", media.width / media.height);
        for (const event of ["waiting", "playing", "seeked", "canplay", "pause"]) {
            this.video.addEventListener(event, () => this.#showBusy());
        }
        for (const event of ["play", "pause"]) {
            this.video.addEventListener(event, () => this.#showPhase());
        }
        this.video.addEventListener("error", () => {
            this.fail(words.damaged(this.video.error.message), () => location.reload());
        });
        this.video.addEventListener("click", () => this.toggle());
        document.addEventListener("keydown", (event) => this.#onKey(event));
    }

    /** Prepares the video, shows its first frame, and offers to begin. */
    async open() {
        const { type } = this.manifest.media;
        const again = () => location.reload();
        const onError = (error) => this.fail(words.damaged(error.message), again);
        let store = null;
        if (MediaSourceTimeline.canPlay(type)) {
            store = new SegmentStore((retry) => this.fail(words.offline, retry));
            this.timeline = new MediaSourceTimeline(this.video, this.manifest, store, onError);
        } else if (SingleFileTimeline.canPlay(this.video, type)) {
            const cover = element("cover");
            this.timeline = new SingleFileTimeline(this.video, cover, this.manifest, onError);
        } else {
            this.fail(words.unsupported, null);
            return;
        }
        this.playback = new Playback(
            { manifest: this.manifest, video: this.video, timeline: this.timeline, store },
            {
                onSteps: (actions) => this.#onSteps(actions),
                onTime: (segment, time) => this.#onTime(segment, time),
            });
        await this.timeline.open();
        watchFrames(this.video, (mediaTime) => this.playback.onFrame(mediaTime));
        this.#offerToBegin();
    }

    #offerToBegin() {
        const saved = savedState(this.manifest);
        const goesOn = saved !== null && resume(this.manifest, saved) !== null;
        this.playback.preview(goesOn ? saved.segment : this.manifest.start);
        const begin = [goesOn ? words.startAgain : words.play, () => this.playback.start()];
        const goOn = [words.resume, () => this.playback.resume(saved)];
        this.cards.show("start", this.manifest.title, goesOn ? [goOn, begin] : [begin]);
        this.#showPhase();
    }

    toggle() {
        if (this.playback?.state) this.playback.toggle();
        else this.cards.pressFirst();
    }

    back() {
        if (!this.playback?.state?.history.length) return;
        this.playback.back();
        this.announce(words.back);
    }

    restart() {
        if (!this.playback?.state) return;
        this.playback.restart();
        this.announce(words.restarted);
    }

    fail(text, retry) {
        this.root.classList.remove("busy");
        this.cards.show("failure", text, retry ? [[words.retry, () => {
            this.cards.hide();
            retry();
        }]] : []);
    }

    announce(text) {
        element("live").textContent = text;
    }

    captionsChanged() {
        const { state, time } = this.playback ?? {};
        if (!state) return;
        this.captions.prepare(state.segment).then(() => this.captions.update(state.segment, time));
    }

    // The story's actions

    #onSteps(actions) {
        const { state } = this.playback;
        this.#isUnchosen = false;
        for (const action of actions) this.#onAction(action);
        saveState(this.manifest, state);
        this.#showPhase();
        for (const name of [state.segment, state.next]) {
            if (name) this.captions.prepare(name);
        }
        this.root.dataset.phase = state.phase;
        this.root.dataset.segment = state.segment;
    }

    #onAction(action) {
        switch (action.do) {
        case "play":
            this.cards.hide();
            this.#lastOffer = "";
            this.#segment = action.segment;
            break;
        case "jump": this.#segment = action.segment; break;
        case "show": this.#offer(action.choices); break;
        case "hide": this.#withdraw(); break;
        case "lock":
            if (this.#isUnchosen && action.segment !== this.#segment) this.announce(words.unchosen);
            break;
        case "choice": this.#onChoice(action); break;
        case "event": this.#tell({ type: "event", name: action.name }); break;
        case "end": this.#onEnd(); break;
        }
    }

    #offer(indices) {
        const { segment } = this.playback.state;
        const { choices } = this.manifest.segments[segment];
        const end = deadline(this.manifest, this.playback.state);
        const isWaiting = this.playback.state.phase === "waiting";
        const limit = end === null || isWaiting ? null : end - this.playback.time;
        this.deadline = end;
        this.choices.show(indices.map((index) => ({ index, ...choices[index] })), limit);
        const text = words.choose(indices.map((index) => choices[index].label), limit);
        // A segment that loops offers the same choices again; they are announced only once.
        if (this.#lastOffer !== `${segment}: ${text}`) this.announce(text);
        this.#lastOffer = `${segment}: ${text}`;
        if (this.#lastChoice?.segment === segment && document.activeElement === this.stage) {
            this.choices.focus(this.#lastChoice.index);
        }
        this.#lastChoice = null;
    }

    #withdraw() {
        if (!this.choices.areShown) return;
        const index = this.choices.focused;
        this.choices.hide();
        this.#isUnchosen = true;
        if (index !== null) {
            this.#lastChoice = { segment: this.#segment, index };
            this.stage.focus();
        }
    }

    #onChoice({ segment, choice }) {
        const { label } = this.manifest.segments[segment].choices[choice];
        this.#tell({ type: "choice", segment, choice, label });
        this.#withdraw();
        this.#isUnchosen = false;
        this.announce(words.chosen(label));
    }

    #onEnd() {
        this.#tell({ type: "end" });
        this.announce(words.ended);
        const restart = [words.restart, () => this.restart()];
        const back = [words.backToChoice, () => this.back()];
        const canGoBack = this.playback.state.history.length > 0;
        this.cards.show("end", words.ended, canGoBack ? [restart, back] : [restart]);
    }

    #tell(detail) {
        const { timeBefore: time } = this.playback;
        tell(this.root, this.manifest, { segment: this.#segment, time, ...detail });
    }

    #onTime(segment, time) {
        this.captions.update(segment, time);
        if (this.choices.areShown && this.deadline !== null) {
            this.choices.update(this.deadline - time);
        }
    }

    // The rest of the page

    #showPhase() {
        const { state, isPlaying, canToggle } = this.playback;
        this.controls.showPlaying(isPlaying);
        this.controls.enable({
            play: canToggle || state === null,
            back: state?.history.length > 0, restart: state !== null,
        });
    }

    #showBusy() {
        const waits = this.playback?.isPlaying && this.video.readyState < 3
            && this.playback.canToggle;
        this.root.classList.toggle("busy", Boolean(waits));
    }

    #onKey(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || !this.playback) return;
        const { target, key } = event;
        const isButton = target instanceof HTMLButtonElement;
        if (isButton && (key === " " || key === "Enter")) return;
        if (target instanceof HTMLInputElement && key.startsWith("Arrow")) return;
        const choice = this.choices.forKey(key);
        if (choice !== null) this.playback.choose(choice);
        else if (!this.controls.press(key)) return;
        event.preventDefault();
    }
}

async function main() {
    try {
        const player = new Player(await loadManifest());
        await player.open();
    } catch (error) {
        const cards = new Cards({ card: element("card"), stage: element("stage") });
        cards.show("failure", words.noManifest, [[words.retry, () => location.reload()]]);
        throw error;
    }
}

main();
