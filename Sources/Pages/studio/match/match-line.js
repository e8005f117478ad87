// Straight lines through anchors. All functions are pure.

/** @typedef {import("./types").Anchor} Anchor */

/**
 * The value of the other time at a value of one time. Beyond the outer anchors the first and the last line go on.
 * @type {(anchors: Anchor[], value: number, one: 0 | 1, other: 0 | 1) => number}
 */
function through(anchors, value, one, other) {
    if (anchors.length === 0) return value;
    if (anchors.length === 1) return value + anchors[0][other] - anchors[0][one];
    let index = anchors.findLastIndex((anchor) => anchor[one] <= value);
    index = Math.max(0, Math.min(anchors.length - 2, index));
    const [a, b] = [anchors[index], anchors[index + 1]];
    return a[other] + ((value - a[one]) * (b[other] - a[other])) / (b[one] - a[one]);
}

/**
 * The output time of an instant of the recording. With one anchor the clocks are the same, with none the starts too.
 * @type {(anchors: Anchor[], source: number) => number}
 */
export const outputAt = (anchors, source) => through(anchors, source, 0, 1);

/** @type {(anchors: Anchor[], output: number) => number} the instant of the recording at an output time */
export const sourceAt = (anchors, output) => through(anchors, output, 1, 0);

/** Whether both times of the anchors rise. */
export const rises = (/** @type {Anchor[]} */ anchors) => anchors.every(([source, output], index) =>
    index === 0 || (source > anchors[index - 1][0] && output > anchors[index - 1][1]));

/**
 * The anchors with another one, or with one replaced; null if their times wouldn't rise.
 * @param {Anchor[]} anchors
 * @param {Anchor} anchor
 * @param {number | null} index of the anchor that is replaced; null for none
 * @returns {{ anchors: Anchor[], index: number } | null} `index`: of the new anchor
 */
export function withAnchor(anchors, anchor, index = null) {
    const others = anchors.filter((_, each) => each !== index);
    const place = others.filter(([, output]) => output < anchor[1]).length;
    const all = [...others.slice(0, place), anchor, ...others.slice(place)];
    return rises(all) ? { anchors: all, index: place } : null;
}

/**
 * How much later than by equal clocks an instant is heard, counted from the first anchor, in seconds.
 * @type {(anchors: Anchor[], source: number, output?: number) => number}
 */
export const driftAt = (anchors, source, output = outputAt(anchors, source)) =>
    (anchors.length === 0 ? 0 : output - source - (anchors[0][1] - anchors[0][0]));

/**
 * What the drift chart shows: the line, and the windows of sound that matched.
 * @param {Anchor[]} anchors
 * @param {Anchor[]} windows
 * @returns {{ low: number, high: number }} the bounds of all drifts, at least a millisecond apart
 */
export function driftBounds(anchors, windows) {
    const drifts = [...anchors, ...windows].map(([source, output]) => driftAt(anchors, source, output));
    const [low, high] = [Math.min(0, ...drifts), Math.max(0, ...drifts)];
    const room = Math.max(0, 0.001 - (high - low)) / 2 + 0.08 * (high - low);
    return { low: low - room, high: high + room };
}
