// Keyboard shortcuts.

import { byId } from "./dom.js";
import { createSwitch } from "./fields.js";
import { draw, view } from "./view.js";

/** @type {[title: string, rows: [keys: string[], text: string][]][]} the shortcuts that the help shows, in groups */
const HELP = [
    ["Play", [
        [["Space", "K"], "Play or pause"], [["J", "L"], "Backwards, forwards; press again to go faster"],
        [[",", "."], "One frame back, forward"], [["←", "→"], "One frame; with Shift ten"],
        [["Home", "End"], "To the start, to the end"], [["P"], "Preview"], [["M"], "Mute"],
        [["1", "2"], "Source, result"], [["G"], "Link source and result"],
        [["V"], "Show what would be rendered as the result, or the file"],
        [["W"], "Wipe between source and result"], [["F"], "Full screen; with Shift the curve"],
    ]],
    ["Edit", [
        [["I", "O"], "Set in or out at this frame"], [["Ctrl Z"], "Undo"],
        [["Ctrl Shift Z"], "Redo"], [["Ctrl Enter"], "Render"],
        [["Ctrl Shift Enter"], "Render a sample"], [["E"], "Add the clip to an edit"],
    ]],
    ["Clips of an edit", [
        [["←", "→"], "The clip before, after"], [["Alt ←", "Alt →"], "Move the clip"],
        [["Delete"], "Take the clip out"],
    ]],
    ["Curve", [
        [["+", "−"], "Zoom in, out; also Ctrl and the wheel"], [["0"], "The whole curve"],
        [["Shift", "wheel"], "Scroll"],
        [["R"], "Hold, speed, ramp, rewind; also by a right click"],
    ]],
    ["Keyframes", [
        [["[", "]"], "The keyframe before, after"], [["Tab"], "Next keyframe"], [["Arrows"], "Move; with Shift further"],
        [["A"], "Add a keyframe at the playhead"], [["Delete"], "Delete"], [["B"], "Bring onto the nearest beat"],
        [["Alt"], "Drag without snapping"],
        [["Shift", "Ctrl"], "Click to select several"], [["Ctrl A"], "Select all"],
        [["Ctrl C", "V"], "Copy; paste at the playing position"],
        [["Esc"], "Cancel a drag"],
    ]],
];

/** The keys that act again and again while they are held; the others act once. */
const REPEATING = new Set([
    ",", ".", "ArrowLeft", "ArrowRight", "Shift+ArrowLeft", "Shift+ArrowRight", "+", "=", "-", "[", "]",
    "Ctrl+z", "Ctrl+Shift+z", "Ctrl+y",
]);

const TYPING = "input[type=text], input[type=number], input:not([type]), textarea, select,"
    + " [contenteditable]";
const TAKES_ARROWS = `${TYPING}, input[type=range], input[type=radio], [role=tab], [role=slider],`
    + " pre[tabindex]";
const TAKES_SPACE = `${TYPING}, button, a, summary, input[type=checkbox], input[type=radio],`
    + " [role=slider]";

/** @type {HTMLElement | null} the button that was pressed by a pointer, and has the focus: who does that means the player by Space */
let pressed = null;

/** @type {EventTarget | null} the field in which something was typed that isn't taken yet, as by Enter */
let typedIn = null;

/** @type {(key: string, target: EventTarget | null) => boolean} whether a key belongs to the focused element */
const isTaken = (key, target) => {
    if (!(target instanceof Element)) return false;
    if (target.closest("dialog[open]")) return true;
    if (key === "Space") return target !== pressed && target.matches(TAKES_SPACE);
    if (/^(Arrow|Home|End)/.test(key)) return target.closest(TAKES_ARROWS) !== null;
    return target.matches(TYPING);
};

/**
 * @param {Record<string, (event: KeyboardEvent) => void>} acts by key: a lower-case letter, "Space",
 *     "ArrowLeft"; with the prefix "Ctrl+" or "Shift+" for keys with modifiers
 */
export function listenToKeys(acts) {
    addEventListener("pointerdown", ({ target }) => {
        pressed = target instanceof Element ? target.closest("button") : null;
    }, true);
    addEventListener("input", ({ target }) => { typedIn = target; }, true);
    for (const end of ["change", "focusout"]) addEventListener(end, () => { typedIn = null; }, true);
    addEventListener("keydown", (event) => {
        // Whoever goes on to buttons by keys presses them by keys.
        if (event.key === "Tab") pressed = null;
        if (event.defaultPrevented || event.altKey) return;
        const key = event.key === " " ? "Space"
            : event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const hasControl = event.ctrlKey || event.metaKey;
        const isPrintable = key.length === 1 && !/[a-z]/.test(key);
        const shift = event.shiftKey && !isPrintable ? "Shift+" : "";
        const name = `${hasControl ? "Ctrl+" : ""}${shift}${key}`;
        const act = acts[name];
        if (!act || (key.length === 1 && !hasControl && !areLettersOn())) return;
        // While somebody types, undo belongs to the field.
        const isOwn = hasControl ? key !== "Enter" && typedIn === event.target : isTaken(key, event.target);
        if (isOwn) return;
        event.preventDefault();
        // Else the key that goes up would press the button that was clicked.
        if (key === "Space" && event.target === pressed) pressed?.blur();
        if (!event.repeat || REPEATING.has(name)) act(event);
    });
}

/**
 * The keys that play and step.
 * @param {() => import("../playing/player.js").Player} player the player that they belong to now
 */
export const playerKeys = (player) => ({
    "Space": () => player().toggle(), "k": () => player().toggle(),
    "j": () => player().shuttle(-1), "l": () => player().shuttle(1),
    ",": () => player().step(-1), ".": () => player().step(1),
    "ArrowLeft": () => player().step(-1), "ArrowRight": () => player().step(1),
    "Shift+ArrowLeft": () => player().step(-10),
    "Shift+ArrowRight": () => player().step(10),
    "Home": () => player().seek(0),
    "End": () => player().seek(player().length),
});

/** Where the browser keeps that shortcuts of one character are off. */
const OFF = "timewarp:keys-off";

/**
 * Whether shortcuts of one character are on. Who dictates, or presses keys by accident, can turn them off (WCAG 2.1.4).
 */
const areLettersOn = () => localStorage.getItem(OFF) === null;

/** @param {boolean} areOn */
function setLetters(areOn) {
    if (areOn) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "true");
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** A key's name on this machine: Apple's have Command where others have Control. */
const keyName = (/** @type {string} */ text) => (isApple ? text.replace("Ctrl", "⌘").replace("Alt", "⌥") : text);

/** Creates the dialog that shows the shortcuts. @returns {() => void} opens the dialog */
export function createHelp() {
    const dialog = byId("help");
    draw(byId("keys"), ...HELP.map(([title, rows]) => view("section", {},
        view("h3", {}, title),
        view("dl", {}, ...rows.map(([keys, text]) => view("div", {},
            view("dt", {}, ...keys.map((key) => view("kbd", {}, keyName(key)))),
            view("dd", {}, text)))))));
    /** @type {NodeListOf<HTMLElement>} */
    const titled = document.querySelectorAll("[title*=Ctrl], [title*=Alt]");
    for (const each of titled) each.title = keyName(each.title);
    createSwitch("letter-keys", setLetters)(areLettersOn());
    byId("help-close").addEventListener("click", () => dialog.close());
    // A click outside of the dialog closes it.
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    const open = () => dialog.showModal();
    byId("help-button").addEventListener("click", open);
    return open;
}
