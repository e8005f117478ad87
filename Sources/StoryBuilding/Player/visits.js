// Tells the author's address what happens in the story, if the story names one: a line of JSON for each start, way,
// choice, event and end. `story play --log` is such an address. Nothing tells one viewer's visits from another's.

/** Milliseconds from a line to its sending, so that lines that come together are sent together. */
const PATIENCE_MS = 1000;
/** While nothing can be sent, so many lines are kept. */
const MOST_WAITING = 1000;
/** Browsers refuse beacons that are larger than 64 KiB in total. */
const MOST_AT_ONCE = 20;

/** A random name for this visit, of 16 hexadecimal digits. It is stored nowhere. */
function visitName() {
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Visits {
    #waiting = [];
    #timer = 0;

    /** @param manifest names the address as `analytics`, or has null there */
    constructor(manifest) {
        Object.assign(this, { address: manifest.analytics ?? null, story: manifest.id });
        if (this.address === null) return;
        this.visit = visitName();
        addEventListener("pagehide", () => this.#send());
        document.addEventListener("visibilitychange", () => document.hidden && this.#send());
    }

    /** @param line `{ type, … }`; Documentation/guides/stories.md describes the types */
    note(line) {
        if (this.address === null || this.#waiting.length >= MOST_WAITING) return;
        const { visit, story } = this;
        const text = JSON.stringify({ visit, story, at: new Date().toISOString(), ...line });
        this.#waiting.push(`${text}\n`);
        if (this.#timer === 0) this.#timer = setTimeout(() => this.#send(), PATIENCE_MS);
    }

    #send() {
        clearTimeout(this.#timer);
        this.#timer = 0;
        while (this.#waiting.length > 0) {
            const lines = this.#waiting.slice(0, MOST_AT_ONCE);
            // Plain text needs no permission from the other site.
            const body = new Blob(lines, { type: "text/plain" });
            if (!navigator.sendBeacon(this.address, body)) return;
            this.#waiting.splice(0, lines.length);
        }
    }
}
