// Creates the parts of the page and connects them.

import { announce } from "../../shared/elements/announce.js";
import { api, NOT_ALLOWED, watchStatus } from "../../shared/api.js";
import { setCapabilities } from "./capabilities.js";
import { createCurvePresets } from "../curves/curve-presets.js";
import { createCommandPanel } from "./command-panel.js";
import { createExportPanel } from "../edit/export-panel.js";
import { createSessionKeeper, mendedSession, tabBefore } from "./session.js";
import { byId } from "../../shared/elements/dom.js";
import { EditPanel } from "../edit/edit-panel.js";
import { createDividers } from "../plot/divider.js";
import { createErrors } from "./errors.js";
import { createEvaluator } from "./evaluator.js";
import { listen } from "../../shared/events.js";
import { setShown } from "../../shared/elements/fields.js";
import { toggleFull } from "../../player/playing/full-screen.js";
import { placeIcons } from "../../shared/elements/icons.js";
import { createImporting } from "./importing.js";
import { createHelp, listenToKeys, playerKeys } from "../../shared/elements/keys.js";
import { mediaOf } from "./job.js";
import { MatchPanel } from "../match/match-panel.js";
import { createMediaList } from "./media-list.js";
import { withMedia } from "./draft.js";
import { createFramesLoop } from "../output/frames-loop.js";
import { createOutputForm } from "../output/output-form.js";
import { PlotPanel } from "../plot/plot-panel.js";
import { createRenderActs, isReplaced } from "../results/render-acts.js";
import { createRendersList } from "../results/renders-list.js";
import { ResultPanel } from "../results/result-panel.js";
import { RetimeMenu } from "../keyframes/retime-menu.js";
import { createSavedCurves } from "../curves/saved-curves.js";
import { createSmartEstimate } from "../output/smart-estimate.js";
import { SourcePanel } from "./source-panel.js";
import { Store } from "./store.js";
import { createTabs } from "./tabs.js";
import { createTaskForms } from "./task-forms.js";
import { Together } from "./together.js";
import { durationText } from "../../shared/times.js";
import { draw, view } from "../../shared/elements/view.js";
import { WarpForm } from "../curves/warp-form.js";

/** For how many milliseconds the page shows that the connection is back. */
const BACK = 2500;
/** After how many milliseconds a server that can't be reached at first is asked again. */
const RETRY = 2000;
const LOST = "Connection lost, trying again…";

/**
 * @typedef {import("../types").Lists} Lists
 * @typedef {import("../../shared/types").Render} Render
 * @typedef {SourcePanel | ResultPanel} Panel
 */

class Studio {
    store = new Store();
    #asked = "";
    #ask = () => {};
    /** @type {import("../../shared/types").Part | null} the part of the curve that is looked at closely, on [0,1] */
    part = null;

