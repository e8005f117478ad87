// The panel of settings: speed, the language and size of captions, shortcuts, and picture-in-picture.

import { newButton } from "./buttons.js";
import { panelHeading } from "./panels.js";
import { words } from "./words.js";

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];
export const CAPTION_SIZES = ["small", "medium", "large", "veryLarge"];

export const speedText = (/** @type {number} */ speed) => `${words.number(speed)}×`;

/**
 * @template Value
 * @param {string} name
 * @param {string} heading
 * @param {[value: Value, label: string, language?: string | null][]} options
 * @param {Value} chosen
 * @param {(value: Value) => void} act called with the chosen value
 */
function radios(name, heading, options, chosen, act) {
    const group = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = heading;
    group.append(legend, ...options.map(([value, text, language]) => {
        const label = document.createElement("label");
        const input = document.createElement("input");
        Object.assign(input, { type: "radio", name, checked: value === chosen });
        input.addEventListener("change", () => act(value));
        const span = document.createElement("span");
        span.textContent = text;
        if (language) Object.assign(span, { lang: language, dir: "auto" });
        label.append(input, span);
        return label;
    }));
    return group;
}

/**
 * @param {import("../types.js").Settings & { speed: number }} settings
 * @param {Map<string | null, string>} languages the labels of the captions' languages
 * @param {{
 *     setSpeed(speed: number): void, setCaptions(language: string | null): void, setCaptionSize(size: string): void,
 *     setShortcuts(areOn: boolean): void, pictureInPicture: (() => void) | null,
 * }} acts the last is null where there is none
 */
export function settingsOf(settings, languages, acts) {
    /** @type {HTMLElement[]} */
    const parts = [
        panelHeading(words.say("settings")),
        radios("speed", words.say("speed"), SPEEDS.map((speed) => [speed, speedText(speed)]),
            settings.speed, acts.setSpeed),
    ];
    if (languages.size > 0) {
        /** @type {[string | null, string, string | null][]} */
        const all = [...languages].map(([language, label]) => [language, label, language]);
        parts.push(
            radios("captions", words.say("captions"), [[null, words.say("off")], ...all],
                settings.captions, acts.setCaptions),
            radios("caption-size", words.say("captionSize"),
                CAPTION_SIZES.map((size) => [size, words.say(size)]),
                settings.captionSize, acts.setCaptionSize));
    }
    parts.push(radios("shortcuts", words.say("shortcuts"), [[true, words.say("on")], [false, words.say("off")]],
        settings.shortcuts, acts.setShortcuts));
    if (acts.pictureInPicture) {
        parts.push(newButton(words.say("pictureInPicture"), acts.pictureInPicture, "plain"));
    }
    return parts;
}
