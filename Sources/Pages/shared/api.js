// All requests to the server. Except for streams nothing is thrown: an `Answer` holds a value or an error.

/** @typedef {import("./types").Failure} Failure */

const UNREACHABLE = "The studio can't be reached. Is timewarp studio still running?";

export const NOT_ALLOWED = "Open the address that timewarp studio printed.";

/**
 * The error that a response's status and body describe.
 * @param {number} status
 * @param {any} body the decoded JSON, or null
 * @returns {Failure}
 */
export function failureOf(status, body) {
    const error = body?.error ?? {};
    const { message = null, field = null, column = null, place = null } = error;
    if (status === 0) return { status, message: UNREACHABLE, field, column, place };
    if (status === 401 || status === 403) {
        return { status, message: NOT_ALLOWED, field, column, place };
    }
    const plain = `The studio responded with status ${status}.`;
    return { status, message: message ? sentence(message) : plain, field, column, place };
}

/**
 * The first line of a message, without the path to the field: the page shows the message at the field. A file's name at its
 * start stays as it is.
 * @param {string} message
 */
function sentence(message) {
    const text = message.split("\n")[0].trim().replace(/^curve(\.\w+|\[\d+\])*: /, "");
    const isName = /^\S*[./]\S/.test(text);
    return (isName ? text : text.charAt(0).toUpperCase() + text.slice(1)) + (/[.!?]$/.test(text) ? "" : ".");
}

