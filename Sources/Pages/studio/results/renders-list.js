// The list of renders: queued, running and finished.

import { urls } from "../../shared/api.js";
import { byId, iconButton, make, renewList } from "../../shared/elements/dom.js";
import { sizeText, titled, whenText } from "../../shared/format-numbers.js";
import { icon } from "../../shared/elements/icons.js";
import { segmentOf, taskOf } from "../app/job.js";
import { lengthText } from "../../shared/times.js";

/**
 * @typedef {import("../../shared/types").Render} Render
 * @typedef {import("../../shared/elements/icons.js").IconName} IconName
 * @typedef {Omit<import("./render-acts.js").RenderActs, "own" | "start">} Acts
 */

/**
 * @param {import("../app/store.js").Store} store
 * @param {Acts} acts
 */
export function createRendersList(store, acts) {
    const list = byId("renders");
    /** @type {Map<string, HTMLProgressElement>} */
    const bars = new Map();
    /** @type {string | null} */
    let playing = null;
    let shown = "";
    const show = () => {
        const key = JSON.stringify([playing, store.renders.map((render) => [
            render.id, render.state, render.position, render.bytes, errorOf(render)])]);
        if (key === shown) return;
        shown = key;
        byId("no-renders").hidden = store.renders.length > 0;
        renewList(list, () => {
            bars.clear();
            list.replaceChildren(
                ...store.renders.map((render) => row(render, render.id === playing, acts, bars)));
        });
    };
    store.on("renders", show);
    show();
    return {
        progress: (/** @type {{ id: string, fraction: number }} */ { id, fraction }) => {
            const bar = bars.get(id);
            if (bar) bar.value = fraction;
        },
        markPlaying: (/** @type {string | null} */ id) => {
            playing = id;
            show();
        },
    };
}

/** @type {(render: Render, isPlaying: boolean, acts: Acts, bars: Map<string, HTMLProgressElement>) => HTMLElement} */
function row(render, isPlaying, acts, bars) {
    const { id, name, state } = render;
    const item = make("li", {
        class: `row-item render ${state}`, "data-key": id, "aria-current": isPlaying ? "true" : null,
    });
    const bar = state === "running"
        ? make("progress", { max: 1, value: render.progress?.fraction ?? 0, "aria-label": name })
        : null;
    if (bar) bars.set(id, bar);
    item.append(
        make("div", { class: "names" },
            make("span", { class: "name", title: `${name}\n${render.command}` }, name),
            make("span", { class: "facts" }, facts(render)),
            bar,
            errorOf(render) ? make("p", { class: "error" }, errorOf(render)) : null),
        make("div", { class: "acts", role: "group", "aria-label": name },
            ...buttons(render, acts)));
    return item;
}

/** What is wrong with a render; null if nothing is. */
function errorOf(/** @type {Render} */ { error, isRecorded }) {
    return error ?? (isRecorded ? null
        : "This render couldn't be noted in the workspace. Free space on its disk; the studio tries again.");
}

function facts(/** @type {Render} */ { state, position, bytes, created, outputDuration, job }) {
    const task = taskOf(job);
    const what = task === "warp" ? curveName(segmentOf(job).warp ?? {}) : titled(task);
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
    if (curve.curve) return titled(curve.curve);
    if (curve.keyframes) return "Keyframes";
    return curve.components ? "Curve from a file" : "Formula";
}

/** @type {(render: Render, acts: Acts) => (HTMLElement | null)[]} */
function buttons(render, acts) {
    const { name, state } = render;
    const isWaiting = state === "queued" || state === "running";
    /** @type {(glyph: IconName, label: string, act: keyof Acts) => HTMLElement} */
    const button = (glyph, label, act) => iconButton(glyph, `${label} ${name}`, () => acts[act](render), {
        "data-act": act, title: label.replace(":", ""),
    });
    return [
        state === "finished" ? button("play", "Play", "play") : null,
        state === "finished" ? downloadLink(render) : null,
        state === "finished" ? button("folder", "Show in folder:", "reveal") : null,
        isWaiting ? button("close", "Cancel", "cancel") : button("again", "Render again", "again"),
        button("settings", "Use the settings of", "use"),
        isWaiting ? null : button("trash", "Delete", "remove"),
    ];
}

function downloadLink(/** @type {Render} */ { id, name }) {
    return make("a", {
        class: "button icon", href: urls.download(id), "aria-label": `Download ${name}`,
        title: "Download", "data-act": "download",
    }, icon("download"));
}
