// The list of renders: queued, running and finished.

import { urls } from "../../shared/api.js";
import { byId, iconButton } from "../../shared/elements/dom.js";
import { sizeText, titled, whenText } from "../../shared/format-numbers.js";
import { curvePicture, icon } from "../../shared/elements/icons.js";
import { posterView } from "../../shared/elements/poster.js";
import { segmentOf, taskOf } from "../app/job.js";
import { lengthText } from "../../shared/times.js";
import { draw, view } from "../../shared/elements/view.js";

/**
 * @typedef {import("../../shared/types").Render} Render
 * @typedef {import("../../shared/types").Media} Media
 * @typedef {import("../../shared/elements/icons.js").IconName} IconName
 * @typedef {import("../../shared/elements/view.js").View} View
 * @typedef {Omit<import("./render-acts.js").RenderActs, "own" | "start">} Acts
 */

/**
 * @param {import("../app/store.js").Store} store
 * @param {Acts} acts
 */
export function createRendersList(store, acts) {
    const list = byId("renders");
    /** @type {Map<string, number>} how far renders are */
    const fractions = new Map();
    /** @type {string | null} */
    let playing = null;
    const show = () => {
        byId("no-renders").hidden = store.renders.length > 0;
        draw(list, ...store.renders.map((render) => row(
            render, render.id === playing, fractions.get(render.id) ?? render.progress?.fraction ?? 0,
            store.media.find(({ id }) => id === render.media), acts)));
    };
    store.on("media", show);
    store.on("renders", () => {
        const running = store.renders.filter(({ state }) => state === "running").map(({ id }) => id);
        for (const id of fractions.keys()) if (!running.includes(id)) fractions.delete(id);
        show();
    });
    show();
    return {
        progress: (/** @type {{ id: string, fraction: number }} */ { id, fraction }) => {
            fractions.set(id, fraction);
            show();
        },
        markPlaying: (/** @type {string | null} */ id) => {
            playing = id;
            show();
        },
    };
}

/** @type {(render: Render, isPlaying: boolean, fraction: number, clip: Media | undefined, acts: Acts) => View} */
function row(render, isPlaying, fraction, clip, acts) {
    const { id, name, state, picture } = render;
    const error = errorOf(render);
    return view("li", {
        class: `row-item render ${state}`, key: id, "aria-current": isPlaying ? "true" : null,
    },
    posterView(clip, picture && curvePicture(picture.u, picture.speed)),
    view("div", { class: "names" },
        view("span", { class: "name", title: `${name}\n${render.command}` }, name),
        view("span", { class: "facts" }, facts(render)),
        state === "running" && view("progress", { max: 1, value: fraction, "aria-label": name }),
        error && view("p", { class: "error" }, error)),
    view("div", { class: "acts", role: "group", "aria-label": name }, ...buttons(render, acts)));
}

/** What is wrong with a render; null if nothing is. */
function errorOf(/** @type {Render} */ { error, isRecorded }) {
    return error ?? (isRecorded ? null
        : "This render couldn't be noted in the workspace. Free space on its disk; the studio tries again.");
}

function facts(/** @type {Render} */ { state, position, bytes, created, outputDuration, job }) {
    const task = taskOf(job), { frames = "hold" } = job.video ?? {};
    const how = task === "warp" ? curveName(segmentOf(job).warp ?? {}) : titled(task);
    const what = frames === "hold" ? how : `${how} · ${titled(frames)}`;
    switch (state) {
    case "queued": return `${what} · waiting${position ? `, number ${position}` : ""}`;
    case "running": return `${what} · rendering`;
    case "finished":
        return `${what} · ${lengthText(outputDuration)} · ${sizeText(bytes ?? 0)}`
            + ` · ${whenText(created)}`;
    default: return `${what} · ${state} · ${whenText(created)}`;
    }
}

function curveName(/** @type {import("../types").Curve} */ curve) {
    if (curve.curve === "constant" && curve.factor === 1) return "As it is";
    if (curve.curve) return titled(curve.curve);
    if (curve.keyframes) return "Keyframes";
    return curve.components ? "Curve from a file" : "Formula";
}

/** @type {(render: Render, acts: Acts) => (View | null)[]} */
function buttons(render, acts) {
    const { name, state } = render;
    const isWaiting = state === "queued" || state === "running";
    /** @type {(glyph: IconName, label: string, act: keyof Acts) => View} */
    const button = (glyph, label, act) => iconButton(glyph, `${label} ${name}`, () => acts[act](render), {
        "data-act": act, title: label,
    });
    /** @type {(text: string, act: keyof Acts) => View} */
    const choice = (text, act) => view("button", {
        type: "button", class: "small", "data-act": act, "aria-label": `${text}: ${name}`, onclick: () => acts[act](render),
    }, text);
    const isFinished = state === "finished";
    return [
        isFinished ? button("play", "Play", "play") : null,
        isFinished ? downloadLink(render) : null,
        isWaiting ? button("close", "Cancel", "cancel") : null,
        isWaiting || isFinished ? null : button("again", "Render again", "again"),
        isWaiting ? null : button("trash", "Delete", "remove"),
        view("details", { class: "more" }, view("summary", { "aria-label": `More for ${name}`, title: "More" }, "…"),
            view("div", {}, choice("Use its settings", "use"),
                isFinished && choice("Make it a clip", "clip"), isFinished && choice("Render again", "again"))),
    ];
}

function downloadLink(/** @type {Render} */ { id, name }) {
    return view("a", {
        class: "button icon", href: urls.download(id), "aria-label": `Download ${name}`,
        title: "Download", "data-act": "download",
    }, icon("download"));
}
