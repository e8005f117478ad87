// For browsers without Media Source: joins all segments into one video in memory and seeks between
// them. During a seek, a canvas shows the last frame instead of the video.

import { bytesOf } from "./segment-store.js";

export class SingleFileTimeline {
    pieces = [];
    /** Whether it is seeking between segments. The video is paused meanwhile, but the story isn't. */
    isCrossing = false;
    ready = Promise.resolve();

    static canPlay(video, type) {
        return video.canPlayType(type) !== "";
    }

    constructor(video, cover, manifest, onError) {
        Object.assign(this, { video, cover, manifest, onError });
        this.frameRate = manifest.media.frameRate;
    }

    async open() {
        const segments = Object.values(this.manifest.segments).sort((a, b) => a.start - b.start);
        const files = [this.manifest.media.init, ...segments.map((segment) => segment.file)];
        const parts = [];
        for (const file of files) parts.push(await bytesOf(file));
        this.video.src = URL.createObjectURL(new Blob(parts, { type: "video/mp4" }));
        await new Promise((resume, fail) => {
            this.video.addEventListener("loadedmetadata", resume, { once: true });
            this.video.addEventListener("error", fail, { once: true });
        });
    }

    /** Drops everything and plays this segment from its start. */
    begin(name) {
        this.pieces = [this.#piece(name)];
        this.#seek();
        return this.pieces[0];
    }

    append(name) {
        this.pieces.push(this.#piece(name));
        return this.pieces.at(-1);
    }

    /** Does nothing: the video is already complete. */
    conclude() {}

    withdrawAfter(piece) {
        this.pieces.splice(this.pieces.indexOf(piece) + 1);
    }

    /** Forgets what follows a piece, which `cross` leaves at once. */
    leave(piece) {
        this.withdrawAfter(piece);
    }

    /** Goes to a piece, unless it is already playing. */
    forgetBefore(piece) {
        if (this.pieces.indexOf(piece) < 1) return;
        this.pieces = this.pieces.slice(this.pieces.indexOf(piece));
        this.#seek();
    }

    after(piece) {
        return this.pieces[this.pieces.indexOf(piece) + 1] ?? null;
    }

    /** The frame of the first piece at a time. Only that piece counts, because a loop has the same times. */
    at(mediaTime) {
        const piece = this.pieces[0];
        if (!piece || this.isCrossing) return null;
        const frame = Math.round((mediaTime - piece.start) * this.frameRate);
        return frame >= 0 && frame < piece.frames ? { piece, frame } : null;
    }

    remaining(piece) {
        return piece.start + piece.frames / this.frameRate - this.video.currentTime;
    }

    /** Goes to the next piece; called when the presentation of this one's last frame has ended. */
    cross() {
        if (!this.isCrossing && this.pieces.length > 1) this.forgetBefore(this.pieces[1]);
    }

    #piece(name) {
        const { frames, start } = this.manifest.segments[name];
        return { name, frames, start };
    }

    #seek() {
        const goesOn = !this.video.paused;
        this.isCrossing = true;
        this.#showCover();
        this.video.pause();
        const piece = this.pieces[0];
        this.video.currentTime = piece.start + Math.min(1e-3, 0.2 / this.frameRate);
        this.video.addEventListener("seeked", () => {
            if (piece !== this.pieces[0]) return;
            this.isCrossing = false;
            this.#onFrame(() => { this.cover.hidden = true; });
            if (goesOn) this.video.play().catch(this.onError);
        }, { once: true });
    }

    #showCover() {
        const { videoWidth, videoHeight } = this.video;
        if (this.video.readyState < 2 || !this.cover.hidden) return;
        Object.assign(this.cover, { width: videoWidth, height: videoHeight });
        this.cover.getContext("2d").drawImage(this.video, 0, 0);
        this.cover.hidden = false;
    }

    #onFrame(act) {
        if (this.video.requestVideoFrameCallback) this.video.requestVideoFrameCallback(act);
        else requestAnimationFrame(() => requestAnimationFrame(act));
    }
}
