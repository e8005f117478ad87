// The page of `timewarp play`: a player that plays what would be rendered.

import { toggleFull } from "../player/playing/full-screen.js";
import { playedClip, playedStream } from "../shared/api.js";
import { byId } from "../shared/elements/dom.js";
import { listenToKeys, playerKeys } from "../shared/elements/keys.js";
import { Player } from "../shared/playing/player.js";
import { speedAt } from "../shared/playing/plot-map.js";
import { createTransport } from "../shared/playing/transport.js";

/**
 * What the server says about what it plays. Without a map, its parts have speeds of their own.
 * @typedef {{ name: string, length: number, frameRate: number | null,
 *     map: import("../shared/playing/plot-map.js").TimeMap | null }} Played
 */

/** @param {Played} played */
function open({ name, length, frameRate, map }) {
    document.title = byId("name").textContent = name;
    /** @type {ReturnType<typeof createTransport> | null} */
    let transport = null;
    const player = new Player(byId("video"), {
        onTime: () => {
            transport?.showTime();
            byId("speed").textContent = map ? `${speedAt(map, player.time).toFixed(2)}×` : "";
        },
        onState: () => {
            transport?.showState();
            byId("note").textContent = player.note;
            fail(player.failure);
        },
        onRefusal: () => fail("Press Play: the browser wants a press."),
    });
    transport = createTransport(byId("transport"), "Clip", player);
    player.load({ key: name, length, frameRate, open: playedStream });
    byId("video").addEventListener("click", () => player.toggle());
    listenToKeys({
        ...playerKeys(() => player),
        "m": () => player.setMuted(!player.isMuted),
        "f": () => toggleFull(byId("screen"), byId("video")),
    });
}

/** @param {string} text */
function fail(text) {
    byId("error").textContent = text;
}

const answer = await playedClip();
if (answer.ok) open(answer.value);
else fail(answer.error.message);
