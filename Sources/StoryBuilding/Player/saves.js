// What is remembered in this browser: how far each story has come, and how the viewer likes it.

const key = (name) => `timewarp:${name}`;

/** A browser may refuse to remember anything; then nothing is remembered. */
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
        // Full, or not allowed: the story goes on all the same.
    }
}

export const savedState = (manifest) => read(`story:${manifest.id}`);

/** Saves where the story is; a story that is over is forgotten. */
export function saveState(manifest, state) {
    write(`story:${manifest.id}`, state.phase === "ended" ? null : state);
}

const usual = { volume: 1, isMuted: false, captions: null };

/** `{ volume, isMuted, captions }`; captions is a language, or null for none. */
export const savedTaste = () => ({ ...usual, ...read("taste") });

export const saveTaste = (taste) => write("taste", taste);
