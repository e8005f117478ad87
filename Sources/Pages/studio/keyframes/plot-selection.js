// Which keyframes are selected: one that the keyboard is at, and others that move with it.

export class Selection {
    /** @type {number | null} the keyframe whose easing is shown; null if none is selected */
    first = null;
    /** @type {Set<number>} */
    #others = new Set();

    /** All selected keyframes, in order. */
    get all() {
        const list = this.first === null ? [] : [this.first, ...this.#others];
        return [...new Set(list)].sort((a, b) => a - b);
    }

    has(/** @type {number} */ index) {
        return index === this.first || (this.first !== null && this.#others.has(index));
    }

    /** Selects one. If it is selected already, the others stay. */
    choose(/** @type {number | null} */ index) {
        if (index === null || !this.has(index)) this.#others.clear();
        else if (this.first !== null) this.#others.add(this.first);
        this.first = index;
        if (index !== null) this.#others.delete(index);
    }

    /** Selects one and no others. */
    only(/** @type {number | null} */ index) {
        this.#others.clear();
        this.first = index;
    }

    /** Adds one, or takes it away. */
    toggle(/** @type {number} */ index) {
        const list = this.all;
        if (!list.includes(index)) this.these([...list, index], index);
        else if (list.length > 1) this.these(list.filter((each) => each !== index));
    }

    /** @type {(indexes: number[], first?: number | null) => void} */
    these(indexes, first = indexes[0] ?? null) {
        this.first = first;
        this.#others = new Set(indexes.filter((index) => index !== first));
    }

    /** Forgets numbers of keyframes that are gone. */
    limit(/** @type {number} */ count) {
        if (this.first !== null && this.first >= count) this.only(null);
        for (const index of this.#others) if (index >= count) this.#others.delete(index);
    }
}
