// Arithmetic that several modules need.

/**
 * A number between two bounds: the upper one, if they cross.
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamped = (value, low, high) => Math.min(high, Math.max(low, value));
