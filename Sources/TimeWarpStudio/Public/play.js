// The page of `timewarp play`: a player that plays one clip along its time map, before anything is rendered.

import { byId } from "./dom.js";
import { listenToKeys, playerKeys } from "./keys.js";
import { Player } from "./player.js";
import { speedAt } from "./plot-map.js";
import { createTransport } from "./transport.js";

/**
 * What the server says about the clip.
 * @typedef {{ name: string, duration: number, frameRate: number | null, start: number, mode: string,
 *     map: import("./preview.js").TimeMap }} Played
 */

/** @param {Played} played */
function open({ name, duration, frameRate, start, mode, map }) {
    document.title = byId("name").textContent = name;
    let transport = null;
    const player = new Player(byId("video"), {
        onTime: () => {
            transport?.showTime();
            const speed = player.preview ? speedAt(map, player.position) : 1;
            byId("speed").textContent = `${speed.toFixed(2)}×`;
        },
        onState: () => transport?.showState(),
        onFailure: () => {
            byId("error").textContent = "The browser can't play this clip.";
        },
    });
    transport = createTransport(byId("transport"), "Clip", player);
    player.load({ key: name, url: "content", duration, frameRate });
    player.setPreview({ map, start, mode });
    player.seekPosition(0);
    byId("video").addEventListener("click", () => player.toggle());
    listenToKeys({
        ...playerKeys(() => player),
        "m": () => player.setMuted(!player.isMuted),
        "f": () => (document.fullscreenElement ? document.exitFullscreen() : byId("video").requestFullscreen()),
    });
}

const answer = await fetch("clip");
open(await answer.json());
