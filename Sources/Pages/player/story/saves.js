// What is stored in this browser: the state of each story, what was seen of it, and the viewer's settings.

const key = (name) => `timewarp:${name}`;

/** Reads a stored value; null if there is none, or the browser doesn't allow storage. */
function read(name) {
    try {
        return JSON.parse(localStorage.getItem(key(name)));
    } catch {
        return null;
    }
}

function write(name, value) {
    try {
        if (value === null) localStorage.removeItem(key(name));
        else localStorage.setItem(key(name), JSON.stringify(value));
    } catch {
        // The storage is full or not allowed. The story works without it.
    }
}

export const savedState = (manifest) => read(`story:${manifest.id}`);

/** Saves the state of a story. If the story has ended, its saved state is removed. */
export function saveState(manifest, state) {
    write(`story:${manifest.id}`, state.phase === "ended" ? null : state);
}

/** The steps of the path that led to the saved state, or null. */
export const savedPath = (manifest) => read(`path:${manifest.id}`);

export const savePath = (manifest, steps) => write(`path:${manifest.id}`, steps);

/** What was ever seen of a story: the names of segments, and pairs of names; or null. */
export const savedSeen = (manifest) => read(`seen:${manifest.id}`);

export const saveSeen = (manifest, seen) => write(`seen:${manifest.id}`, seen);

const usual = { volume: 1, isMuted: false, captions: null, captionSize: "medium", shortcuts: true };

/**
 * `{ volume, isMuted, captions, captionSize, shortcuts }`; captions is a language, or null for none, and shortcuts tells
 * whether letters and digits are shortcuts.
 */
export const savedSettings = () => ({ ...usual, ...read("settings") });

export const saveSettings = (settings) => write("settings", settings);
