// Connects the parts of the page.

import { Captions } from "./controls/captions.js";
import { Cards } from "./controls/cards.js";
import { Choices } from "./controls/choices.js";
import { Controls } from "./controls/controls.js";
import { watchFrames } from "./playing/frames.js";
import { VisitedScenes } from "./controls/visited-scenes.js";
import { Keys } from "./controls/keys.js";
import { loadManifest, ManifestError } from "./playing/manifest.js";
import { SystemControls } from "./controls/media-session.js";
import { Offer } from "./controls/offer.js";
import { onlyClosedPanel } from "./controls/panels.js";
import { leavePictureInPicture } from "./controls/picture-in-picture.js";
import { Playback } from "./playing/playback.js";
import { Progress } from "./story/progress.js";
import { resume } from "./story/runtime.js";
import { savedSettings, savedState, saveSettings, saveState } from "./story/saves.js";
import { Screen } from "./playing/screen.js";
import { NetworkError, SegmentStore } from "./playing/segment-store.js";
import { tell } from "./story/statements.js";
import { Ways } from "./playing/ways.js";
import { words } from "./controls/words.js";

const element = (id) => document.getElementById(id);

class Player {
    #segment = "";
    /** The name of the text of the failure that was shown last. */
    #failure = "";
    /** How the next segment begins that doesn't follow another one: see `BEGINNINGS`. */
    #beginning = "start";
    /** Whether choices were withdrawn in this step without one having been taken. */
    #isUnchosen = false;
    /** Whether something has been said in this turn. */
    #isSaying = false;

    constructor(manifest) {
        this.manifest = manifest;
        this.root = element("player");
        this.screen = new Screen([element("video"), element("standby")]);
        this.video = this.screen.video;
        this.stage = element("stage");
        this.cards = new Cards({ card: element("card"), stage: this.stage });
        this.choices = new Choices({
            list: element("choices"), spots: element("spots"),
            countdown: element("countdown"), time: element("time"),
        }, (index) => this.playback.choose(index));
        const announce = (text) => this.announce(text);
        this.offer = new Offer({ manifest, choices: this.choices, stage: this.stage, announce });
        this.captions = new Captions(element("captions"), manifest);
        this.progress = new Progress({ progress: element("progress"), clock: element("clock") }, manifest);
        this.#makeControls(announce);
        this.#makeVisitedScenes();
        this.#dress();
    }

