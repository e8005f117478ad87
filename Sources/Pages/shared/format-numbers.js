// Formats quantities as text.

/**
 * Three significant digits, or all digits before the decimal point if there are more.
 * @param {number} value
 */
export function short(value) {
    if (!Number.isFinite(value)) return value < 0 ? "−∞" : "∞";
    const text = Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
    return text.replace("-", "−");
}

/**
 * A speed or a time scale: `0.25×`.
 * @param {number} value
 */
export const times = (value) => `${short(value)}×`;

/** @param {number} bytes */
export function sizeText(bytes) {
    const units = ["bytes", "kB", "MB", "GB", "TB"];
    let value = bytes, unit = 0;
    while (value >= 999.5 && unit < units.length - 1) {
        value /= 1000;
        unit += 1;
    }
    return `${short(value)} ${units[unit]}`;
}

/**
 * A frame rate with up to two decimals: `29.97 fps`.
 * @param {number} rate
 */
export const rateText = (rate) => `${Number(rate.toFixed(2))} fps`;

/**
 * `1 frame`, `2 frames`.
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
    return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * The date and time at which something was made; only the time if it was today.
 * @param {string} iso
 */
export function whenText(iso) {
    const date = new Date(iso);
    const isToday = date.toDateString() === new Date().toDateString();
    return date.toLocaleString("en", isToday
        ? { hour: "2-digit", minute: "2-digit", hour12: false }
        : { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false });
}

/**
 * `double-smoothstep` as a title: `Double smoothstep`.
 * @param {string} name
 */
export function titled(name) {
    const words = name.replaceAll("-", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
}