    constructor() {
        const { store } = this;
        placeIcons(document);
        this.keepSession = createSessionKeeper(() => {
            const { past, future } = store.history;
            return { session: this.#session(), past, future };
        });
        // The first listener, so that the request is sent before the other listeners do their work.
        this.#evaluateAsEdited();
        this.curves = createSavedCurves(store);
        this.importing = createImporting(store, (file) => this.curves.open(file));
        this.acts = createRenderActs(store, {
            play: (render) => this.#openResult(render, true),
            present: (render) => this.#present(render),
        });
        /** @type {PlotPanel} */
        this.plot = new PlotPanel(store, {
            onKeyframes: (keyframes, final) => this.warp.setKeyframes(keyframes, final),
            onSeek: (seconds, sought) => this.#scrub(seconds, sought),
            // What plays goes on.
            onPicture: (seconds, sought) => this.#isPlaying || this.#scrub(seconds, sought),
            onSelect: (index) => this.warp.table.select(index),
            onView: () => this.keepSession(), onMenu: (point) => this.retime.open(point),
            onPart: (part) => {
                this.part = part;
                this.#ask();
            },
        });
        /** @type {SourcePanel} */
        this.source = new SourcePanel(store, {
            onTime: () => this.#showPlace(this.source),
            onPlay: () => this.#begins(this.source, this.result),
            chooseFile: () => this.importing.chooseFile(),
        });
        /** @type {Panel} the player that was used last: keys and the dot belong to it */
        this.active = this.source;
        /** @type {ResultPanel} */
        this.result = new ResultPanel(store, {
            onTime: () => this.#showPlace(this.result),
            onPlay: () => this.#begins(this.result, this.source),
            cancel: (id) => this.acts.cancel({ id }), reveal: this.acts.reveal,
        });
        this.together = new Together(this.source, this.result, () => this.active);
        this.renders = createRendersList(store, this.acts);
        createTabs(store);
        createDividers();
        /** @type {WarpForm} */
        this.warp = new WarpForm(store, {
            onSelect: (index) => this.plot.select(index), onAdd: () => this.plot.plot.addHere(),
            onStep: (way) => this.plot.plot.step(way),
        });
        this.retime = new RetimeMenu(store, {
            keyframes: () => this.warp.keyframes(), position: () => this.plot.position,
            selected: () => this.plot.selected, select: (indexes) => this.plot.selectAll(indexes),
        });
        createCurvePresets(store);
        createTaskForms(store);
        this.match = new MatchPanel(store, () => this.edits.putOnPicture());
        createOutputForm(store);
        createFramesLoop(store, this.source);
        createSmartEstimate(store);
        createMediaList(store);
        createCommandPanel(store);
        createExportPanel(store);
        createErrors(store);
        this.edits = new EditPanel(store, {
            seek: (seconds, final) => this.#scrub(seconds, { final, output: null }),
            play: () => this.source.player.isPlaying || this.source.player.play(),
        });
        this.#listenToButtons();
        this.#listenToUse();
        listenToKeys(this.#keys(createHelp()));
    }

    #listenToButtons() {
        const { store } = this;
        // The second click of a double click would start a second render.
        byId("render").addEventListener("click", ({ detail }) => detail < 2 && this.acts.start());
        byId("sample").addEventListener("click", ({ detail }) => detail < 2 && this.#renderSample());
        byId("plot-full").addEventListener("click", () => toggleFull(byId("plot-panel")));
        byId("undo").addEventListener("click", () => store.undo());
        byId("redo").addEventListener("click", () => store.redo());
        store.on("draft", () => {
            this.#showHistory();
            setShown("sample", store.draft.task !== "stretch");
        });
        store.on("evaluation", () => {
            this.#showWarnings();
            this.#drawPlace(this.active);
        });
        this.#showHistory();
    }

    #evaluateAsEdited() {
        const { store } = this;
        const evaluate = createEvaluator((request) => api.evaluate(request, this.part), (answer, request) => {
            // If the server can't be reached, the request is sent again when it is back.
            if (!answer.ok && answer.error.status === 0) this.#asked = "";
            else if (mediaOf(request) === store.draft.media) store.setEvaluation(answer, request);
        });
        const ask = this.#ask = () => {
            const { request } = store;
            // An edit that was changed is the same clip with another stamp.
            const text = request ? JSON.stringify([request, this.part, store.clip?.stamp]) : "";
            if (text === this.#asked) return;
            const isOther = store.evaluated && (!request || mediaOf(store.evaluated) !== mediaOf(request));
            this.#asked = text;
            if (isOther) store.clearEvaluation();
            evaluate(request);
        };
        store.on("draft", () => {
            ask();
            this.keepSession();
        });
        store.on("media", ask);
    }

    // Players

    #activate(/** @type {Panel} */ panel) {
        this.active = panel;
    }

