// The control bar below the video, its panels, and its keyboard shortcuts.

import { nameButton } from "./buttons.js";
import { canBeFull, isFull, onFullChange, toggleFull } from "./full-screen.js";
import { closePanels, Panel } from "./panels.js";
import { canPictureInPicture, togglePictureInPicture } from "./picture-in-picture.js";
import { settingsOf, SPEEDS, speedText } from "./settings.js";
import { words } from "./words.js";

/** How long, in milliseconds, the bar stays in full screen when the viewer does nothing. */
const IDLE = 3000;

export class Controls {
    /** Unlike the settings, it isn't saved. */
    speed = 1;

    /**
     * @param elements `{ player, video, back, play, mute, volume, captions, panel, panelButton, full }`
     * @param settings see `savedSettings`
     * @param acts `{ back, restart, toggle, save, captionsChanged, speedChanged, shortcutsChanged, announce }`
     */
    constructor(elements, captions, settings, acts) {
        Object.assign(this, { ...elements, texts: captions, settings, acts });
        nameButton(this.panelButton, words.say("settings"));
        this.back.addEventListener("click", acts.back);
        this.play.addEventListener("click", acts.toggle);
        this.mute.addEventListener("click", () => this.toggleMute());
        this.volume.addEventListener("input", () => this.setVolume(Number(this.volume.value)));
        this.captions.addEventListener("click", () => this.nextCaptions());
        this.full.addEventListener("click", () => toggleFull(this.player));
        onFullChange(() => this.showFull());
        this.settingsPanel = new Panel(this.panel, this.panelButton, () => this.#settings());
        this.captions.hidden = captions.languages.size === 0;
        this.full.hidden = !canBeFull();
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
            f: () => toggleFull(this.player),
            r: () => this.acts.restart(),
            backspace: () => this.acts.back(),
            arrowup: () => this.setVolume(this.settings.volume + 0.1),
            arrowdown: () => this.setVolume(this.settings.volume - 0.1),
            ">": () => this.nextSpeed(1),
            "<": () => this.nextSpeed(-1),
            escape: closePanels,
        };
    }

    showPlaying(isPlaying) {
        this.play.dataset.icon = isPlaying ? "pause" : "play";
        this.player.classList.toggle("playing", isPlaying);
        nameButton(this.play, words.say(isPlaying ? "pause" : "play"));
    }

    /**
     * Tells which buttons have an effect now.
     * @param back the name of the text that says where the way back leads, or null if it leads nowhere
     */
    enable({ play, back }) {
        // With `disabled`, a focused button would lose the focus.
        this.play.setAttribute("aria-disabled", String(!play));
        this.back.setAttribute("aria-disabled", String(back === null));
        nameButton(this.back, words.say(back ?? "back"));
    }

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
            pictureInPicture: canPictureInPicture(this.video) ? () => this.#enterPictureInPicture() : null,
        });
    }

    #enterPictureInPicture() {
        togglePictureInPicture(this.video);
        this.settingsPanel.close();
    }

    setShortcuts(shortcuts) {
        this.#keep({ shortcuts });
        this.acts.shortcutsChanged(shortcuts);
    }

    setSpeed(speed) {
        this.speed = speed;
        // A video that loads anew starts with the default.
        this.video.defaultPlaybackRate = this.video.playbackRate = speed;
        this.acts.speedChanged();
    }

    /** Takes the next speed in a direction, 1 or -1, and says it. */
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

    setVolume(volume) {
        this.#keep({ volume: Math.max(0, Math.min(1, volume)), isMuted: volume <= 0 });
        this.applySound();
    }

    applySound() {
        const { volume, isMuted } = this.settings;
        this.video.volume = volume;
        this.video.muted = isMuted;
        this.volume.value = isMuted ? 0 : volume;
        this.volume.setAttribute("aria-valuetext", words.percent(Number(this.volume.value)));
        this.mute.dataset.icon = isMuted ? "silent" : "sound";
        nameButton(this.mute, words.say(isMuted ? "unmute" : "mute"));
    }

    // Captions

    /** Switches to the next language; after the last one, captions are off. */
    nextCaptions() {
        const all = [null, ...this.texts.languages.keys()];
        this.setCaptions(all[(all.indexOf(this.texts.language) + 1) % all.length]);
        this.settingsPanel.refresh();
    }

    setCaptions(language) {
        this.texts.choose(language);
        this.#keep({ captions: language });
        this.showCaptions();
        this.acts.captionsChanged();
    }

    setCaptionSize(captionSize) {
        this.#keep({ captionSize });
        this.showCaptions();
    }

    showCaptions() {
        const label = this.texts.languages.get(this.texts.language);
        this.captions.classList.toggle("on", label !== undefined);
        nameButton(this.captions,
            label ? words.say("captionsOn", { language: label }) : words.say("captionsOff"));
        this.player.dataset.captionSize = this.settings.captionSize;
    }

    // Full screen

    showFull() {
        this.full.dataset.icon = isFull() ? "leave" : "full";
        nameButton(this.full, words.say(isFull() ? "leaveFullScreen" : "fullScreen"));
    }

    /** In full screen the bar lies on the video. It is hidden while the viewer does nothing. */
    #hideWhenIdle() {
        let timer = 0;
        const wake = () => {
            this.player.classList.remove("idle");
            clearTimeout(timer);
            timer = setTimeout(() => this.player.classList.add("idle"), IDLE);
        };
        // The page has the keys of a button that has been hidden.
        for (const event of ["pointermove", "pointerdown", "keydown", "focusin"]) {
            document.addEventListener(event, wake);
        }
    }
}
