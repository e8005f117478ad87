// Copying, cutting and pasting keyframes by the clipboard of the system.

import { copiedText, keyframesIn, pasted, withoutAll } from "./keyframe-groups.js";

const TYPING = "input, textarea, select, [contenteditable], dialog[open] *";

/** The clipboard of one plot. It listens as long as the plot edits keyframes. */
export class Clipboard {
    #stop = new AbortController();

    /**
     * @param {{ scene: () => object | null, onPaste: (keyframes: object[], indexes: number[]) => void,
     *     onCut: (keyframes: object[]) => void }} actions `scene`: the keyframes' scene with `selected`; null if no
     *     keyframes are edited
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

    #copy(event, isCut = false) {
        const scene = this.actions.scene();
        const isOfText = event.target.closest?.(TYPING) || !getSelection().isCollapsed;
        if (isOfText || !scene || scene.selected.length === 0) return;
        const { keyframes, selected, duration } = scene;
        event.preventDefault();
        event.clipboardData.setData("text/plain", copiedText(keyframes, selected, duration));
        const rest = isCut ? withoutAll(keyframes, selected) : keyframes;
        if (rest !== keyframes) this.actions.onCut(rest);
    }

    /** Pastes at the playing position, else after the last selected keyframe. */
    #paste(event) {
        const scene = this.actions.scene();
        if (event.target.closest?.(TYPING) || !scene) return;
        const copies = keyframesIn(event.clipboardData.getData("text/plain"), scene.duration);
        if (!copies) return;
        event.preventDefault();
        const { keyframes, dot, turned, duration, axes } = scene;
        const seconds = dot() ?? axes.from;
        const place = turned(seconds / duration);
        const result = pasted(keyframes, copies, place, scene);
        if (result.indexes.length > 0) this.actions.onPaste(result.keyframes, result.indexes);
    }
}
