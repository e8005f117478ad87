// The renders that this tab has started, whose results are shown when they are finished. A reload doesn't forget them.

const KEY = "timewarp:renders";

export class OwnRenders {
    /** @type {Set<string>} */
    #ids = new Set(JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));

    get all() {
        return [...this.#ids];
    }

    add(/** @type {string} */ id) {
        this.#ids.add(id);
        this.#keep();
    }

    /** @returns whether it was one of them */
    delete(/** @type {string} */ id) {
        const wasOwn = this.#ids.delete(id);
        this.#keep();
        return wasOwn;
    }

    #keep() {
        sessionStorage.setItem(KEY, JSON.stringify(this.all));
    }
}
