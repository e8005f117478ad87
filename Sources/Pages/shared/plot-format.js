// Formats the numbers and times of the plot.

/**
 * A number with at most `most` decimals, without trailing zeros, and with a proper minus sign.
 * @param {number} value
 * @param {number} most
 */
export function decimals(value, most) {
    const text = value.toFixed(most);
    const short = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
    return (short === "-0" ? "0" : short).replace("-", "\u2212");
}

/** A number with three significant digits: 0.253, 1.25, 12.5, 125. */
export function figure(/** @type {number} */ value) {
    const size = Math.abs(value);
    if (size >= 100) return decimals(value, 0);
    if (size >= 10) return decimals(value, 1);
    return decimals(value, size >= 1 ? 2 : 3);
}

/** A speed: 0.25×. */
export const speedText = (/** @type {number} */ speed) => `${figure(speed)}×`;

/** A time scale; it is infinite at a freeze, and shown as infinite near one. */
export function scaleText(/** @type {number | null} */ scale) {
    if (scale === null || scale > 1e6) return "∞";
    return scale < -1e6 ? "\u2212∞" : figure(scale);
}

/**
 * A duration for people: 4.25 s, 1:30.5, 2:05:00.
 *
 * @param {number} seconds
 * @param {number} [most] the largest number of decimals
 */
export function timeText(seconds, most = 2) {
    const rounded = Number(Math.abs(seconds).toFixed(most));
    const sign = seconds < 0 && rounded > 0 ? "\u2212" : "";
    if (rounded < 60) return `${sign}${decimals(rounded, most)} s`;
    const hours = Math.floor(rounded / 3600);
    const minutes = Math.floor(rounded / 60) % 60;
    const rest = decimals(rounded % 60, most);
    const two = (/** @type {string} */ text) => (/^\d(\.|$)/.test(text) ? `0${text}` : text);
    if (hours === 0) return `${sign}${minutes}:${two(rest)}`;
    return `${sign}${hours}:${two(String(minutes))}:${two(rest)}`;
}

/** A duration with exactly two decimals, so that a label that changes quickly keeps its width. */
export function runningTime(/** @type {number} */ seconds) {
    const text = timeText(seconds, 2);
    const unit = text.endsWith(" s") ? " s" : "";
    const [whole, part = ""] = text.slice(0, text.length - unit.length).split(".");
    return `${whole}.${part.padEnd(2, "0")}${unit}`;
}

/** A duration for screen readers, which would read 1:30 as a ratio. */
export function spokenTime(/** @type {number} */ seconds) {
    const rounded = Number(seconds.toFixed(2));
    if (rounded < 60) return `${decimals(rounded, 2)} seconds`;
    const hours = Math.floor(rounded / 3600);
    const minutes = Math.floor(rounded / 60) % 60;
    /** @type {[number, string][]} */
    const parts = [[hours, "hour"], [minutes, "minute"], [Number((rounded % 60).toFixed(2)), "second"]];
    return parts.filter(([count]) => count > 0)
        .map(([count, unit]) => `${decimals(count, 2)} ${unit}${count === 1 ? "" : "s"}`).join(" ");
}

/** A place as a percentage: 40 %. */
export const percentText = (/** @type {number} */ place, most = 1) => `${decimals(100 * place, most)}\u00a0%`;
