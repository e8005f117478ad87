// The controls below a player.

import { iconButton, rename } from "../elements/dom.js";
import { A_TIME, refuse } from "../elements/fields.js";
import { create, make } from "../elements/view.js";
import { setIcon } from "../elements/icons.js";
import { toggleFull } from "../../player/playing/full-screen.js";
import { clockText, parseDuration, timecodeText } from "../times.js";

/** Where the browser keeps that times are shown as timecode. */
const TIMECODE = "timewarp:timecode";
/** A frame's beginning that was typed, rounded, is this many seconds inside the frame. */
const INSIDE = 1e-3;
let isTimecode = localStorage.getItem(TIMECODE) !== null;
/** @type {Set<() => void>} shows each transport's time anew */
const renewals = new Set();

/** Shows times as timecode, or as seconds again. */
function turnTimecode() {
    isTimecode = !isTimecode;
    if (isTimecode) localStorage.setItem(TIMECODE, "true");
    else localStorage.removeItem(TIMECODE);
    for (const renew of renewals) renew();
}

/**
 * @param {HTMLElement} host
 * @param {string} name "Source" or "Result"
 * @param {import("./player.js").Player} player
 * @param {{ setIn: () => void, setOut: () => void } | null} marks
 * @returns {{ showTime: () => void, showState: () => void }}
 */
export function createTransport(host, name, player, marks = null) {
    const lower = name.toLowerCase(), { video } = player;
    /** @type {HTMLElement | null} what has the picture and these controls */
    const whole = host.closest(".player");
    const slider = make("input", {
        type: "range", class: "position", min: 0, max: 1, step: "any", value: 0,
        "aria-label": `${name} position`,
        oninput: () => player.scrub(Number(slider.value)), onchange: () => player.settle(),
    });
    const shownTime = document.createTextNode(clockText(0));
    const time = make("button", {
        type: "button", class: "now", title: "Seconds or timecode; double-click to type a time", onclick: turnTimecode,
        ondblclick: () => type(true),
    }, shownTime);
    const typed = make("input", {
        type: "text", class: "go-to", "aria-label": `${name} time`, autocomplete: "off", spellcheck: "false", hidden: true,
        onblur: () => type(false),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
            const { key } = event, place = parseDuration(typed.value, player.film?.frameRate ?? 0, player.length);
            if (key === "Enter" && place === null) return refuse(typed, A_TIME);
            if (key === "Enter" && place !== null) player.seek(place + INSIDE);
            if (key !== "Enter" && key !== "Escape") return;
            // Else the same key would press the button that gets the focus.
            event.preventDefault();
            type(false);
            time.focus();
        },
    });
    /** Has a place typed instead of showing it, or no longer. */
    function type(/** @type {boolean} */ isTyping) {
        [time.hidden, typed.hidden] = [isTyping, !isTyping];
        if (!isTyping) return;
        typed.value = shown;
        typed.focus();
        typed.select();
    }
    const length = make("span", { class: "length" }, clockText(0));
    const frame = make("small", { class: "frame" });
    /**
     * @param {import("../elements/icons.js").IconName} icon
     * @param {string} label
     * @param {string} title
     * @param {() => void} act
     */
    const button = (icon, label, title, act) => {
        const element = create(iconButton(icon, label, () => {
            if (player.canPlay) act();
        }));
        element.title = title;
        return element;
    };
    const play = button("play", "Play", "Play (Space)", () => player.toggle());
    play.classList.add("play");
    const loop = button("loop", "Loop", "Loop", () => {
        player.loop = !player.loop;
        showState();
    });
    const mute = button("sound", "Mute", "Mute (M)", () => player.setMuted(!player.isMuted));
    const buttons = [
        button("start", "To the start", "To the start (Home)", () => player.seek(0)),
        button("back", "Back one frame", "Back one frame (,)", () => player.step(-1)),
        play,
        button("forward", "Forward one frame", "Forward one frame (.)", () => player.step(1)),
    ];
    const others = [
        loop,
        ...marks ? [
            button("in", "Set in", "Begin the range here (I)", marks.setIn),
            button("out", "Set out", "End the range after this frame (O)", marks.setOut),
        ] : [],
        mute,
        button("full", "Full screen", "Full screen (F)", () => toggleFull(whole ?? video, video)),
    ];
    host.append(slider, make(
        "div", { class: "controls", role: "group", "aria-label": `${name} controls` },
        make("p", { class: "clock" }, time, typed, make("span", { "aria-hidden": true }, " / "), length, frame),
        make("div", { class: "keys" }, ...buttons),
        make("div", { class: "keys end" }, ...others)));

    /** A place as it is shown; `number` is that of its frame, or null if it has none. */
    function placeText(/** @type {number} */ seconds, /** @type {number | null | undefined} */ number = undefined) {
        const rate = player.film?.frameRate;
        return isTimecode && rate && number !== null
            ? timecodeText(number ?? Math.round(seconds * rate), rate) : clockText(seconds);
    }

    let shown = "", span = NaN, filled = NaN;
    function showTime() {
        const { start, number } = player.present;
        const text = placeText(start, number), frameText = number === null ? "" : `frame ${number}`;
        if (text !== shown) shownTime.data = shown = text;
        if (frameText !== frame.textContent) frame.textContent = frameText;
        if (player.length !== span) {
            span = player.length;
            filled = NaN;
            length.textContent = placeText(span);
            slider.max = String(Math.max(span, 1e-3));
        }
        // Each change of a slider causes a new layout, so changes of less than a pixel are skipped.
        const isNear = (/** @type {number} */ place) => Math.abs(place - player.time) <= span / 800;
        if (!isNear(Number(slider.value))) slider.value = String(player.time);
        if (!isNear(filled)) {
            filled = player.time;
            slider.style.setProperty("--share", `${100 * filled / (span || 1)}%`);
        }
        if (!player.isPlaying) slider.setAttribute(
            "aria-valuetext", [text, frameText, lower].filter(Boolean).join(", "));
    }

    renewals.add(() => {
        span = NaN;
        showTime();
    });

    function showState() {
        setIcon(play, player.isPlaying ? "pause" : "play");
        const label = player.isPlaying ? "Pause" : "Play";
        rename(play, label, `${label} (Space)`);
        loop.setAttribute("aria-pressed", String(player.loop));
        mute.setAttribute("aria-pressed", String(player.isMuted));
        setIcon(mute, player.isMuted ? "silent" : "sound");
        // Not `disabled`, because a disabled button loses the focus.
        for (const each of host.querySelectorAll("button")) {
            each.setAttribute("aria-disabled", String(!player.canPlay));
        }
        slider.disabled = !player.canPlay;
    }
    showState();
    return { showTime, showState };
}
