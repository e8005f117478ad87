// Copying, cutting and pasting keyframes by the clipboard of the system.

import { copiedText, keyframesIn, pasted, withoutAll } from "./keyframe-groups.js";

const TYPING = "input, textarea, select, [contenteditable], dialog[open] *";

/**
 * @typedef {import("./types").Axis} Axis
 * @typedef {import("./types").Keyframe} Keyframe
 * @typedef {import("./types").Scene} Scene
 */

/** The clipboard of one plot. It listens as long as the plot edits keyframes. */
export class Clipboard {
    #stop = new AbortController();

    /**
     * @param {{ scene: () => Scene & Axis & { selected: number[] } | null, onCut: (keyframes: Keyframe[]) => void,
     *     onPaste: (keyframes: Keyframe[], indexes: number[]) => void }} actions
     */
    constructor(actions) {
        this.actions = actions;
        const { signal } = this.#stop;
        document.addEventListener("copy", (event) => this.#copy(event), { signal });
        document.addEventListener("cut", (event) => this.#copy(event, true), { signal });
        document.addEventListener("paste", (event) => this.#paste(event), { signal });
    }

    destroy() {
        this.#stop.abort();
    }

    #copy(/** @type {ClipboardEvent} */ event, isCut = false) {
        const scene = this.actions.scene();
        const isOfText = isTyping(event) || getSelection()?.isCollapsed === false;
        if (isOfText || !scene || scene.selected.length === 0) return;
        const { keyframes, selected, duration } = scene;
        event.preventDefault();
        event.clipboardData?.setData("text/plain", copiedText(keyframes, selected, duration));
        const rest = isCut ? withoutAll(keyframes, selected) : keyframes;
        if (rest !== keyframes) this.actions.onCut(rest);
    }

    /** Pastes at the playing position, else after the last selected keyframe. */
    #paste(/** @type {ClipboardEvent} */ event) {
        const scene = this.actions.scene();
        if (isTyping(event) || !scene) return;
        const copies = keyframesIn(event.clipboardData?.getData("text/plain") ?? "", scene.duration);
        if (!copies) return;
        event.preventDefault();
        const { keyframes, dot, turned, duration, axes } = scene;
        const seconds = dot() ?? axes.from;
        const place = turned(seconds / duration);
        const result = pasted(keyframes, copies, place, scene);
        if (result.indexes.length > 0) this.actions.onPaste(result.keyframes, result.indexes);
    }
}

const isTyping = (/** @type {Event} */ { target }) => target instanceof Element && target.closest(TYPING) !== null;
