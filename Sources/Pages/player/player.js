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

/** @typedef {import("./elements.js").Elements} Elements */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").After} After */

/** @type {<Id extends keyof Elements>(id: Id) => Elements[Id]} */
const element = (id) => /** @type {Elements[typeof id]} */ (document.getElementById(id));

/** @type {(name: string, act: () => void) => import("./types.js").Labelled} a button of a card, labelled with a text */
const labelled = (name, act) => [words.say(name), act];

class Player {
    #segment = "";
    /** The name of the text of the failure that was shown last. */
    #failure = "";
    /** @type {import("./types.js").Beginning} how the next segment begins that doesn't follow another one */
    #beginning = "start";
    /** Whether choices were withdrawn in this step without one having been taken. */
    #isUnchosen = false;
    /** Whether something has been said in this turn. */
    #isSaying = false;

    /** @type {Playback | undefined} from when the video is prepared */
    playback;

    /** @param {import("./types.js").Manifest} manifest */
    constructor(manifest) {
        this.manifest = manifest;
        this.root = element("player");
        this.screen = new Screen([element("video"), element("standby")]);
        this.video = this.screen.video;
        this.store = new SegmentStore((isStuck) => this.#onStuck(isStuck));
        this.stage = element("stage");
        this.cards = new Cards({ card: element("card"), stage: this.stage });
        this.choices = new Choices({
            list: element("choices"), spots: element("spots"),
            countdown: element("countdown"), time: element("time"),
        }, (index) => this.playback?.choose(index));
        this.offer = new Offer(manifest, this.choices, this.stage, (text) => this.announce(text));
        this.captions = new Captions(element("captions"), manifest);
        this.progress = new Progress({ progress: element("progress"), clock: element("clock") }, manifest);
        this.controls = this.#newControls();
        this.system = new SystemControls(manifest, {
            play: () => this.play(), pause: () => this.playback?.want(false), back: () => this.back(),
        });
        this.visited = this.#newVisitedScenes();
        this.#dress();
    }

    #newControls() {
        const shown = savedSettings();
        this.choices.areKeysOn = shown.shortcuts;
        const controls = new Controls({
            player: this.root, video: this.video, back: element("back"), play: element("play"),
            mute: element("mute"), volume: element("volume"), captions: element("captions-button"),
            panel: element("settings"), panelButton: element("settings-button"), full: element("full"),
        }, this.captions, shown, {
            back: () => this.back(), restart: () => this.restart(), toggle: () => this.toggle(),
            save: saveSettings, captionsChanged: () => this.captionsChanged(),
            speedChanged: () => this.#showPhase(),
            shortcutsChanged: (areOn) => { this.choices.areKeysOn = areOn; },
            announce: (text) => this.announce(text),
        });
        new Keys(controls.shortcuts, {
            isReady: () => this.playback !== undefined,
            areLettersOn: () => controls.settings.shortcuts,
            actFor: (key) => this.#choiceFor(key),
        });
        return controls;
    }

