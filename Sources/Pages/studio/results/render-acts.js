// The actions on renders: start, cancel, repeat, delete, use their settings.

import { api } from "../../shared/api.js";
import { announce } from "../../shared/elements/announce.js";
import { showError } from "../app/errors.js";
import { createNotice } from "../../shared/elements/notice.js";
import { OwnRenders } from "./own-renders.js";
import { requestFor, withRequest, withSample } from "../app/job.js";
import { createUndoNotice } from "../../shared/elements/undo-notice.js";

/**
 * @typedef {import("../../shared/types").Render} Render
 * @typedef {import("../../shared/types").Failure} Failure
 * @typedef {import("../../shared/types").Answer<Render | null>} Answer
 * @typedef {ReturnType<typeof createRenderActs>} RenderActs
 */

/** @type {(before: Render, render: Render) => boolean} whether both are samples of a clip: only the last one is kept */
export const isReplaced = (before, render) => before.id !== render.id && before.media === render.media
    && Boolean(before.job.output.range && render.job.output.range);

/** @type {Pick<Failure, "message" | "field">} */
const NO_CLIP = { message: "Import a clip first.", field: "media" };

/**
 * @param {import("../app/store.js").Store} store
 * @param {{ play: (render: Render) => void, present: (render: Render) => void }} show `play` plays a
 *     result; `present` shows a result that this page asked for and that is finished now
 */
export function createRenderActs(store, show) {
    const notice = createNotice("error-renders");
    const say = (/** @type {Answer} */ answer) => {
        notice(answer.ok ? "" : answer.error.message);
        return answer.ok;
    };
    const take = (/** @type {Answer} */ answer) => {
        say(answer);
        if (answer.ok && answer.value) store.add("renders", answer.value);
    };
    const undoNotice = createUndoNotice("removed-render");
    const own = new OwnRenders();
    let isAsking = false;

    /** Shows why nothing is rendered. */
    const refuse = (/** @type {Pick<Failure, "message" | "field">} */ error) => {
        showError(error, store.draft.task);
        announce(error.message);
    };

    /** @param {{ start: string, end: string } | null} sample the part of the output to render; null for all of it */
    const start = async (sample = null) => {
        const request = store.request && sample ? withSample(store.request, sample) : store.request;
        if (!request) refuse(NO_CLIP);
        else if (store.error) refuse(store.error);
        if (!request || store.error || isAsking) return;
        isAsking = true;
        const answer = await api.startRender(request);
        isAsking = false;
        if (!answer.ok) {
            refuse(answer.error);
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
        if (known?.state === "finished" && own.delete(id)) show.present(known);
    };

    /** @param {Render} render @param {"removed" | "replaced"} [done] */
    const remove = async ({ id, name, state }, done = "removed") => {
        const isFinished = state === "finished";
        if (!say(await api.deleteRender(id))) return;
        store.remove("renders", id);
        if (!isFinished) {
            undoNotice.withdraw();
            announce(`${name} was ${done}.`);
            return;
        }
        undoNotice.offer(name, done, async () => {
            const back = await api.returnRender(id);
            if (back.ok) store.bringBack("renders", back.value);
            return back;
        });
    };

    /** Removes the samples that a new one replaces. */
    const replace = async (/** @type {Render} */ render) => {
        const before = store.renders.filter((each) => each.state === "finished" && isReplaced(each, render));
        for (const each of before) await remove(each, "replaced");
    };

    return {
        own, replace, remove,
        start,
        play: show.play,
        reveal: async (/** @type {{ id: string }} */ { id }) => say(await api.showRender(id)),
        /** Makes a clip of a render, to be retimed once more or put into an edit. */
        clip: async (/** @type {Render} */ { id, name }) => {
            const answer = await api.clipOfRender(id);
            notice(answer.ok ? "" : answer.error.message);
            if (!answer.ok) return;
            store.add("media", answer.value);
            store.choose(answer.value.id);
            announce(`${name} is a clip now.`);
        },
        cancel: async (/** @type {{ id: string }} */ { id }) => take(await api.cancelRender(id)),
        again: async (/** @type {Render} */ render) => {
            const isNew = render.state === "finished";
            const answer = await (isNew ? api.startRender(requestFor(render)) : api.renderAgain(render.id));
            if (answer.ok) own.add(answer.value.id);
            take(answer);
        },
        use: (/** @type {Render} */ render) => {
            // If its clip is gone, the present one gets the settings, but not the range, which was one of that clip.
            const isThere = store.media.some(({ id }) => id === render.media);
            store.edit((draft) => {
                const { media, range } = draft;
                return { ...withRequest(draft, requestFor(render)), ...isThere ? {} : { media, range } };
            });
            announce(`Now using the settings of ${render.name}.`);
        },
    };
}
