// The frame at the end of a clip that is trimmed, above its handle.

import { setShown } from "../../shared/elements/fields.js";
import { byId } from "../../shared/elements/dom.js";
import { clamped } from "../../shared/numbers.js";
import { Player } from "../../shared/playing/player.js";
import { frameLength } from "../../shared/times.js";
import { requestAsIs, withSegmentOf } from "../app/job.js";
import { filmOf } from "../app/shown.js";

export class EditTrim {
    /** @type {Player | null} */
    #player = null;

    /**
     * Shows the first or the last frame that is left of a clip.
     *
     * @param {import("../../shared/types").Media | undefined} media that of the clip; without video nothing is shown
     * @param {import("./types").Trimmed} trimmed
     */
    show(media, { clip: { segment, rate, whole, start, end }, side, handle }) {
        setShown("edit-trim", Boolean(media?.video));
        if (!media?.video) return;
        const { width, height, frameRate } = media.video, element = byId("edit-trim"), room = byId("edit-body");
        element.style.aspectRatio = `${width} / ${height}`;
        const { left, width: all } = room.getBoundingClientRect();
        const middle = handle.getBoundingClientRect().left - left;
        element.style.left = `${clamped(middle - element.offsetWidth / 2, 0, all - element.offsetWidth)}px`;
        const request = withSegmentOf(requestAsIs(media.id), segment);
        if (rate) request.job.video = { rate };
        const half = frameLength(frameRate) / 2, at = side === "start" ? start + half : end - half;
        this.#player ??= new Player(byId("edit-trim-video"), { onTime() {}, onState() {}, onRefusal() {} });
        this.#player.load(filmOf(media, { request, frameRate: frameRate ?? null, length: whole }), at);
        this.#player.seek(at);
    }

    hide() {
        setShown("edit-trim", false);
        this.#player?.load(null);
    }
}
