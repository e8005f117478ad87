// The control bar below the video, its panels, and its keyboard shortcuts.

import { nameButton } from "./buttons.js";
import { canBeFull, isFull, onFullChange, toggleFull } from "../playing/full-screen.js";
import { closePanels, Panel } from "./panels.js";
import { canPictureInPicture, togglePictureInPicture } from "./picture-in-picture.js";
import { settingsOf, SPEEDS, speedText } from "./settings.js";
import { words } from "./words.js";

/** How long, in milliseconds, the bar stays in full screen when the viewer does nothing. */
const IDLE = 3000;

/** @typedef {import("../types.js").Settings} Settings */
/**
 * @typedef {{ video: HTMLVideoElement, volume: HTMLInputElement } & Record<
 *     "player" | "back" | "play" | "mute" | "captions" | "panel" | "panelButton" | "full", HTMLElement>} Elements
 * @typedef {{ save(settings: Settings): void, shortcutsChanged(areOn: boolean): void, announce(text: string): void }
 *     & Record<"back" | "restart" | "toggle" | "captionsChanged" | "speedChanged", () => void>} Acts
 */

export class Controls {
    /** Unlike the settings, it isn't saved. */
    speed = 1;

    /**
     * @param {Elements} elements
     * @param {import("./captions.js").Captions} texts
     * @param {Settings} settings
     * @param {Acts} acts
     */
    constructor(elements, texts, settings, acts) {
        this.elements = elements;
        this.texts = texts;
        this.settings = settings;
        this.acts = acts;
        const { player, back, play, mute, volume, captions, panel, panelButton, full } = elements;
        nameButton(panelButton, words.say("settings"));
        back.addEventListener("click", acts.back);
        play.addEventListener("click", acts.toggle);
        mute.addEventListener("click", () => this.toggleMute());
        volume.addEventListener("input", () => this.setVolume(Number(volume.value)));
        captions.addEventListener("click", () => this.nextCaptions());
        full.addEventListener("click", () => toggleFull(player));
        onFullChange(() => this.showFull());
        this.settingsPanel = new Panel(panel, panelButton, () => this.#settings());
        captions.hidden = texts.languages.size === 0;
        full.hidden = !canBeFull();
        this.texts.choose(settings.captions);
        this.applySound();
        this.showCaptions();
        this.showFull();
        this.showPlaying(false);
        this.enable({ play: true, back: null });
        this.#hideWhenIdle();
    }

    /** The functions of keys. */
    get shortcuts() {
        return {
            " ": () => this.acts.toggle(),
            k: () => this.acts.toggle(),
            m: () => this.toggleMute(),
            c: () => this.nextCaptions(),
            f: () => toggleFull(this.elements.player),
            r: () => this.acts.restart(),
            backspace: () => this.acts.back(),
            arrowup: () => this.setVolume(this.settings.volume + 0.1),
            arrowdown: () => this.setVolume(this.settings.volume - 0.1),
            ">": () => this.nextSpeed(1),
            "<": () => this.nextSpeed(-1),
            escape: closePanels,
        };
    }

    /** @param {boolean} isPlaying */
    showPlaying(isPlaying) {
        const { play, player } = this.elements;
        play.dataset.icon = isPlaying ? "pause" : "play";
        player.classList.toggle("playing", isPlaying);
        nameButton(play, words.say(isPlaying ? "pause" : "play"));
    }

    /**
     * Tells which buttons have an effect now.
     * @param {{ play: boolean, back: string | null }} effects `back` is the name of the text that says where the way
     *     back leads, or null if it leads nowhere
     */
    enable({ play, back }) {
        // With `disabled`, a focused button would lose the focus.
        this.elements.play.setAttribute("aria-disabled", String(!play));
        this.elements.back.setAttribute("aria-disabled", String(back === null));
        nameButton(this.elements.back, words.say(back ?? "back"));
    }

    /** @param {Partial<Settings>} change */
    #keep(change) {
        Object.assign(this.settings, change);
        this.acts.save(this.settings);
    }

    // Settings

