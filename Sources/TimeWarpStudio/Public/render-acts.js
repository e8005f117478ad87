// The actions on renders: start, cancel, repeat, delete, use their settings.

import { api } from "./api.js";
import { announce } from "./announce.js";
import { byId } from "./dom.js";
import { showError } from "./errors.js";
import { withRequest } from "./render-request.js";
import { createWayBack } from "./way-back.js";

/**
 * @param {import("./store.js").Store} store
 * @param {{ play: (render: object) => void, present: (render: object) => void }} show `play` plays a
 *     result; `present` shows a result that this page asked for and that is finished now
 */
export function createRenderActs(store, show) {
    const say = (answer) => {
        byId("error-renders").textContent = answer.ok ? "" : answer.error.message;
        if (!answer.ok) announce(answer.error.message);
        return answer.ok;
    };
    const take = (answer) => {
        if (say(answer) && answer.value) store.add("renders", answer.value);
    };
    const wayBack = createWayBack("removed-render");
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
        if (known.state === "finished" && own.delete(id)) show.present(known);
    };

    return {
        own,
        start,
        play: show.play,
        reveal: async ({ id }) => say(await api.showRender(id)),
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
        remove: async ({ id, name, state }) => {
            const isFinished = state === "finished";
            if (!say(await api.deleteRender(id))) return;
            store.remove("renders", id);
            if (!isFinished) {
                wayBack.withdraw();
                announce(`${name} was removed.`);
                return;
            }
            wayBack.offer(name, async () => {
                const back = await api.returnRender(id);
                if (back.ok) store.bringBack("renders", back.value);
                return back;
            });
        },
    };
}
