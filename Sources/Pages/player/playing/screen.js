// The video that the viewer sees. Where a browser has no Media Source, two video elements take turns: one is on
// the screen, and the other one, behind it, is on standby. The rest of the page sees a single video.

export class Screen {
    /** @param {HTMLVideoElement[]} videos the two elements; the first is on the screen */
    constructor(videos) {
        this.videos = videos;
        this.active = videos[0];
        this.standby = videos[1];
        this.video = new Proxy(this.active, {
            get: (_, key) => this.#valueOf(key),
            set: (_, key, value) => Reflect.set(this.active, key, value),
        });
        this.#permitPlaying();
    }

    /**
     * Safari on phones lets a video play by itself only if it was told to play when the viewer did something. So each video
     * is told that, unless it plays then or has something to show.
     */
    #permitPlaying() {
        /** @type {Set<HTMLVideoElement>} */
        const permitted = new Set();
        const over = new AbortController();
        const permit = () => {
            for (const video of this.videos) {
                if (!video.paused) permitted.add(video);
                if (permitted.has(video) || (video === this.active && video.readyState > 0)) continue;
                video.play().catch(({ name }) => name !== "NotAllowedError" && permitted.add(video));
                video.pause();
            }
            if (permitted.size === this.videos.length) over.abort();
        };
        for (const type of ["click", "keydown"]) {
            document.addEventListener(type, permit, { capture: true, signal: over.signal });
        }
    }

    /** @param {string | symbol} key */
    #valueOf(key) {
        if (key === "addEventListener") return this.#listen.bind(this);
        const value = Reflect.get(this.active, key);
        return typeof value === "function" ? value.bind(this.active) : value;
    }

    /**
     * Listens to whichever element is on the screen when the event happens.
     * @param {string} type
     * @param {(event: Event) => void} act
     * @param {AddEventListenerOptions} options
     */
    #listen(type, act, { once = false, ...options } = {}) {
        const over = new AbortController();
        options.signal?.addEventListener("abort", () => over.abort());
        for (const video of this.videos) {
            video.addEventListener(type, (event) => {
                if (video !== this.active) return;
                if (once) over.abort();
                act(event);
            }, { ...options, signal: over.signal });
        }
    }

    /** Gives the element on standby the settings of the one on the screen, except that it is silent. */
    dress() {
        const { volume, playbackRate, preservesPitch } = this.active;
        Object.assign(this.standby, { volume, playbackRate, preservesPitch, muted: true });
    }

    /** Puts the element on standby on the screen, and stops the other one. */
    swap() {
        this.dress();
        const [next, last] = [this.standby, this.active];
        next.muted = last.muted;
        [this.active, this.standby] = [next, last];
        next.classList.remove("standby");
        last.classList.add("standby");
        last.muted = true;
        last.pause();
    }
}
