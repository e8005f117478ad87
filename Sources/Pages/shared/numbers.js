// Arithmetic that several modules need.

/**
 * A number between two bounds: the upper one, if they cross.
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamped = (value, low, high) => Math.min(high, Math.max(low, value));

/** @type {(isBefore: (place: number) => boolean, within?: number[]) => number} where it is no longer so, by bisection */
export function bisected(isBefore, within = [0, 1]) {
    let [low, high] = within;
    for (let step = 0; step < 50; step += 1) {
        const middle = (low + high) / 2;
        if (isBefore(middle)) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}

/**
 * The number that a number or a text such as `1001/1000` says; NaN for another text.
 * @param {number | string} given
 */
export function ratioOf(given) {
    const [over, under = 1] = String(given).split("/").map(Number);
    return over / under;
}

/** @type {(text: string) => number} the factor that a text such as `0.5`, `1/2`, `50%` or `2×` says; NaN for another text */
export function factorOf(text) {
    const [, written, unit] = /^(.+?)\s*([%x×]?)$/i.exec(text.trim()) ?? [];
    return ratioOf(written ?? NaN) / (unit === "%" ? 100 : 1);
}
