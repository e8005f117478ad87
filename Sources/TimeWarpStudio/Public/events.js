// What the server tells by itself, and whether it is there at all.

import { urls } from "./api.js";

const KINDS = ["hello", "media", "curves", "render", "progress", "preview", "removed"];

/** Milliseconds without the server before it is said, and until it is asked anew. */
const PATIENCE = 1500, RETRY = 2000;

/**
 * Listens until the page goes. The browser connects again by itself after a break; where it gives
 * up (the server answered, but not with events) it is asked again from here.
 * @param {Record<string, (data: any) => void>} listeners by kind of event
 * @param {(isThere: boolean) => void} onConnection told when it changes
 */
export function listen(listeners, onConnection) {
    let source = null, silence = 0, isThere = true;
    const say = (value) => {
        if (value !== isThere) onConnection(value);
        isThere = value;
    };
    const open = () => {
        source?.close();
        source = new EventSource(urls.events);
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
            if (source.readyState === EventSource.CLOSED) setTimeout(open, RETRY);
        });
    };
    open();
    // A page that leaves loses its connection: nothing to tell anybody.
    addEventListener("pagehide", () => {
        clearTimeout(silence);
        source.close();
    });
    addEventListener("pageshow", ({ persisted }) => persisted && open());
}
