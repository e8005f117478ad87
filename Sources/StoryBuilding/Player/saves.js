// What is stored in this browser: the state of each story, and the viewer's settings.

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

const usual = { volume: 1, isMuted: false, captions: null };

/** `{ volume, isMuted, captions }`; captions is a language, or null for none. */
export const savedTaste = () => ({ ...usual, ...read("taste") });

export const saveTaste = (taste) => write("taste", taste);
