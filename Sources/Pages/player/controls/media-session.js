// The story's video as the system shows it outside of the page, with its keys: on a lock screen, on headphones. There is no
// seeking, and the time is that of the scene.

export class SystemControls {
    #session = navigator.mediaSession;

    /** @param {import("../types.js").Manifest} manifest @param {Record<"play" | "pause" | "back", () => void>} acts */
    constructor(manifest, acts) {
        this.manifest = manifest;
        this.acts = acts;
        if (!this.#session) return;
        this.#session.metadata = new MediaMetadata({ title: manifest.title });
        this.#session.setActionHandler("play", acts.play);
        this.#session.setActionHandler("pause", acts.pause);
    }

    /** @param {{ segment: string, time: number, isPlaying: boolean, canGoBack: boolean, speed: number }} story */
    update({ segment, time, isPlaying, canGoBack, speed }) {
        const session = this.#session;
        if (!session) return;
        session.playbackState = isPlaying ? "playing" : "paused";
        session.setActionHandler("previoustrack", canGoBack ? this.acts.back : null);
        const { controls, segments } = this.manifest;
        // An author may hide how long scenes are.
        const duration = controls?.progress ?? true ? segments[segment].duration : Infinity;
        session.setPositionState?.({ duration, position: Math.min(time, duration), playbackRate: speed });
    }
}
