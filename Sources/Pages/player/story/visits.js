// Tells the author's address what happens in the story, if the story names one: a line of JSON for each start, way,
// choice, event and end. `story play --log` is such an address. Nothing tells one viewer's visits from another's.

/** Milliseconds from a line to its sending, so that lines that come together are sent together. */
const PATIENCE_MS = 1000;
/** While nothing can be sent, this many lines are kept. */
const MOST_WAITING = 1000;
/** Browsers refuse beacons that are larger than 64 KiB, together with those that are still being sent. */
const MOST_BYTES = 16_384;

/** A random name for this visit, of 16 hexadecimal digits. It is stored nowhere. */
function visitName() {
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Visits {
    /** @type {Uint8Array[]} lines as bytes */
    #waiting = [];
    #timer = 0;

    /** @param {import("../types.js").Manifest} manifest names the address as `analytics`, or has null there */
    constructor(manifest) {
        this.story = manifest.id;
        this.address = manifest.analytics ?? null;
        if (!navigator.sendBeacon) this.address = null;
        if (this.address === null) return;
        this.visit = visitName();
        addEventListener("pagehide", () => this.#send());
        document.addEventListener("visibilitychange", () => document.hidden && this.#send());
    }

    /** @param {import("../types.js").VisitEvent} line Documentation/guides/stories.md describes the types */
    note(line) {
        if (this.address === null || this.#waiting.length >= MOST_WAITING) return;
        const { visit, story } = this;
        const text = JSON.stringify({ visit, story, at: new Date().toISOString(), ...line });
        this.#waiting.push(new TextEncoder().encode(`${text}\n`));
        this.#sendSoon();
    }

    #sendSoon() {
        if (this.#timer === 0) this.#timer = setTimeout(() => this.#send(), PATIENCE_MS);
    }

    #send() {
        clearTimeout(this.#timer);
        this.#timer = 0;
        while (this.address !== null && this.#waiting.length > 0) {
            const lines = this.#nextLines();
            // Plain text needs no permission from the other site.
            const body = new Blob(lines, { type: "text/plain" });
            if (!navigator.sendBeacon(this.address, body)) {
                // The browser is still sending other beacons.
                this.#sendSoon();
                return;
            }
            this.#waiting.splice(0, lines.length);
        }
    }

    /** As many as go into one beacon, and at least one. */
    #nextLines() {
        let [count, bytes] = [0, 0];
        for (const line of this.#waiting) {
            bytes += line.length;
            if (count > 0 && bytes > MOST_BYTES) break;
            count += 1;
        }
        return this.#waiting.slice(0, count);
    }
}
