// The actions on renders: start, cancel, repeat, delete, use their settings.

import { api } from "./api.js";
import { announce } from "./announce.js";
import { byId } from "./dom.js";
import { showError } from "./errors.js";
import { withRequest } from "./render-request.js";

/**
 * @param {import("./store.js").Store} store
 * @param {(render: object, isToPlay: boolean) => void} open shows a result in the player
 */
export function createRenderActs(store, open) {
    const say = (answer) => {
        byId("error-renders").textContent = answer.ok ? "" : answer.error.message;
        if (!answer.ok) announce(answer.error.message);
        return answer.ok;
    };
    const take = (answer) => {
        if (say(answer) && answer.value) store.add("renders", answer.value);
    };
    /** Renders that this page has started: their results are shown when they are finished. */
    const own = new Set();

    /** @param {object | null} sample the part of the output to render; null for all of it */
    const start = async (sample = null) => {
        const { draft } = store;
        const request = store.request && sample ? { ...store.request, sample } : store.request;
        if (!request) {
            announce("Import a clip first.");
            byId("error-request").textContent = "Import a clip first.";
            return;
        }
        const answer = await api.startRender(request);
        if (!answer.ok) {
            showError(answer.error, draft.task);
            announce(answer.error.message);
            return;
        }
        const { id } = answer.value;
        const isBusy = store.renders.some((each) => each.id !== id
            && ["running", "queued"].includes(each.state));
        const begun = sample ? "Rendering a sample." : "Rendering has started.";
        announce(isBusy ? "Queued after other renders." : begun);
        own.add(id);
        store.add("renders", answer.value);
        // A short render may be finished before the response arrives.
        const known = store.renders.find((each) => each.id === id);
        if (known.state === "finished" && own.delete(id)) open(known, sample !== null);
    };

    return {
        own,
        start,
        play: (render) => open(render, true),
        cancel: async ({ id }) => take(await api.cancelRender(id)),
        again: async (render) => {
            const isNew = render.state === "finished";
            const answer = await (isNew ? api.startRender(render.request) : api.renderAgain(render.id));
            if (answer.ok) own.add(answer.value.id);
            take(answer);
        },
        use: ({ request, name }) => {
            store.edit((draft) => withRequest(draft, request));
            announce(`Now using the settings of ${name}.`);
        },
        remove: async ({ id, name }) => {
            if (!say(await api.deleteRender(id))) return;
            store.remove("renders", id);
            announce(`${name} was deleted.`);
        },
    };
}
