// The control bar below the video, its panels, and its keyboard shortcuts.

import { closePanels, Panel } from "./panels.js";
import { settingsOf, SPEEDS, speedText } from "./settings.js";
import { words } from "./words.js";

/** Sets the name of a button that shows only an icon, for screen readers and as a tooltip. */
function nameButton(button, text) {
    button.setAttribute("aria-label", text);
    button.title = text;
}

export class Controls {
    speed = 1;

    /**
     * @param elements `{ player, video, back, play, mute, volume, captions, settings, settingsButton, full }`
     * @param acts `{ back, restart, toggle, setTaste, captionsChanged, speedChanged, announce }`
     */
    constructor(elements, captions, taste, acts) {
        Object.assign(this, { ...elements, texts: captions, taste, acts });
        nameButton(this.back, words.say("back"));
        nameButton(this.settingsButton, words.say("settings"));
        this.back.addEventListener("click", acts.back);
        this.play.addEventListener("click", acts.toggle);
        this.mute.addEventListener("click", () => this.toggleMute());
        this.volume.addEventListener("input", () => this.setVolume(Number(this.volume.value)));
        this.captions.addEventListener("click", () => this.nextCaptions());
        this.full.addEventListener("click", () => this.toggleFull());
        for (const event of ["fullscreenchange", "webkitfullscreenchange"]) {
            document.addEventListener(event, () => this.showFull());
        }
        this.panel = new Panel(this.settings, this.settingsButton, () => this.#settings());
        this.captions.hidden = captions.languages.size === 0;
        this.full.hidden = !this.player.requestFullscreen && !this.player.webkitRequestFullscreen;
        this.texts.choose(taste.captions);
        this.applySound();
        this.showCaptions();
        this.showFull();
        this.showPlaying(false);
        this.#hideWhenIdle();
    }

    showPlaying(isPlaying) {
        this.play.dataset.icon = isPlaying ? "pause" : "play";
        this.player.classList.toggle("playing", isPlaying);
        nameButton(this.play, words.say(isPlaying ? "pause" : "play"));
    }

    /** @param can `{ play, back }`: which buttons have an effect now */
    enable(can) {
        for (const each of ["play", "back"]) {
            // With `disabled`, a focused button would lose the focus.
            this[each].setAttribute("aria-disabled", String(!can[each]));
        }
    }

    #keep(change) {
        Object.assign(this.taste, change);
        this.acts.setTaste(this.taste);
    }

    // Settings

    #settings() {
        const { captionSize } = this.taste;
        return settingsOf(
            { speed: this.speed, captions: this.texts.language, captionSize }, this.texts.languages, {
                setSpeed: (speed) => this.setSpeed(speed),
                setCaptions: (language) => this.setCaptions(language),
                setCaptionSize: (size) => this.setCaptionSize(size),
                pictureInPicture: this.#hasPictureInPicture ? () => this.#togglePictureInPicture() : null,
            });
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
        this.panel.refresh();
        this.acts.announce(`${words.say("speed")}: ${speedText(this.speed)}`);
    }

    // Sound

    toggleMute() {
        const isMuted = !this.taste.isMuted;
        const wasSilent = this.taste.volume === 0;
        this.#keep({ isMuted, ...(wasSilent && !isMuted ? { volume: 0.5 } : {}) });
        this.applySound();
    }

    setVolume(volume) {
        this.#keep({ volume: Math.max(0, Math.min(1, volume)), isMuted: volume <= 0 });
        this.applySound();
    }

    applySound() {
        const { volume, isMuted } = this.taste;
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
        this.panel.refresh();
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
        this.captions.setAttribute("aria-pressed", String(label !== undefined));
        nameButton(this.captions,
            label ? words.say("captionsOn", { language: label }) : words.say("captionsOff"));
        this.player.dataset.captionSize = this.taste.captionSize;
    }

    // Picture-in-picture

    get #hasPictureInPicture() {
        return Boolean(document.pictureInPictureEnabled && this.video.requestPictureInPicture)
            || Boolean(this.video.webkitSupportsPresentationMode?.("picture-in-picture"));
    }

    #togglePictureInPicture() {
        const { video } = this;
        if (document.pictureInPictureElement) {
            document.exitPictureInPicture();
        } else if (video.requestPictureInPicture) {
            // It may be refused, for instance before the first frame; then nothing happens.
            video.requestPictureInPicture().catch(() => {});
        } else {
            const isInside = video.webkitPresentationMode === "picture-in-picture";
            video.webkitSetPresentationMode(isInside ? "inline" : "picture-in-picture");
        }
        this.panel.close();
    }

    // Full screen

    toggleFull() {
        const { player } = this;
        if (document.fullscreenElement ?? document.webkitFullscreenElement) {
            (document.exitFullscreen ?? document.webkitExitFullscreen).call(document);
        } else {
            (player.requestFullscreen ?? player.webkitRequestFullscreen)?.call(player);
        }
    }

    showFull() {
        const isFull = Boolean(document.fullscreenElement ?? document.webkitFullscreenElement);
        this.full.dataset.icon = isFull ? "leave" : "full";
        nameButton(this.full, words.say(isFull ? "leaveFullScreen" : "fullScreen"));
    }

    /** In full screen the bar lies on the video. It is hidden while the viewer does nothing. */
    #hideWhenIdle() {
        let timer = 0;
        const wake = () => {
            this.player.classList.remove("idle");
            clearTimeout(timer);
            timer = setTimeout(() => this.player.classList.add("idle"), 3000);
        };
        for (const event of ["pointermove", "pointerdown", "keydown", "focusin"]) {
            this.player.addEventListener(event, wake);
        }
    }

    /** @returns whether the key is a shortcut of the control bar */
    press(key) {
        const act = {
            " ": () => this.acts.toggle(),
            k: () => this.acts.toggle(),
            m: () => this.toggleMute(),
            c: () => this.nextCaptions(),
            f: () => this.toggleFull(),
            r: () => this.acts.restart(),
            backspace: () => this.acts.back(),
            arrowup: () => this.setVolume(this.taste.volume + 0.1),
            arrowdown: () => this.setVolume(this.taste.volume - 0.1),
            ">": () => this.nextSpeed(1),
            "<": () => this.nextSpeed(-1),
        }[key.toLowerCase()];
        if (key === "Escape") return closePanels();
        act?.();
        return act !== undefined;
    }
}
