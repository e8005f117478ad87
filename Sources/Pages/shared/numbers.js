// Arithmetic that several modules need.

/**
 * A number between two bounds: the upper one, if they cross.
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamped = (value, low, high) => Math.min(high, Math.max(low, value));

/**
 * The number that a number or a text such as `1001/1000` says; NaN for another text.
 * @param {number | string} given
 */
export function ratioOf(given) {
    const [over, under = 1] = String(given).split("/").map(Number);
    return over / under;
}
