// The page of `timewarp play`: a player that plays one clip along its time map, before anything is rendered.

import { framesAt, playedClip } from "../shared/api.js";
import { byId } from "../shared/elements/dom.js";
import { showShortage } from "../shared/playing/frame-tally.js";
import { listenToKeys, playerKeys } from "../shared/elements/keys.js";
import { Player } from "../shared/playing/player.js";
import { speedAt } from "../shared/playing/plot-map.js";
import { createTransport } from "../shared/playing/transport.js";

/**
 * What the server says about the clip.
 * @typedef {{ name: string, duration: number, frameRate: number | null, start: number, mode: string,
 *     hasVideo: boolean, map: import("../shared/playing/preview.js").TimeMap }} Played
 */

/** @param {Played} played */
function open({ name, duration, frameRate, start, mode, hasVideo, map }) {
    document.title = byId("name").textContent = name;
    /** @type {ReturnType<typeof createTransport> | null} */
    let transport = null;
    const player = new Player(byId("video"), {
        onTime: () => {
            transport?.showTime();
            showShortage(byId("shortage"), player.shortage);
            const speed = player.preview ? speedAt(map, player.position) : 1;
            byId("speed").textContent = `${speed.toFixed(2)}×`;
        },
        onState: () => transport?.showState(),
        onFailure: () => fail("The browser can't play this clip."),
        onRefusal: () => fail("Press Play: the browser wants a press."),
    }, byId("small-frames"));
    transport = createTransport(byId("transport"), "Clip", player);
    player.load({
        key: name, url: "content", duration, frameRate, fetchFrames: hasVideo
            ? (second, isBackwards) => framesAt(`frames?second=${second}&way=${isBackwards ? "back" : "on"}`) : null,
    });
    player.setPreview({ map, start, mode });
    player.seekPosition(0);
    byId("video").addEventListener("click", () => player.toggle());
    listenToKeys({
        ...playerKeys(() => player),
        "m": () => player.setMuted(!player.isMuted),
        "f": toggleFullscreen,
    });
}

/** @param {string} text */
function fail(text) {
    byId("error").textContent = text;
}

/** Fills the screen with the player. On an iPhone only a video can. */
function toggleFullscreen() {
    const screen = byId("screen");
    /** @type {HTMLVideoElement & { webkitEnterFullscreen?: () => void }} */
    const video = byId("video");
    if (document.fullscreenElement) document.exitFullscreen();
    else if (screen.requestFullscreen) screen.requestFullscreen();
    else video.webkitEnterFullscreen?.();
}

const answer = await playedClip();
if (answer.ok) open(answer.value);
else fail(answer.error.message);
