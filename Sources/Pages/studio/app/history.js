// The undo history: values, and the steps between them.

/** The largest number of steps that can be undone. */
const DEPTH = 200;

/**
 * @template T
 * @typedef {{ past: T[], present: T, future: T[], open: string | null }} History
 * `open`: the name of the gesture that the last step belongs to, while the gesture lasts.
 */

/**
 * @template T
 * @param {T} present
 * @returns {History<T>}
 */
export function freshHistory(present) {
    return { past: [], present, future: [], open: null };
}

/**
 * The history with a new value. All values of one gesture, such as a drag, make one step. A gesture
 * consists of the values with the same name, up to the one that is final.
 * @template T
 * @param {History<T>} history
 * @param {T} value
 * @param {import("../types").How} [how]
 * @returns {History<T>}
 */
export function edited(history, value, how = {}) {
    const { gesture = null, final = true } = how;
    const isSame = JSON.stringify(value) === JSON.stringify(history.present);
    const open = final ? null : gesture;
    const goesOn = gesture !== null && gesture === history.open;
    if (isSame) return { ...history, open: goesOn ? open : history.open };
    if (goesOn) return { ...history, present: value, open };
    return {
        past: [...history.past, history.present].slice(-DEPTH), present: value, future: [], open,
    };
}

/**
 * The history with another present value, which isn't a step of its own: undoing goes to the value before the last step.
 * @template T
 * @param {History<T>} history
 * @param {T} value
 * @returns {History<T>}
 */
export const replaced = (history, value) => ({ ...history, present: value, open: null });

/**
 * @template T
 * @param {History<T>} history
 * @returns {History<T>}
 */
export function undone(history) {
    if (history.past.length === 0) return history;
    return {
        past: history.past.slice(0, -1), present: history.past[history.past.length - 1],
        future: [history.present, ...history.future], open: null,
    };
}

/**
 * @template T
 * @param {History<T>} history
 * @returns {History<T>}
 */
export function redone(history) {
    if (history.future.length === 0) return history;
    const [present, ...future] = history.future;
    return { past: [...history.past, history.present], present, future, open: null };
}
