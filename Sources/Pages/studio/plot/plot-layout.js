// Computes the sizes of the plot's parts in pixels from its size and the size of its text.

/** Room for the labels of the vertical axis at the left, and for half a label at the right, in em. */
export const LEFT = 4.7;
export const RIGHT = 2;
/** Room for the caption above and for the labels below, in em. */
const TOP = 2.4;
const BOTTOM = 1.9;

/**
 * @param {number} width of the host
 * @param {number} height of the stage
 * @param {number} em the size of its text
 * @returns {import("./types").Layout}
 */
export function layoutOf(width, height, em) {
    const box = {
        x: LEFT * em, y: TOP * em,
        width: Math.max(20, width - (LEFT + RIGHT) * em),
        height: Math.max(20, height - (TOP + BOTTOM) * em),
    };
    return { em, box, width, height };
}