/** @param {string} text */
function jsonOf(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

/** @type {(status: number) => void} called with every response's status, or 0 if there was no response */
let onStatus = () => {};

/** @param {(status: number) => void} listener */
export function watchStatus(listener) {
    onStatus = listener;
}

/** Browsers refuse longer bodies of requests that outlive their page. */
const LONGEST_LAST = 60_000;

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {{ isLast?: boolean, signal?: AbortSignal }} [options] `isLast`: whether the page is perhaps being closed
 * @returns {Promise<import("./types").Answer<any>>}
 */
async function call(method, path, body, options = {}) {
    const { isLast = false, signal } = options;
    const content = body === undefined ? undefined : JSON.stringify(body);
    let response, text;
    try {
        response = await fetch(path, {
            method, signal, keepalive: isLast && (content ?? "").length < LONGEST_LAST,
            ...(content === undefined ? {} : {
                body: content, headers: { "Content-Type": "application/json" },
            }),
        });
        text = await response.text();
    } catch (error) {
        if (!signal?.aborted) onStatus(0);
        return { ok: false, error: failureOf(0, null) };
    }
    onStatus(response.status);
    const value = text === "" ? null : jsonOf(text);
    if (response.ok) return { ok: true, value };
    return { ok: false, error: failureOf(response.status, value) };
}

/** @param {string[]} parts */
const path = (...parts) => `/api/${parts.map(encodeURIComponent).join("/")}`;

/** Fields that the server omits if they are null or empty. */
const WHOLE = { minimum: null, maximum: null, curveFile: null, anchorFile: null, warnings: [] };

/**
 * Asks for a stream; see `Film`.
 * @param {string} path
 * @param {number} from
 * @param {number} size
 * @param {RequestInit} options
 */
async function stream(path, from, size, options) {
    try {
        return await fetch(`${path}?from=${from.toFixed(6)}&size=${size}`, options);
    } catch (error) {
        if (options.signal?.aborted) throw error;
        onStatus(0);
        throw new Error(UNREACHABLE);
    }
}

/** What the page of `timewarp play` is told about its clip. */
export const playedClip = () => call("GET", "clip");
/** @type {import("./playing/film-feed.js").Film["open"]} */
export const playedStream = (from, size, signal) => stream("stream", from, size, { signal });

/** @type {import("./types").API} */
export const api = {
    evaluate: async (request, part = null) => {
        const query = part ? `?from=${part.from}&to=${part.to}` : "";
        const answer = await call("POST", path("evaluate") + query, request);
        return answer.ok ? { ok: true, value: { ...WHOLE, ...answer.value } } : answer;
    },

    stream: (request, from, size, signal) => stream(path("stream"), from, size, {
        method: "POST", body: JSON.stringify(request), signal, headers: { "Content-Type": "application/json" },
    }),
    capabilities: () => call("GET", path("capabilities")),
    keeping: (request) => call("POST", path("keeping"), request),
    keyframes: (request) => call("POST", path("keyframes"), request),
    hit: (hit, signal) => call("POST", path("hit"), hit, { signal }),
    match: (match) => call("POST", path("match"), match),
    exportEdit: (request, format) => call("POST", path("export"), { ...request, format }),

    listMedia: () => call("GET", path("media")),
    media: (id) => call("GET", path("media", id)),
    deleteMedia: (id) => call("DELETE", path("media", id)),
    returnMedia: (id) => call("POST", path("media", id, "return")),
    beats: (id) => call("GET", path("media", id, "beats")),
    waveform: (id) => call("GET", path("media", id, "waveform")),
    waveformTile: (id, level, tile) =>
        call("GET", `${path("media", id, "waveform")}?level=${level}&tile=${tile}`),
    inspect: (id) => call("GET", path("media", id, "inspect")),
    room: (bytes) => call("GET", `${path("uploads", "room")}?bytes=${bytes}`),
    listFiles: () => call("GET", path("files")),
    importFile: (file) => call("POST", path("media"), { file }),

    listCurves: () => call("GET", path("curves")),
    addCurve: (name, curve) => call("POST", path("curves"), { name, curve }),
    saveCurve: (id, name, curve) => call("PUT", path("curves", id), { name, curve }),
    deleteCurve: (id) => call("DELETE", path("curves", id)),

    listRenders: () => call("GET", path("renders")),
    startRender: (request) => call("POST", path("renders"), request),
    render: (id) => call("GET", path("renders", id)),
    cancelRender: (id) => call("POST", path("renders", id, "cancel")),
    renderAgain: (id) => call("POST", path("renders", id, "again")),
    playRender: (id, from, size, signal) => stream(path("renders", id, "stream"), from, size, { signal }),
    clipOfRender: (id) => call("POST", path("renders", id, "clip")),
    showRender: (id) => call("POST", path("renders", id, "show")),
    deleteRender: (id) => call("DELETE", path("renders", id)),
    returnRender: (id) => call("POST", path("renders", id, "return")),

    listEdits: () => call("GET", path("edits")),
    edit: (id) => call("GET", path("edits", id)),
    addEdit: (edit) => call("POST", path("edits"), edit),
    saveEdit: (id, edit, isLast) => call("PUT", path("edits", id), edit, { isLast }),
    editFile: (id, format) => call("GET", `${path("edits", id, "file")}?format=${format}`),

    listStories: () => call("GET", path("stories")),
    story: (id) => call("GET", path("stories", id)),
    addStory: (story) => call("POST", path("stories"), story),
    changeStory: (id, change) => call("PUT", path("stories", id), change),
    buildStory: (id) => call("POST", path("stories", id, "build")),
    cancelStory: (id) => call("POST", path("stories", id, "cancel")),

    session: () => call("GET", path("session")),
    keepSession: (session, isLast) => call("PUT", path("session"), session, { isLast }),
};

/**
 * Names a clip as it is now: an edit is another one after each change.
 * @param {{ id: string, stamp: string }} clip
 */
export const versionKey = ({ id, stamp }) => `${id} ${stamp}`;

/** @type {import("./types").URLs} */
export const urls = {
    events: path("events"),
    // What is made from an edit changes with it, and browsers keep what they have loaded.
    poster: ({ id, stamp }) => `${path("media", id, "poster")}?stamp=${stamp}`,
    strip: ({ id, stamp }) => `${path("media", id, "strip")}?stamp=${stamp}`,
    stripTile: ({ id, stamp }, level, tile) =>
        `${path("media", id, "strip")}?level=${level}&tile=${tile}&stamp=${stamp}`,
    curveFile: (id) => path("curves", id, "file"),
    storyStrip: (id, segment, from, to, frames = 24) =>
        `${path("stories", id, "strip")}?segment=${encodeURIComponent(segment)}&from=${from}&to=${to}&frames=${frames}`,
    storyGraph: (id) => path("stories", id, "graph"),
    film: (id) => `${path("stories", id, "film")}/`,
    download: (id) => path("renders", id, "download"),
};

/**
 * Uploads a file. Uses XMLHttpRequest, because `fetch` doesn't report the progress of an upload.
 * @param {File} file
 * @param {(fraction: number) => void} onProgress
 * @returns {{ answer: Promise<import("./types").Answer<import("./types").Media | null>>, cancel: () => void }}
 *     the value of a cancelled upload is null
 */
export function upload(file, onProgress) {
    const request = new XMLHttpRequest();
    const answer = new Promise((resolve) => {
        /** @type {(status: number, body: any) => void} */
        const fail = (status, body) => resolve({ ok: false, error: failureOf(status, body) });
        request.upload.addEventListener("progress", ({ loaded, total }) => {
            if (total > 0) onProgress(loaded / total);
        });
        request.addEventListener("load", () => {
            const body = jsonOf(request.responseText);
            if (request.status < 300) resolve({ ok: true, value: body });
            else fail(request.status, body);
        });
        request.addEventListener("error", () => fail(0, null));
        request.addEventListener("abort", () => resolve({ ok: true, value: null }));
    });
    request.open("POST", `${path("uploads")}?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.send(file);
    return { answer, cancel: () => request.abort() };
}

/**
 * For a list that is fetched again whenever it changes: an older response may arrive after a newer one.
 * @template T
 * @param {() => Promise<T>} ask
 * @returns {() => Promise<T | null>} asks; null if a later question was answered meanwhile
 */
export function latestOf(ask) {
    let asked = 0, answered = 0;
    return async () => {
        asked += 1;
        const own = asked;
        const answer = await ask();
        if (own < answered) return null;
        answered = own;
        return answer;
    };
}