    /** Only one player plays at a time, and the dot follows it. */
    #begins(/** @type {Panel} */ panel, /** @type {Panel} */ other) {
        this.#activate(panel);
        other?.player.pause();
    }

    get #isPlaying() {
        return this.source.player.isPlaying || this.result.player.isPlaying;
    }

    /** @type {(seconds: number, sought: import("../plot/types").Sought) => void} shows a place in the source player */
    #scrub(seconds, { final, output }) {
        this.#activate(this.source);
        this.source.scrub(seconds, final, output);
    }

    #showPlace(/** @type {Panel} */ panel) {
        this.together?.moved(panel);
        this.#drawPlace(panel);
    }

    #drawPlace(/** @type {Panel} */ panel) {
        if (!panel || panel !== this.active) return;
        const isSource = panel === this.source, { place } = panel;
        if (place !== null) this.edits?.showPlace(place);
        this.plot.showPlace({
            isSource, time: isSource ? this.source.place : panel.player.time,
            output: isSource ? this.source.output : null,
            evaluation: panel === this.result ? this.result.evaluation : null,
        });
    }

    #openResult(/** @type {Render} */ render, /** @type {boolean} */ isToPlay) {
        if (isToPlay) this.#activate(this.result);
        this.result.open(render, isToPlay);
        this.renders.markPlaying(render.id);
        this.keepSession();
    }

    /**
     * Shows a finished render instead of the samples that it replaces, and plays it unless the user is watching something or has
     * left the page.
     */
    #present(/** @type {Render} */ render, isToPlay = !this.#isPlaying && !document.hidden) {
        this.#openResult(render, isToPlay);
        this.acts.replace(render);
    }

    #listenToUse() {
        for (const panel of [this.source, this.result]) {
            const region = panel.player.video.closest("section");
            for (const event of ["focusin", "pointerdown"]) {
                region?.addEventListener(event, () => {
                    this.#activate(panel);
                    this.#showPlace(panel);
                });
            }
            panel.player.video.addEventListener("click", () => panel.player.toggle());
        }
        byId("source-transport").addEventListener("click", () => this.keepSession());
        byId("result-transport").addEventListener("click", () => this.keepSession());
    }

    #keys(/** @type {() => void} */ openHelp) {
        const player = () => this.active.player;
        const choose = (/** @type {Panel} */ panel) => {
            this.#activate(panel);
            this.#showPlace(panel);
            panel.player.video.closest("section")?.scrollIntoView({ block: "nearest", inline: "nearest" });
            announce(panel === this.source ? "Source." : "Result.");
        };
        return {
            ...playerKeys(player),
            "i": () => this.source.setIn(), "o": () => this.source.setOut(),
            "p": () => this.source.togglePreview(), "v": () => this.result.toggleLive(),
            "+": () => this.plot.plot.zoom(2), "=": () => this.plot.plot.zoom(2),
            "-": () => this.plot.plot.zoom(0.5), "0": () => this.plot.plot.fit(),
            "b": () => this.plot.beats.hit(), "r": () => this.retime.toggle(),
            "[": () => this.plot.plot.step(-1), "]": () => this.plot.plot.step(1),
            "a": () => this.#addKeyframe(),
            "m": () => player().setMuted(!player().isMuted),
            "g": () => this.together.toggleLink(), "w": () => this.together.toggleWipe(),
            "e": () => this.edits.add(),
            "f": () => {
                const { video } = player();
                toggleFull(video.closest("section") ?? video, video);
            },
            "Shift+f": () => toggleFull(byId("plot-panel")),
            "1": () => choose(this.source), "2": () => choose(this.result),
            "?": openHelp,
            "Ctrl+z": () => this.store.undo(), "Ctrl+Shift+z": () => this.store.redo(),
            "Ctrl+y": () => this.store.redo(), "Ctrl+Enter": () => this.acts.start(),
            "Ctrl+Shift+Enter": () => this.#renderSample(),
        };
    }

    /** Adds a keyframe at the playhead; another curve becomes keyframes. */
    async #addKeyframe() {
        const { draft, clip } = this.store;
        if (draft.task !== "warp" || !clip) return;
        if (draft.warp.kind !== "keyframes") {
            const made = await this.warp.keyframes();
            if (!made) return;
            this.store.edit({ warp: made });
            await this.store.settled();
        }
        if (this.plot.plot.addHere() === null) announce("A keyframe is there already.");
    }

    /** Renders two seconds of the output around what the source player shows. */
    #renderSample() {
        const { evaluation } = this.store;
        if (!evaluation) return;
        const output = this.source.instantIn(evaluation);
        const start = Math.max(0, Math.min(output - 1, evaluation.outputDuration - 2));
        const end = Math.min(start + 2, evaluation.outputDuration);
        this.acts.start({ start: durationText(start), end: durationText(end) });
    }

    // Showing

    #showHistory() {
        const { past, future } = this.store.history;
        byId("undo").setAttribute("aria-disabled", String(past.length === 0));
        byId("redo").setAttribute("aria-disabled", String(future.length === 0));
    }

    #showWarnings() {
        const list = byId("warnings");
        const warnings = this.store.error ? [] : this.store.evaluation?.warnings ?? [];
        list.hidden = warnings.length === 0;
        draw(list, ...warnings.map((text) => view("li", {}, text)));
    }

    // Server

    #session() {
        return {
            draft: { ...this.store.draft, edit: null }, edit: this.store.draft.edit?.id ?? null,
            view: this.plot.view, snap: this.plot.snap,
            beats: this.plot.beats.choice,
            result: this.result.render?.id ?? null,
            loop: this.source.player.loop, isMuted: this.source.player.isMuted,
        };
    }

    async start() {
        watchStatus((status) => {
            if (status === 401 || status === 403) lock();
        });
        const tab = tabBefore();
        const [stored] = await Promise.all([api.session(), this.#fetchLists()]);
        this.#restore(mendedSession(tab?.session ?? (stored.ok ? stored.value?.session : null)));
        // The steps of another workspace have clips that aren't here.
        if (tab && this.store.clip) this.store.remember(tab);
        document.documentElement.dataset.ready = "true";
        this.#listenToServer();
    }

    async #fetchLists() {
        await Promise.all([
            this.#fetchList("media", api.listMedia), this.#fetchList("renders", api.listRenders),
            this.curves.refresh(), this.edits.files.fetch()]);
    }

    /**
     * Fetches a list; fetches it again if an event has changed it meanwhile, because events are newer.
     * @template {"media" | "renders"} Kind
     * @param {Kind} kind
     * @param {() => Promise<import("../../shared/types").Answer<Record<Kind, Lists[Kind][]>>>} fetchIt
     */
    async #fetchList(kind, fetchIt) {
        let before, answer;
        do {
            before = this.store[kind];
            answer = await fetchIt();
        } while (answer.ok && this.store[kind] !== before);
        if (answer.ok) this.store.setList(kind, answer.value[kind]);
    }

    #restore(/** @type {ReturnType<typeof mendedSession>} */ session) {
        const { store } = this;
        if (session) {
            this.plot.setSnap(session.snap);
            this.plot.beats.choose(session.beats);
            this.plot.wasCustom = session.draft.warp.kind === "keyframes";
            store.begin({ ...session.draft, edit: this.edits.files.find(session.edit) });
            this.plot.setView(session.view);
            this.source.player.loop = session.loop;
            this.source.player.setMuted(session.isMuted);
        }
        if (!store.clip && store.media.length > 0) {
            store.begin(withMedia(store.draft, store.media[0].id));
        }
        const result = store.renders.find(({ id }) => id === session?.result)
            ?? store.renders.find(({ state, media }) => state === "finished" && media === store.draft.media);
        if (result?.state === "finished") {
            this.result.open(result);
            this.renders.markPlaying(result.id);
        }
    }

    #listenToServer() {
        const { store, result } = this;
        const connection = byId("connection");
        let timer = 0;
        listen({
            hello: async () => {
                store.forgetRemoved();
                await this.#fetchLists();
                this.#settleOwn();
                document.documentElement.dataset.listens = "true";
            },
            media: (media) => store.put("media", media),
            curves: () => this.curves.refresh(),
            render: (render) => this.#onRender(render),
            progress: (progress) => {
                result.rendering.progress(progress);
                this.renders.progress(progress);
            },
            preview: (preview) => result.rendering.preview(preview),
            removed: ({ kind, id }) => store.remove(kind === "media" ? "media" : "renders", id),
            returned: ({ kind, id }) => this.#bringBack(kind === "media" ? "media" : "renders", id),
        }, (isThere) => {
            clearTimeout(timer);
            connection.textContent = isThere ? "Connected again" : LOST;
            connection.classList.toggle("lost", !isThere);
            if (!isThere) api.session();
            else timer = setTimeout(() => {
                connection.textContent = "";
            }, BACK);
        });
    }

    /** Shows an item again that was brought back, here or in another tab. */
    async #bringBack(/** @type {"media" | "renders"} */ kind, /** @type {string} */ id) {
        const isClip = kind === "media";
        const answer = await (isClip ? api.media(id) : api.render(id));
        if (answer.ok) this.store.bringBack(kind, answer.value);
        // The list gives it its old place.
        await (isClip ? this.#fetchList("media", api.listMedia) : this.#fetchList("renders", api.listRenders));
    }

    /** Looks after this tab's renders that have ended while it wasn't listening. */
    #settleOwn() {
        const { own } = this.acts;
        for (const id of own.all) {
            const render = this.store.renders.find((each) => each.id === id);
            const hasEnded = !["queued", "running"].includes(render?.state ?? "");
            if (hasEnded) own.delete(id);
            if (render?.state === "finished") this.#openResult(render, false);
        }
    }

    #onRender(/** @type {Render} */ render) {
        const { store, result, acts } = this;
        const before = store.renders.find(({ id }) => id === render.id)?.state;
        store.put("renders", render);
        if (before === render.state) return;
        if (render.state === "failed") announce(`${render.name} failed. ${render.error ?? ""}`);
        if (render.state === "cancelled") announce(`${render.name} was cancelled.`);
        if (render.state !== "finished") return;
        announce(`${render.name} is finished.`);
        const isOwn = acts.own.delete(render.id);
        const { isPlaying } = result.player;
        // A sample that plays goes on as the one that replaces it.
        if (isOwn && !isPlaying) this.#present(render);
        else if (isOwn && result.render && isReplaced(result.render, render)) this.#present(render, true);
        else if (!result.render) this.#openResult(render, false);
    }
}

/** Locks the page, because it was opened without its token, or another studio uses the address now. */
function lock() {
    byId("locked").hidden = false;
    byId("locked-text").textContent = NOT_ALLOWED;
    for (const each of document.querySelectorAll(".top, .workbench, .skip")) each.setAttribute("inert", "");
}

/** Starts once the server has said what the program can do: without that, nothing can be shown. */
async function start() {
    const told = await api.capabilities();
    if (told.ok) {
        setCapabilities(told.value);
        byId("connection").textContent = "";
        new Studio().start();
    } else if (told.error.status === 401 || told.error.status === 403) {
        lock();
    } else {
        byId("connection").textContent = LOST;
        setTimeout(start, RETRY);
    }
}

start();