    #makeControls(announce) {
        const shown = savedSettings();
        this.choices.areKeysOn = shown.shortcuts;
        this.controls = new Controls({
            player: this.root, video: this.video, back: element("back"), play: element("play"),
            mute: element("mute"), volume: element("volume"), captions: element("captions-button"),
            panel: element("settings"), panelButton: element("settings-button"), full: element("full"),
        }, this.captions, shown, {
            back: () => this.back(), restart: () => this.restart(), toggle: () => this.toggle(),
            save: saveSettings, captionsChanged: () => this.captionsChanged(),
            speedChanged: () => this.playback && this.#showPhase(),
            shortcutsChanged: (areOn) => { this.choices.areKeysOn = areOn; }, announce,
        });
        this.keys = new Keys(this.controls.shortcuts, {
            isReady: () => this.playback !== undefined,
            areLettersOn: () => this.controls.settings.shortcuts,
            actFor: (key) => this.#choiceFor(key),
        });
        this.system = new SystemControls(this.manifest, {
            play: () => this.play(), pause: () => this.playback?.want(false), back: () => this.back(),
        });
    }

    #choiceFor(key) {
        const index = this.choices.forKey(key);
        return index === null ? null : () => this.playback.choose(index);
    }

    #makeVisitedScenes() {
        this.visited = new VisitedScenes(this.manifest, {
            scenes: element("scenes"), scenesButton: element("scenes-button"),
            map: element("map"), mapButton: element("map-button"),
        }, () => this.screen.active, {
            state: () => this.playback?.state ?? null, goTo: (state, title) => this.goTo(state, title),
            restart: () => (this.playback?.state ? this.restart() : this.cards.pressLast()),
        });
    }

    #dress() {
        const { title, media } = this.manifest;
        document.title = title;
        element("title").textContent = title;
        this.root.style.setProperty("--ratio", media.width / media.height);
        this.root.classList.toggle("tall", media.height > media.width);
        for (const each of document.querySelectorAll("[data-name]")) {
            each.setAttribute("aria-label", words.say(each.dataset.name));
        }
        for (const each of [element("live"), element("countdown"), document.querySelector(".foot")]) {
            words.mark(each);
        }
        // Captions make room for the choices, however high these are.
        new ResizeObserver(([{ target }]) => {
            this.root.style.setProperty("--offer", `${target.offsetHeight}px`);
        }).observe(element("offer"), { box: "border-box" });
        for (const event of ["waiting", "playing", "seeked", "canplay", "ended"]) {
            this.video.addEventListener(event, () => this.#showBusy());
        }
        this.video.addEventListener("playing", () => this.cards.hide("refusal"));
        this.video.addEventListener("click", () => onlyClosedPanel() || this.toggle());
        document.addEventListener("visibilitychange", () => this.#showChoices());
    }

    /** Prepares the video, shows its first frame, and offers to begin. */
    async open() {
        const { manifest, screen, video } = this;
        const store = new SegmentStore((isStuck) => this.#onStuck(isStuck));
        addEventListener("online", () => store.retry());
        this.store = store;
        const ways = new Ways({ manifest, screen, store }, {
            hold: () => this.playback?.hold(),
            moveTo: (timeline) => this.playback.moveTo(timeline),
            fail: (error, retry) => this.fail(
                error instanceof NetworkError ? "offline" : "damaged", retry),
        });
        if (ways.isEmpty) {
            this.fail("unsupported", null);
            return;
        }
        const timeline = await ways.open();
        this.playback = new Playback({ manifest, video, timeline, store }, {
            onSteps: (actions) => this.#onSteps(actions),
            onTime: (segment, time) => this.#onTime(segment, time),
            onPlaying: () => this.#showPhase(),
            onRefusal: () => this.#offerToPlay(),
        });
        watchFrames(screen, (mediaTime) => this.playback.onFrame(mediaTime));
        const saved = this.#saved;
        const first = saved?.segment ?? manifest.start;
        this.playback.preview(first);
        this.progress.update(first, 0);
        this.#offerToBegin();
    }

    /** The saved state of an earlier visit, if the story can go on from there. */
    get #saved() {
        const saved = savedState(this.manifest);
        return saved !== null && resume(this.manifest, saved) !== null ? saved : null;
    }

    /** The browser plays only if the viewer does something. */
    #offerToPlay() {
        this.cards.show("refusal", words.say("refused"), [[words.say("play"), () => this.play()]]);
        this.announce(words.say("refused"));
    }

    #offerToBegin() {
        const saved = this.#saved;
        const begin = [words.say(saved ? "startAgain" : "play"), () => this.#start("start")];
        const goOn = [words.say("resume"), () => this.#start("resume", saved)];
        this.cards.show("start", this.manifest.title, saved ? [goOn, begin] : [begin]);
        this.#showPhase();
    }

    #start(beginning, saved) {
        this.#beginning = beginning;
        if (beginning === "resume") this.playback.resume(saved);
        else this.playback.start();
    }

    play() {
        if (this.playback?.state) this.playback.want(true);
        else this.cards.pressFirst();
    }

    toggle() {
        if (this.playback?.isPlaying) this.playback.want(false);
        else this.play();
    }

    /** Goes back to the last decision, or to where the story was before it was restarted. */
    back() {
        const { state } = this.playback ?? {};
        if (state?.history.length > 0) {
            this.#beginning = "back";
            this.playback.back();
            this.announce(words.say("backAtChoice"));
        } else if (state) {
            this.visited.undoRestart();
        }
    }

    restart() {
        if (!this.playback?.state) return;
        this.visited.keep(this.playback.state);
        this.#beginning = "start";
        this.playback.restart();
        this.announce(words.say("restarted"));
    }

    /** Goes on with an earlier state, in the scene with this title. */
    goTo(state, title) {
        this.offer.withdraw(this.#segment);
        this.#beginning = "scene";
        this.playback.resume(state);
        this.announce(words.say("backAtScene", { scene: title }));
    }

    /**
     * Says that something failed.
     * @param name of the text
     * @param retry what the viewer may do about it, or null
     */
    fail(name, retry) {
        const again = [words.say("retry"), () => {
            this.#recover();
            retry();
        }];
        this.#failure = name;
        this.cards.show("failure", words.say(name), retry ? [again] : []);
        this.#showBusy();
    }

    /** What failed doesn't matter any more, or is tried again. */
    #recover() {
        const isShown = this.cards.kind === "failure";
        this.cards.hide("failure");
        if (isShown && this.playback && !this.playback.state) this.#offerToBegin();
    }

    /** The network failed to bring what is needed now, or that is over. */
    #onStuck(isStuck) {
        if (isStuck) this.fail("offline", () => this.store.retry());
        else if (this.#failure === "offline") this.#recover();
    }

    /** Says it to screen readers. What is said in one turn, as after a stall, has a line each. */
    announce(text) {
        const line = document.createElement("p");
        line.textContent = text;
        if (!this.#isSaying) element("live").replaceChildren();
        element("live").append(line);
        this.#isSaying = true;
        setTimeout(() => { this.#isSaying = false; });
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
            this.offer.forget();
            this.#segment = action.segment;
            this.visited.begin(this.#beginning, this.playback.state);
            break;
        case "jump":
            this.#recover();
            this.#segment = action.segment;
            this.visited.follow(this.playback.state);
            break;
        case "show":
            this.offer.show(
                this.playback.state, action.choices, this.playback.time, this.controls.speed);
            this.#showChoices();
            break;
        case "hide": this.#isUnchosen = this.offer.withdraw(this.#segment); break;
        case "lock":
            if (this.#isUnchosen && action.segment !== this.#segment) this.announce(words.say("unchosen"));
            break;
        case "choice": this.#onChoice(action); break;
        case "event": this.#tell({ type: "event", name: action.name }); break;
        case "end": this.#onEnd(); break;
        }
    }

    /** Choices can't be taken in the system's small window, but in the page, if that is seen. */
    #showChoices() {
        if (this.choices.areShown && !document.hidden) leavePictureInPicture(this.video);
    }

    #onChoice({ segment, choice }) {
        const { label } = this.manifest.segments[segment].choices[choice];
        this.visited.choose(choice);
        this.#tell({ type: "choice", segment, choice, label });
        this.offer.withdraw(this.#segment);
        this.announce(words.say("chosen", { label }));
    }

    #onEnd() {
        this.#tell({ type: "end" });
        this.announce(words.say("ended"));
        const restart = [words.say("restart"), () => this.restart()];
        const backName = this.#backName;
        const back = backName ? [[words.say(backName), () => this.back()]] : [];
        const map = [words.say("map"), () => this.visited.map.open()];
        const buttons = [
            restart, ...back, ...(this.visited.hasMap ? [map] : []),
        ];
        this.cards.show("end", words.say("ended"), buttons, this.visited.summary());
    }

    #tell(detail) {
        const { timeBefore: time } = this.playback;
        const told = { segment: this.#segment, time, ...detail };
        tell(this.root, this.manifest, told);
        this.visited.tell(told);
    }

    #onTime(segment, time) {
        this.captions.update(segment, time);
        this.progress.update(segment, time);
        this.visited.update(segment, time);
        this.offer.update(time, this.controls.speed);
    }

    // The rest of the page

    /** The name of the text that says where `back` leads; null if it leads nowhere. */
    get #backName() {
        if (this.playback.state?.history.length > 0) return "back";
        return this.playback.state && this.visited.isKept ? "undoRestart" : null;
    }

    #showPhase() {
        const { state, isPlaying, canToggle, time } = this.playback;
        const back = this.#backName;
        this.controls.showPlaying(isPlaying);
        this.controls.enable({ play: canToggle || state === null, back });
        if (state) {
            const { speed } = this.controls;
            this.system.update({ segment: state.segment, time, isPlaying, canGoBack: back !== null, speed });
        }
        this.#showBusy();
    }

    #showBusy() {
        const waits = this.playback?.isWaiting && this.cards.kind !== "failure";
        this.root.classList.toggle("busy", Boolean(waits));
    }
}

async function main() {
    try {
        const player = new Player(await loadManifest());
        await player.open();
    } catch (error) {
        const cards = new Cards({ card: element("card"), stage: element("stage") });
        const name = error instanceof NetworkError ? "noStory"
            : error instanceof ManifestError ? "noManifest" : "damaged";
        cards.show("failure", words.say(name), [[words.say("retry"), () => location.reload()]]);
        throw error;
    }
}

main();
