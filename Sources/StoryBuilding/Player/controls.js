// The control bar below the video, and its keyboard shortcuts.

import { words } from "./words.js";

/** Sets the name of a button that shows only an icon, for screen readers and as a tooltip. */
function nameButton(button, text) {
    button.setAttribute("aria-label", text);
    button.title = text;
}

export class Controls {
    /**
     * @param elements `{ player, video, back, restart, play, mute, volume, captions, full }`
     * @param acts `{ back, restart, toggle, setTaste }`
     */
    constructor(elements, captions, taste, acts) {
        Object.assign(this, { ...elements, texts: captions, taste, acts });
        nameButton(this.back, words.backToChoice);
        nameButton(this.restart, words.restart);
        this.back.addEventListener("click", acts.back);
        this.restart.addEventListener("click", acts.restart);
        this.play.addEventListener("click", acts.toggle);
        this.mute.addEventListener("click", () => this.toggleMute());
        this.volume.addEventListener("input", () => this.setVolume(Number(this.volume.value)));
        this.captions.addEventListener("click", () => this.nextCaptions());
        this.full.addEventListener("click", () => this.toggleFull());
        document.addEventListener("fullscreenchange", () => this.showFull());
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
        nameButton(this.play, isPlaying ? words.pause : words.play);
    }

    /** @param can `{ play, back, restart }`: which buttons have an effect now */
    enable(can) {
        for (const each of ["play", "back", "restart"]) {
            // With `disabled`, a focused button would lose the focus.
            this[each].setAttribute("aria-disabled", String(!can[each]));
        }
    }

    #keep(change) {
        Object.assign(this.taste, change);
        this.acts.setTaste(this.taste);
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
        this.volume.setAttribute("aria-valuetext", `${Math.round(100 * this.volume.value)} %`);
        this.mute.dataset.icon = isMuted ? "silent" : "sound";
        nameButton(this.mute, isMuted ? words.unmute : words.mute);
    }

    // Captions

    /** Switches to the next language; after the last one, captions are off. */
    nextCaptions() {
        const all = [null, ...this.texts.languages.keys()];
        const next = all[(all.indexOf(this.texts.language) + 1) % all.length];
        this.texts.choose(next);
        this.#keep({ captions: next });
        this.showCaptions();
        this.acts.captionsChanged();
    }

    showCaptions() {
        const label = this.texts.languages.get(this.texts.language);
        this.captions.setAttribute("aria-pressed", String(label !== undefined));
        nameButton(this.captions, label ? words.captionsOn(label) : words.captionsOff);
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
        nameButton(this.full, isFull ? words.leaveFullScreen : words.fullScreen);
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
        }[key.toLowerCase()];
        act?.();
        return act !== undefined;
    }
}