    /** @type {(key: string) => (() => void) | null} */
    #choiceFor(key) {
        const index = this.choices.forKey(key);
        return index === null ? null : () => this.playback?.choose(index);
    }

    #newVisitedScenes() {
        return new VisitedScenes(this.manifest, {
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
        this.root.style.setProperty("--ratio", String(media.width / media.height));
        this.root.classList.toggle("tall", media.height > media.width);
        /** @type {NodeListOf<HTMLElement & { dataset: { name: string } }>} */
        const named = document.querySelectorAll("[data-name]");
        for (const each of named) {
            each.setAttribute("aria-label", words.say(each.dataset.name));
        }
        const foot = /** @type {HTMLElement} */ (document.querySelector(".foot"));
        for (const each of [element("live"), element("countdown"), foot]) words.mark(each);
        // Captions make room for the choices, however high these are.
        const offer = element("offer");
        new ResizeObserver(() => {
            this.root.style.setProperty("--offer", `${offer.offsetHeight}px`);
        }).observe(offer, { box: "border-box" });
        for (const event of ["waiting", "playing", "seeked", "canplay", "ended"]) {
            this.video.addEventListener(event, () => this.#showBusy());
        }
        this.video.addEventListener("playing", () => this.cards.hide("refusal"));
        this.video.addEventListener("click", () => onlyClosedPanel() || this.toggle());
        document.addEventListener("visibilitychange", () => this.#showChoices());
    }

    /** Prepares the video, shows its first frame, and offers to begin. */
    async open() {
        const { manifest, screen, video, store } = this;
        addEventListener("online", () => store.retry());
        const ways = new Ways(manifest, screen, store, {
            hold: () => this.playback?.hold(),
            moveTo: (timeline) => this.playback?.moveTo(timeline),
            fail: (error, retry) => this.fail(
                error instanceof NetworkError ? "offline" : "damaged", retry),
        });
        if (ways.isEmpty) {
            this.fail("unsupported", null);
            return;
        }
        const timeline = await ways.open();
        const playback = new Playback({ manifest, video, timeline, store }, {
            onSteps: (actions, after) => this.#onSteps(actions, after),
            onTime: (segment, time) => this.#onTime(segment, time),
            onPlaying: () => this.#showPhase(),
            onRefusal: () => this.#offerToPlay(),
        });
        this.playback = playback;
        watchFrames(screen, (mediaTime) => playback.onFrame(mediaTime));
        const saved = this.#saved;
        const first = saved?.segment ?? manifest.start;
        playback.preview(first);
        this.progress.update(first, 0);
        this.#offerToBegin();
    }

    /** @returns {State | null} the saved state of an earlier visit, if the story can go on from there */
    get #saved() {
        const saved = savedState(this.manifest);
        return saved !== null && resume(this.manifest, saved) !== null ? saved : null;
    }

    /** The browser plays only if the viewer does something. */
    #offerToPlay() {
        this.cards.show("refusal", words.say("refused"), [labelled("play", () => this.play())]);
        this.announce(words.say("refused"));
    }

    #offerToBegin() {
        const saved = this.#saved;
        const begin = labelled(saved ? "startAgain" : "play", () => this.#start("start", null));
        const goOn = labelled("resume", () => this.#start("resume", saved));
        this.cards.show("start", this.manifest.title, saved ? [goOn, begin] : [begin]);
        this.#showPhase();
    }

    /** @type {(beginning: "start" | "resume", saved: State | null) => void} */
    #start(beginning, saved) {
        this.#beginning = beginning;
        if (beginning === "resume") this.playback?.resume(saved);
        else this.playback?.start();
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
        if (!this.playback?.state) return;
        if (this.playback.state.history.length > 0) {
            this.#beginning = "back";
            this.playback.back();
            this.announce(words.say("backAtChoice"));
        } else {
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

    /** @type {(state: State, title: string) => void} goes on with an earlier state, in the scene with this title */
    goTo(state, title) {
        this.offer.withdraw(this.#segment);
        this.#beginning = "scene";
        this.playback?.resume(state);
        this.announce(words.say("backAtScene", { scene: title }));
    }

    /**
     * Says that something failed.
     * @param {string} name of the text
     * @param {(() => void) | null} retry what the viewer may do about it
     */
    fail(name, retry) {
        const again = labelled("retry", () => {
            this.#recover();
            retry?.();
        });
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

    /** @type {(isStuck: boolean) => void} the network failed to bring what is needed now, or that is over */
    #onStuck(isStuck) {
        if (isStuck) this.fail("offline", () => this.store.retry());
        else if (this.#failure === "offline") this.#recover();
    }

    /**
     * Says it to screen readers. What is said in one turn, as after a stall, has a line each.
     * @param {string} text
     */
    announce(text) {
        const line = document.createElement("p");
        line.textContent = text;
        if (!this.#isSaying) element("live").replaceChildren();
        element("live").append(line);
        this.#isSaying = true;
        setTimeout(() => { this.#isSaying = false; });
    }

    captionsChanged() {
        if (!this.playback?.state) return;
        const { state, time } = this.playback;
        this.captions.prepare(state.segment).then(() => this.captions.update(state.segment, time));
    }

    // The story's actions

    /** @type {(actions: import("./types.js").Action[], after: After) => void} */
    #onSteps(actions, after) {
        const { state } = after;
        this.#isUnchosen = false;
        for (const action of actions) this.#onAction(action, after);
        saveState(this.manifest, state);
        this.#showPhase();
        for (const name of [state.segment, state.next]) {
            if (name) this.captions.prepare(name);
        }
        this.root.dataset.phase = state.phase;
        this.root.dataset.segment = state.segment;
    }

    /** @type {(action: import("./types.js").Action, after: After) => void} */
    #onAction(action, { state, timeBefore, time }) {
        switch (action.do) {
        case "play":
            this.cards.hide();
            this.offer.forget();
            this.#segment = action.segment;
            this.visited.begin(this.#beginning, state);
            break;
        case "jump":
            this.#recover();
            this.#segment = action.segment;
            this.visited.follow(state);
            break;
        case "show":
            this.offer.show(state, action.choices, time, this.controls.speed);
            this.#showChoices();
            break;
        case "hide": this.#isUnchosen = this.offer.withdraw(this.#segment); break;
        case "lock":
            if (this.#isUnchosen && action.segment !== this.#segment) this.announce(words.say("unchosen"));
            break;
        case "choice": this.#onChoice(action, timeBefore); break;
        case "event": this.#tell({ type: "event", name: action.name }, timeBefore); break;
        case "end": this.#onEnd(timeBefore); break;
        }
    }

    /** Choices can't be taken in the system's small window, but in the page, if that is seen. */
    #showChoices() {
        if (this.choices.areShown && !document.hidden) leavePictureInPicture(this.video);
    }

    /** @type {(taken: { segment: string, choice: number }, time: number) => void} */
    #onChoice({ segment, choice }, time) {
        const { label } = this.manifest.segments[segment].choices[choice];
        this.visited.choose(choice);
        this.#tell({ type: "choice", choice, label }, time);
        this.offer.withdraw(this.#segment);
        this.announce(words.say("chosen", { label }));
    }

    /** @param {number} time */
    #onEnd(time) {
        this.#tell({ type: "end" }, time);
        this.announce(words.say("ended"));
        const buttons = [labelled("restart", () => this.restart())];
        const backName = this.#backName;
        if (backName) buttons.push(labelled(backName, () => this.back()));
        if (this.visited.hasMap) buttons.push(labelled("map", () => this.visited.map.open()));
        this.cards.show("end", words.say("ended"), buttons, this.visited.summary());
    }

    /** @type {(detail: import("./types.js").Happening, time: number) => void} */
    #tell(detail, time) {
        const told = { segment: this.#segment, time, ...detail };
        tell(this.root, this.manifest, told);
        this.visited.tell(told);
    }

    /** @type {(segment: string, time: number) => void} */
    #onTime(segment, time) {
        this.captions.update(segment, time);
        this.progress.update(segment, time);
        this.visited.update(segment, time);
        this.offer.update(time, this.controls.speed);
    }

    // The rest of the page

    /** The name of the text that says where `back` leads; null if it leads nowhere. */
    get #backName() {
        const state = this.playback?.state;
        if (!state) return null;
        return state.history.length > 0 ? "back" : this.visited.isKept ? "undoRestart" : null;
    }

    #showPhase() {
        if (!this.playback) return;
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
        cards.show("failure", words.say(name), [labelled("retry", () => location.reload())]);
        throw error;
    }
}

main();
