// Curves that are saved under a name, and curve files.

import { api, latestOf, urls } from "../../shared/api.js";
import { announce } from "../../shared/elements/announce.js";
import { byId, iconButton } from "../../shared/elements/dom.js";
import { curvePicture, icon } from "../../shared/elements/icons.js";
import { createNotice } from "../../shared/elements/notice.js";
import { curveOf, withCurve } from "../app/draft.js";
import { saveText } from "../../shared/elements/save-text.js";
import { createUndoNotice } from "../../shared/elements/undo-notice.js";
import { draw, view } from "../../shared/elements/view.js";

/** @typedef {import("../../shared/types").KeptCurve} KeptCurve */

const NO_CURVE = "isn't a curve file: it must be JSON with \"timewarp\": \"curve/1\".";

/**
 * @param {import("../app/store.js").Store} store
 * @returns {{ open: (file: File) => Promise<void>, refresh: () => Promise<void> }}
 */
export function createSavedCurves(store) {
    const notice = createNotice("error-curves");
    const say = (/** @type {string} */ text) => {
        if (text) byId("saved-curves").open = true;
        notice(text);
    };
    const list = new CurvesList(store, say);
    const open = async (/** @type {File} */ file) => {
        const curve = readCurve(await file.text());
        if (!curve) {
            say(`${file.name} ${NO_CURVE}`);
            return;
        }
        say("");
        const name = file.name.replace(/\.json$/i, "");
        store.edit((draft) => withCurve(draft, curve, name));
        const answer = await api.addCurve(name, curve);
        if (!answer.ok) say(answer.error.message);
        else announce(`The curve ${name} was opened.`);
        await list.refresh();
    };
    byId("save-curve").addEventListener("submit", (event) => {
        event.preventDefault();
        list.save();
    });
    const field = byId("curve-file");
    byId("open-curve").addEventListener("click", () => field.click());
    field.addEventListener("change", () => {
        for (const file of field.files ?? []) open(file);
        field.value = "";
    });
    byId("export-curve").addEventListener("click", () => {
        const curve = { timewarp: "curve/1", ...curveOf(store.draft.warp) };
        const name = byId("curve-name").value.trim() || "curve";
        saveText(`${name}.json`, `${JSON.stringify(curve, null, 2)}\n`);
    });
    return { open, refresh: () => list.refresh() };
}

/** @type {(text: string) => import("../types").Curve | null} the curve in a text, or null */
function readCurve(text) {
    try {
        const value = JSON.parse(text);
        return value?.timewarp === "curve/1" ? value : null;
    } catch {
        return null;
    }
}

/**
 * A small picture of a saved curve: the speeds of keyframes, the time scale of all others; null if there is none.
 * @param {KeptCurve} saved
 */
function pictureOf({ curve, picture }) {
    return picture ? curvePicture(picture.u, curve.keyframes ? picture.speed : picture.scale) : null;
}

class CurvesList {
    /** @type {string | null} the id of the curve that is being renamed */
    #renamed = null;
    #ask = latestOf(api.listCurves);

    undoNotice = createUndoNotice("removed-curve");

    /** @param {import("../app/store.js").Store} store @param {(text: string) => void} say */
    constructor(store, say) {
        this.store = store;
        this.say = say;
        store.on("curves", () => this.show());
        this.show();
    }

    async refresh() {
        const answer = await this.#ask();
        if (answer?.ok) this.store.setList("curves", answer.value.curves);
    }

    /** @param {import("../../shared/types").Answer<unknown>} answer @param {string} text */
    async #done(answer, text) {
        this.say(answer.ok ? "" : answer.error.message);
        if (answer.ok) announce(text);
        await this.refresh();
    }

    /** Saves the curve under the name in the field, and replaces a curve with the same name. */
    async save() {
        const field = byId("curve-name");
        const name = field.value.trim();
        if (!name) {
            this.say("Give the curve a name.");
            field.focus();
            return;
        }
        const curve = curveOf(this.store.draft.warp);
        const old = this.store.curves.find((each) => each.name === name);
        const answer = await (old ? api.saveCurve(old.id, name, curve) : api.addCurve(name, curve));
        if (answer.ok) field.value = "";
        await this.#done(answer, `The curve ${name} was saved.`);
        if (!answer.ok || !old) return;
        this.undoNotice.offer(name, "replaced", async () => {
            const back = await api.saveCurve(old.id, name, old.curve);
            await this.refresh();
            return back;
        });
    }

    /** @param {KeptCurve} saved @param {string} name */
    async #rename(saved, name) {
        this.#renamed = null;
        const isNew = name !== "" && name !== saved.name;
        if (isNew) {
            await this.#done(await api.saveCurve(saved.id, name, saved.curve), `Renamed to ${name}.`);
        } else {
            this.show();
        }
        const row = byId("curves").children[this.store.curves.findIndex(({ id }) => id === saved.id)];
        /** @type {HTMLElement | null | undefined} */ (row?.querySelector("[data-act=rename]"))?.focus();
    }

    async #delete(/** @type {KeptCurve} */ saved) {
        const answer = await api.deleteCurve(saved.id);
        await this.#done(answer, `The curve ${saved.name} was removed.`);
        if (!answer.ok) return;
        this.undoNotice.offer(saved.name, "removed", async () => {
            const back = await api.addCurve(saved.name, saved.curve);
            await this.refresh();
            return back;
        });
    }

    show() {
        const { curves } = this.store;
        byId("curves-count").textContent = curves.length > 0 ? String(curves.length) : "";
        draw(byId("curves"), ...curves.map((saved) => this.#row(saved)));
    }

    #row(/** @type {KeptCurve} */ saved) {
        if (saved.id === this.#renamed) return this.#nameForm(saved);
        const { id, name, curve } = saved;
        const use = () => {
            this.store.edit((draft) => withCurve(draft, curve, name));
            announce(`Now using the curve ${name}.`);
        };
        const acts = [
            iconButton("pen", `Rename ${name}`, () => {
                this.#renamed = id;
                this.show();
                byId("curves").querySelector("input")?.select();
            }, { "data-act": "rename" }),
            view("a", {
                class: "button icon", href: urls.curveFile(id), download: "", title: "Export",
                "aria-label": `Export ${name}`, "data-act": "export",
            }, icon("download")),
            iconButton("trash", `Delete ${name}`, () => this.#delete(saved), { "data-act": "delete" }),
        ];
        return view("li", { class: "row-item", key: id },
            view("button", {
                type: "button", class: "pick", "data-act": "use", onclick: use, title: `Use ${name}`,
            }, pictureOf(saved), name),
            view("div", { class: "acts" }, ...acts));
    }

    #nameForm(/** @type {KeptCurve} */ saved) {
        const named = (/** @type {Event} */ { target }) =>
            this.#rename(saved, /** @type {HTMLInputElement} */ (target).value.trim());
        return view("li", { class: "row-item", key: saved.id }, view("input", {
            type: "text", value: saved.name, maxlength: 100, "data-act": "rename",
            "aria-label": `New name of ${saved.name}`,
            onkeydown: (/** @type {KeyboardEvent} */ event) => {
                if (event.key === "Enter") named(event);
                if (event.key === "Escape") this.#rename(saved, "");
            },
            onblur: (/** @type {Event} */ event) => this.#renamed === saved.id && named(event),
        }));
    }
}
