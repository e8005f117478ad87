// Events from the server, and whether the server can be reached.

import { urls } from "./api.js";

/** @type {(keyof Events)[]} */
const KINDS = [
    "hello", "media", "curves", "render", "progress", "preview", "removed", "returned", "story",
];

/** Milliseconds until a lost connection is shown, and until the page connects again. */
const PATIENCE = 1500, RETRY = 2000;

/** @typedef {Omit<import("./server").Events, "render"> & { render: import("./types").Render }} Events */

/**
 * Listens while the page is shown: a browser has only six connections to a server for all its tabs, and a tab that
 * listens keeps one. Whatever happened meanwhile has to be fetched after `hello`. The browser reconnects by itself
 * after an interruption. If it gives up (the server responded, but not with events), this function connects again.
 * @param {{ [Name in keyof Events]?: (data: Events[Name]) => void }} listeners by kind of event
 * @param {(isThere: boolean) => void} onConnection called when the connection is lost or restored
 */
export function listen(listeners, onConnection) {
    /** @type {EventSource | null} */
    let source = null;
    let silence = 0, retry = 0, isThere = true;
    const say = (/** @type {boolean} */ value) => {
        if (value !== isThere) onConnection(value);
        isThere = value;
    };
    const close = () => {
        clearTimeout(silence);
        clearTimeout(retry);
        silence = retry = 0;
        source?.close();
    };
    const open = () => {
        close();
        const opened = source = new EventSource(urls.events);
        for (const kind of KINDS) {
            source.addEventListener(kind, ({ data }) => {
                listeners[kind]?.(data ? JSON.parse(data) : {});
            });
        }
        source.addEventListener("open", () => {
            clearTimeout(silence);
            silence = 0;
            say(true);
        });
        source.addEventListener("error", () => {
            silence ||= setTimeout(() => say(false), PATIENCE);
            if (opened.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY);
        });
    };
    if (!document.hidden) open();
    document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
    // Closing the page closes the connection, which isn't an error to report.
    addEventListener("pagehide", close);
    addEventListener("pageshow", ({ persisted }) => persisted && !document.hidden && open());
}
