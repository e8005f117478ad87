// What is stored in this browser: the state of each story, what was seen of it, and the viewer's settings.

/** @typedef {import("../types.js").Manifest} Manifest */

const key = (/** @type {string} */ name) => `timewarp:${name}`;

/** @type {(name: string) => any} reads a stored value; null if there is none, or the browser doesn't allow storage */
function read(name) {
    try {
        return JSON.parse(localStorage.getItem(key(name)) ?? "null");
    } catch {
        return null;
    }
}

/** @type {(name: string, value: unknown) => void} */
function write(name, value) {
    try {
        if (value === null) localStorage.removeItem(key(name));
        else localStorage.setItem(key(name), JSON.stringify(value));
    } catch {
        // The storage is full or not allowed. The story works without it.
    }
}

export const savedState = (/** @type {Manifest} */ manifest) => read(`story:${manifest.id}`);

/**
 * Saves the state of a story. If the story has ended, its saved state is removed.
 * @type {(manifest: Manifest, state: import("../types.js").State) => void}
 */
export function saveState(manifest, state) {
    write(`story:${manifest.id}`, state.phase === "ended" ? null : state);
}

/** The steps of the path that led to the saved state, or null. */
export const savedPath = (/** @type {Manifest} */ manifest) => read(`path:${manifest.id}`);

/** @type {(manifest: Manifest, steps: import("../types.js").PathStep[]) => void} */
export const savePath = (manifest, steps) => write(`path:${manifest.id}`, steps);

/** What was ever seen of a story: the names of segments, and pairs of names; or null. */
export const savedSeen = (/** @type {Manifest} */ manifest) => read(`seen:${manifest.id}`);

/** @type {(manifest: Manifest, seen: { scenes: string[], ways: string[][] }) => void} */
export const saveSeen = (manifest, seen) => write(`seen:${manifest.id}`, seen);

const usual = { volume: 1, isMuted: false, captions: null, captionSize: "medium", shortcuts: true };

/** @type {() => import("../types.js").Settings} */
export const savedSettings = () => ({ ...usual, ...read("settings") });

export const saveSettings = (/** @type {import("../types.js").Settings} */ settings) => write("settings", settings);
