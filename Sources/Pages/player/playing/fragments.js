// Splits a stream of bytes into the fragments of an MP4 file. A fragment is a moof box with
// everything up to the next moof, so each fragment can be appended by itself.

/** Takes bytes as they arrive and returns complete fragments. */
export class FragmentCutter {
    #bytes = new Uint8Array(1 << 16);
    #length = 0;
    #place = 0;
    /** @type {number | null} where the first fragment begins */
    #first = null;
    /** @type {Uint8Array | null} what comes before the first fragment, which says what is in all of them */
    head = null;

    /** @type {(bytes: Uint8Array) => Uint8Array[]} returns the fragments that are now complete */
    push(bytes) {
        this.#add(bytes);
        const whole = [];
        for (let box = this.#nextBox(); box; box = this.#nextBox()) {
            if (box.kind === "moof") {
                this.head ??= this.#bytes.slice(0, this.#place);
                if (this.#first !== null) whole.push(this.#bytes.slice(this.#first, this.#place));
                this.#first = this.#place;
            }
            this.#place += box.size;
        }
        if (this.#first) this.#forget(this.#first);
        return whole;
    }

    /** @returns {Uint8Array[]} the last fragment, at the end of the stream */
    finish() {
        if (this.#first === null || this.#place !== this.#length) {
            throw new Error("a segment's file is incomplete");
        }
        return [this.#bytes.slice(this.#first, this.#length)];
    }

    /** @param {Uint8Array} bytes */
    #add(bytes) {
        const length = this.#length + bytes.length;
        if (length > this.#bytes.length) {
            // The size doubles so that a long fragment isn't copied again for each piece of it.
            const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
            larger.set(this.#bytes.subarray(0, this.#length));
            this.#bytes = larger;
        }
        this.#bytes.set(bytes, this.#length);
        this.#length = length;
    }

    #nextBox() {
        const box = boxAt(this.#bytes.subarray(0, this.#length), this.#place);
        return box && this.#place + box.size <= this.#length ? box : null;
    }

    /** @param {number} count of bytes before the first fragment */
    #forget(count) {
        this.#bytes.copyWithin(0, count, this.#length);
        this.#length -= count;
        this.#place -= count;
        this.#first = 0;
    }
}

/** @returns {never} */
export function damaged() {
    throw new Error("a segment's file is damaged");
}

/**
 * The type and size of the box at an offset, or null if its header hasn't arrived yet.
 * @type {(bytes: Uint8Array, place: number) => { kind: string, size: number } | null}
 */
export function boxAt(bytes, place) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (place + 8 > bytes.length) return null;
    const kind = String.fromCharCode(...bytes.subarray(place + 4, place + 8));
    const size = view.getUint32(place);
    if (size !== 1) {
        if (size < 8) damaged();
        return { kind, size };
    }
    return place + 16 > bytes.length ? null : { kind, size: Number(view.getBigUint64(place + 8)) };
}