    #settings() {
        return settingsOf({ ...this.settings, speed: this.speed }, this.texts.languages, {
            setSpeed: (speed) => this.setSpeed(speed),
            setCaptions: (language) => this.setCaptions(language),
            setCaptionSize: (size) => this.setCaptionSize(size),
            setShortcuts: (areOn) => this.setShortcuts(areOn),
            pictureInPicture: canPictureInPicture(this.elements.video) ? () => this.#enterPictureInPicture() : null,
        });
    }

    #enterPictureInPicture() {
        togglePictureInPicture(this.elements.video);
        this.settingsPanel.close();
    }

    /** @param {boolean} shortcuts */
    setShortcuts(shortcuts) {
        this.#keep({ shortcuts });
        this.acts.shortcutsChanged(shortcuts);
    }

    /** @param {number} speed */
    setSpeed(speed) {
        const { video } = this.elements;
        this.speed = speed;
        // A video that loads anew starts with the default.
        video.defaultPlaybackRate = video.playbackRate = speed;
        this.acts.speedChanged();
    }

    /** @type {(direction: 1 | -1) => void} takes the next speed in a direction, and says it */
    nextSpeed(direction) {
        const place = SPEEDS.indexOf(this.speed) + direction;
        this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, place))]);
        this.settingsPanel.refresh();
        this.acts.announce(`${words.say("speed")}: ${speedText(this.speed)}`);
    }

    // Sound

    toggleMute() {
        const isMuted = !this.settings.isMuted;
        const wasSilent = this.settings.volume === 0;
        this.#keep({ isMuted, ...(wasSilent && !isMuted ? { volume: 0.5 } : {}) });
        this.applySound();
    }

    /** @param {number} volume */
    setVolume(volume) {
        this.#keep({ volume: Math.max(0, Math.min(1, volume)), isMuted: volume <= 0 });
        this.applySound();
    }

    applySound() {
        const { isMuted } = this.settings;
        const { video, volume, mute } = this.elements;
        video.volume = this.settings.volume;
        video.muted = isMuted;
        volume.value = String(isMuted ? 0 : this.settings.volume);
        volume.setAttribute("aria-valuetext", words.percent(Number(volume.value)));
        mute.dataset.icon = isMuted ? "silent" : "sound";
        nameButton(mute, words.say(isMuted ? "unmute" : "mute"));
    }

    // Captions

    /** Switches to the next language; after the last one, captions are off. */
    nextCaptions() {
        const all = [null, ...this.texts.languages.keys()];
        this.setCaptions(all[(all.indexOf(this.texts.language) + 1) % all.length]);
        this.settingsPanel.refresh();
    }

    /** @param {string | null} language */
    setCaptions(language) {
        this.texts.choose(language);
        this.#keep({ captions: language });
        this.showCaptions();
        this.acts.captionsChanged();
    }

    /** @param {string} captionSize */
    setCaptionSize(captionSize) {
        this.#keep({ captionSize });
        this.showCaptions();
    }

    showCaptions() {
        const label = this.texts.languages.get(this.texts.language);
        const { captions, player } = this.elements;
        captions.classList.toggle("on", label !== undefined);
        nameButton(captions,
            label ? words.say("captionsOn", { language: label }) : words.say("captionsOff"));
        player.dataset.captionSize = this.settings.captionSize;
    }

    // Full screen

    showFull() {
        const { full } = this.elements;
        full.dataset.icon = isFull() ? "leave" : "full";
        nameButton(full, words.say(isFull() ? "leaveFullScreen" : "fullScreen"));
    }

    /** In full screen the bar lies on the video. It is hidden while the viewer does nothing. */
    #hideWhenIdle() {
        const { player } = this.elements;
        let timer = 0;
        const wake = () => {
            player.classList.remove("idle");
            clearTimeout(timer);
            timer = setTimeout(() => player.classList.add("idle"), IDLE);
        };
        // The page has the keys of a button that has been hidden.
        for (const event of ["pointermove", "pointerdown", "keydown", "focusin"]) {
            document.addEventListener(event, wake);
        }
    }
}
