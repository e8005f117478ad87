// All requests to the server. Nothing is thrown: an `Answer` holds a value or an error.

/**
 * @typedef {{ status: number, message: string, field: string | null, column: number | null,
 *     place: number | null }} Failure status 0: the server can't be reached
 * @template T
 * @typedef {{ ok: true, value: T } | { ok: false, error: Failure }} Answer
 */

const UNREACHABLE = "The studio can't be reached. Is timewarp studio still running?";

const NOT_ALLOWED = "Open the address that timewarp studio printed.";

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

/** The first line of a message, without the path to the field: the page shows the message at the field. */
function sentence(message) {
    const text = message.split("\n")[0].trim().replace(/^curve(\.\w+|\[\d+\])*: /, "");
    return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

function jsonOf(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

/** Called with every response's status, or 0 if there was no response. */
let onStatus = () => {};

/** @param {(status: number) => void} listener */
export function watchStatus(listener) {
    onStatus = listener;
}

async function call(method, path, body, options = {}) {
    let response, text;
    try {
        response = await fetch(path, {
            method, ...options,
            ...(body === undefined ? {} : {
                body: JSON.stringify(body), headers: { "Content-Type": "application/json" },
            }),
        });
        text = await response.text();
    } catch (error) {
        if (error.name !== "AbortError") onStatus(0);
        return { ok: false, error: failureOf(0, null) };
    }
    onStatus(response.status);
    const value = text === "" ? null : jsonOf(text);
    if (response.ok) return { ok: true, value };
    return { ok: false, error: failureOf(response.status, value) };
}

const path = (...parts) => `/api/${parts.map(encodeURIComponent).join("/")}`;

/** Fields that the server omits if they are null or empty. */
const WHOLE = { minimum: null, maximum: null, curveFile: null, warnings: [] };

export const api = {
    evaluate: async (request) => {
        const answer = await call("POST", path("evaluate"), request);
        return answer.ok ? { ok: true, value: { ...WHOLE, ...answer.value } } : answer;
    },

    listMedia: () => call("GET", path("media")),
    deleteMedia: (id) => call("DELETE", path("media", id)),
    waveform: (id) => call("GET", path("media", id, "waveform")),
    inspect: (id) => call("GET", path("media", id, "inspect")),
    listFiles: () => call("GET", path("files")),
    importFile: (file) => call("POST", path("media"), { file }),

    curveKinds: () => call("GET", path("curve-kinds")),
    listCurves: () => call("GET", path("curves")),
    addCurve: (name, curve) => call("POST", path("curves"), { name, curve }),
    saveCurve: (id, name, curve) => call("PUT", path("curves", id), { name, curve }),
    deleteCurve: (id) => call("DELETE", path("curves", id)),

    listRenders: () => call("GET", path("renders")),
    startRender: (request) => call("POST", path("renders"), request),
    cancelRender: (id) => call("POST", path("renders", id, "cancel")),
    renderAgain: (id) => call("POST", path("renders", id, "again")),
    deleteRender: (id) => call("DELETE", path("renders", id)),

    desk: () => call("GET", path("desk")),
    /** @param isLast whether the page may be closed before the response arrives */
    keepDesk: (desk, isLast) => call("PUT", path("desk"), desk, { keepalive: isLast }),
};

/** URLs that elements of the page load. */
export const urls = {
    events: path("events"),
    content: (id) => path("media", id, "content"),
    poster: (id) => path("media", id, "poster"),
    strip: (id) => path("media", id, "strip"),
    curveFile: (id) => path("curves", id, "file"),
    result: (id) => path("renders", id, "content"),
    download: (id) => path("renders", id, "download"),
};

/**
 * Uploads a file. Uses XMLHttpRequest, because `fetch` doesn't report the progress of an upload.
 * @param {File} file
 * @param {(fraction: number) => void} onProgress
 * @returns {{ answer: Promise<Answer<object>>, cancel: () => void }} the value of a cancelled upload is null
 */
export function upload(file, onProgress) {
    const request = new XMLHttpRequest();
    const answer = new Promise((resolve) => {
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
