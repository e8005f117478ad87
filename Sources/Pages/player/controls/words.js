// The texts of the player in the story's language. The page contains them, so that they are there before anything else
// is loaded.

/** @type {{ language: string, texts: Record<string, string> }} */
const inPage = JSON.parse(/** @type {HTMLScriptElement} */ (document.getElementById("words")).text);

/**
 * The language for numbers and units; English if the browser doesn't accept the story's tag.
 * @param {string} tag
 */
function localeOf(tag) {
    try {
        return Intl.getCanonicalLocales(tag)[0];
    } catch {
        return "en";
    }
}

const locale = localeOf(inPage.language);
const numbers = new Intl.NumberFormat(locale);
const percents = new Intl.NumberFormat(locale, { style: "percent" });
const wholeSeconds = new Intl.NumberFormat(locale, { style: "unit", unit: "second", unitDisplay: "long" });

export const words = {
    /**
     * The text of a name, with `{key}` replaced by the values.
     * @type {(name: string, values?: Record<string, string | number>) => string}
     */
    say: (name, values = {}) =>
        inPage.texts[name].replace(/\{(\w+)\}/g, (_, key) => String(values[key])),

    /**
     * Marks an element whose text is the player's, if that isn't in the language of the page.
     * @param {HTMLElement} element
     */
    mark: (element) => {
        if (inPage.language !== document.documentElement.lang) element.lang = inPage.language;
    },

    number: (/** @type {number} */ value) => numbers.format(value),

    percent: (/** @type {number} */ share) => percents.format(share),

    /** @type {(time: number) => string} a whole number of seconds, such as "2 seconds" */
    seconds: (time) => wholeSeconds.format(Math.ceil(time)),

    /**
     * The offer of choices for screen readers; `time` in seconds, or null for no limit.
     * @type {(labels: string[], time: number | null) => string}
     */
    choose: (labels, time) => {
        const options = labels.map((label, index) =>
            words.say("option", { number: index + 1, label }));
        const choices = options.join(words.say("optionGap"));
        return time === null ? words.say("choose", { choices })
            : words.say("chooseWithin", { choices, time: words.seconds(time) });
    },
};

/** @type {(seconds: number) => string} minutes and seconds, such as "1:05" */
export function clockTime(seconds) {
    const whole = Math.floor(seconds + 1e-3);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
