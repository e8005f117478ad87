// The edit: clips with curves of their own in a row, which together are a clip for one curve over all.

import { capabilities } from "../app/capabilities.js";
import { announce } from "../../shared/elements/announce.js";
import { api } from "../../shared/api.js";
import { byId } from "../../shared/elements/dom.js";
import {
    clipOf, retimingText, totalOf, withChange, withClip, withMoved, withoutClip, withoutSound, withSound, withSoundChange,
    withSoundMoved, withSoundTrim, withTrim,
} from "./edit-draft.js";
import { EditFiles } from "./edit-files.js";
import { EditSounds } from "./edit-sounds.js";
import { EditTrack } from "./edit-track.js";
import { EditTrim } from "./edit-trim.js";
import { createText, createTime, setShown } from "../../shared/elements/fields.js";
import { CLIP } from "../app/media-list.js";
import { createNotice } from "../../shared/elements/notice.js";
import { onDrag } from "../../shared/elements/plot-drag.js";
import { posterOf } from "../../shared/elements/poster.js";
import { clamped } from "../../shared/numbers.js";
import { isUntouched } from "../app/draft.js";
import { mediaOf, taskOf, withSegment } from "../app/job.js";
import { showReport } from "../../shared/elements/report.js";
import { saveText } from "../../shared/elements/save-text.js";
import { timeText } from "../../shared/plot-format.js";
import { lengthText } from "../../shared/times.js";
import { draw, view } from "../../shared/elements/view.js";
import { timeTicks } from "../plot/plot-scales.js";

/** How far apart the times above the clips are at least, in pixels. */
const LABEL = 64;

/**
 * @typedef {import("./types").Edit} Edit
 * @typedef {import("./types").EditClip} EditClip
 * @typedef {import("./types").OpenEdit} OpenEdit
 */

const NORMAL = { curve: "constant", factor: 1 };
/** The range of gains, in dB. */
const SILENCE = -96, LOUDEST = 24;
/** Frames a second of clips without video. */
const NO_FRAMES = 30;

export class EditPanel {
    /** @type {number | null} */
    #selected = null;
    /** @type {number | null} */
    #selectedSound = null;
    #isAdding = false;
    /** Which place of the source player's clip plays. */
    #place = 0;
    #say = createNotice("error-edit");

    /**
     * @param {import("../app/store.js").Store} store
     * @param {{ seek: (seconds: number, isFinal: boolean) => void, play: () => void }} acts what the source player does, in
     *     which the edit is the clip then
     */
    constructor(store, acts) {
        this.store = store;
        this.files = new EditFiles(store, {
            onList: () => this.show(),
            onEdit: (edit) => this.#set({ ...edit, selected: this.#selected, selectedSound: this.#selectedSound }),
            onNote: (text) => this.#note(text),
            onFailure: (text, isConflict) => this.#fail(text, isConflict),
        });
        const media = (/** @type {string} */ id) => store.media.find((each) => each.id === id);
        const rateOf = (/** @type {string | undefined} */ id) => media(id ?? "")?.video?.frameRate || NO_FRAMES;
        const chosen = () => (this.#chosen ?? this.#chosenSound)?.clip;
        const frameRate = () => rateOf(chosen()?.segment.media), whole = () => chosen()?.whole ?? 0;
        const length = () => {
            const clip = chosen();
            return clip ? clip.end - clip.start : 0;
        };
        const trim = new EditTrim();
        this.track = new EditTrack(byId("edit-track"), {
            frameOf: (id) => 1 / rateOf(id),
            posterOf: (id) => posterOf(media(id)),
            onEdit: (edit, how) => this.#set(edit, how),
            onTrim: (at) => at ? trim.show(media(at.clip.segment.media), at) : trim.hide(),
            onSelect: (selected) => this.edit && this.#set({ ...this.edit, selected }),
            onRemove: (index) => this.#remove(index),
            onScale: () => this.show(),
        });
        this.sounds = new EditSounds(byId("edit-sounds"), {
            onEdit: (edit, how) => this.#set(edit, how),
            onSelect: (index) => this.edit && this.#set({ ...this.edit, selected: null, selectedSound: index }),
            onRemove: (index) => this.#removeSound(index),
            waveformOf: async (id) => {
                const answer = await api.waveform(id);
                return answer.ok ? answer.value : null;
            },
        });
        const ruler = byId("edit-ruler");
        onDrag(ruler, {
            atOnce: true,
            begin: () => ({ place: 0 }),
            move: (drag, { clientX }) => {
                const place = (clientX - ruler.getBoundingClientRect().left) / this.track.scale;
                drag.place = clamped(place, 0, this.edit ? totalOf(this.edit) : 0);
                acts.seek(drag.place, false);
            },
            end: ({ place }) => acts.seek(place, true),
            cancel: ({ place }) => acts.seek(place, true),
        });
        const lanes = byId("edit-lanes");
        lanes.addEventListener("dragover", (event) => event.dataTransfer?.types.includes(CLIP) && event.preventDefault());
        lanes.addEventListener("drop", (event) => {
            const id = event.dataTransfer?.getData(CLIP);
            if (!id) return;
            event.preventDefault();
            const place = this.track.placeAt(event.clientX);
            store.choose(id);
            this.add(place);
        });
        this.fields = {
            name: createText("edit-name", (name, how) => this.edit && this.#set({ ...this.edit, name }, how)),
            start: createTime("edit-start", (start) => this.#trim({ start }), frameRate, whole),
            end: createTime("edit-end", (end) => this.#trim({ end }), frameRate, whole),
            dissolve: createTime("edit-dissolve", (dissolve) => this.#change({ dissolve }), frameRate, length),
            fadeOut: createTime("edit-fade-out", (fadeOut) => this.#change({ fadeOut }), frameRate, length),
            at: createTime("edit-at", (at) => {
                const sound = this.#chosenSound;
                if (sound) this.#set(withSoundMoved(sound.edit, sound.index, at));
            }, frameRate, () => (this.edit ? totalOf(this.edit) : 0)),
            gain: createText("edit-gain", (text, { final }) => {
                const plain = text.replace(/\s*dB$/i, "").replace("−", "-").trim();
                const gain = /^(mute|off|-inf|-∞)$/i.test(plain) ? SILENCE : Number(plain);
                const isGain = plain !== "" && gain >= SILENCE && gain <= LOUDEST;
                byId("edit-gain").setAttribute("aria-invalid", String(!isGain && !final));
                if (!isGain) return `A gain from ${SILENCE} to ${LOUDEST} dB, or "mute".`;
                if (final) this.#change({ gain });
            }),
        };
        byId("edit-format").append(...capabilities.formats.map(({ name }) => new Option(`.${name}`, name)));
        /** @type {[keyof import("../../shared/elements").Elements, () => unknown][]} */
        const buttons = [
            ["add-to-edit", () => this.add()], ["open-edit", () => store.clip && this.open(store.clip.id)],
            ["edit-close", () => this.#close()], ["edit-use", () => this.#use()],
            ["edit-play", async () => {
                await this.#use();
                if (this.#isClip) acts.play();
            }],
            ["edit-left", () => this.#move(-1)], ["edit-right", () => this.#move(1)],
            ["edit-remove", () => {
                const chosen = this.#chosen, sound = this.#chosenSound;
                if (sound) this.#removeSound(sound.index);
                else if (chosen) this.#remove(chosen.index);
            }],
            ["edit-load", () => this.#load()], ["edit-update", () => this.#update()],
            ["edit-export", () => this.#export()], ["edit-take", () => this.edit && this.open(this.edit.id)],
            ["edit-keep", () => this.edit && this.files.keep(this.edit)],
        ];
        for (const [id, act] of buttons) byId(id).addEventListener("click", act);
        store.on("draft", () => this.show());
        store.on("media", () => this.show());
        store.on("evaluation", () => this.show());
        this.show();
    }

    /** The edit of the draft, with the place of the selected clip, which isn't a part of the draft. */
    get edit() {
        const { edit } = this.store.draft;
        if (!edit) return null;
        const isThere = this.#selected !== null && this.#selected < edit.clips.length;
        const { sounds = [] } = edit;
        const hasSound = this.#selectedSound !== null && this.#selectedSound < sounds.length;
        return {
            ...edit, sounds, selected: isThere ? this.#selected : null, selectedSound: hasSound ? this.#selectedSound : null,
        };
    }

    /** Whether the open edit is the clip, with one curve over all of it. */
    get #isClip() {
        const { edit, media } = this.store.draft;
        return edit !== null && edit.id === media;
    }

    /** The selected sound; null if none is selected. */
    get #chosenSound() {
        const { edit } = this;
        return edit?.selectedSound == null ? null
            : { edit, index: edit.selectedSound, clip: edit.sounds[edit.selectedSound] };
    }

    /** The selected clip, and its place in the edit; null if none is selected. */
    get #chosen() {
        const { edit } = this;
        return edit && edit.selected !== null ? { edit, index: edit.selected, clip: edit.clips[edit.selected] } : null;
    }

    /** @param {Edit & Partial<OpenEdit> | null} edit @param {import("../types").How} [how] */
    #set(edit, how) {
        this.#selected = edit?.selected ?? null;
        this.#selectedSound = this.#selected === null ? edit?.selectedSound ?? null : null;
        const kept = edit && { id: edit.id, name: edit.name, clips: edit.clips, sounds: edit.sounds };
        this.store.edit((draft) => ({ ...draft, edit: kept }), how);
        this.show();
    }

    // Acts

    /** The clip of the source player as it was evaluated last; null if there is none, or its curve can't be used. */
    #evaluated() {
        const { clip, evaluation, evaluated, error } = this.store;
        if (!clip || !evaluation || !evaluated || error || mediaOf(evaluated) !== clip.id) return null;
        const { rate = "source" } = evaluated.job.video ?? {};
        return clipOf(evaluation.segment, clip.name, evaluation.outputDuration, String(rate));
    }

    /** The clip as it is retimed now, with its length. */
    async #present() {
        await this.store.settled();
        return this.#evaluated();
    }

    /**
     * Adds the clip with its curve, range and all to the edit; makes an edit if none is open.
     * @param {number} [place] among the clips; else after the selected one, or at the end
     */
    async add(place) {
        const clip = await this.#present();
        const { evaluated } = this.store;
        const isStretched = evaluated !== null && taskOf(evaluated.job) === "stretch";
        const isSound = isStretched || (clip !== null && !this.store.clip?.video);
        const { to, reference } = this.store.draft.stretch;
        // Sound that was brought in line with a picture goes onto it.
        const picture = isStretched && to === "match"
            ? this.store.media.find(({ id, video }) => id === reference && video) : null;
        const hasPlace = !isSound || Boolean(this.edit ?? picture);
        if (!clip || !hasPlace || clip.segment.media === this.edit?.id) {
            this.#fail(!clip ? "Choose a clip first, with a curve that can be used."
                : !hasPlace ? "A sound is added to an edit: open one, or begin one with a clip that has video."
                    : "An edit can't contain itself: choose one of its clips, or another one.");
            return;
        }
        if (isSound) {
            const edit = this.edit ?? (picture && await this.#makeOfPicture(picture));
            if (!edit) return;
            // Music isn't to be warped by the curve with which the page begins.
            const isPlain = !isStretched && isUntouched(this.store.draft);
            const { media } = clip.segment, { duration = clip.whole } = this.store.clip ?? {};
            this.#set(withSound(edit, isPlain ? clipOf({ media, speed: 1 }, clip.name, duration) : clip));
        } else if (this.edit) {
            const edit = withClip(this.edit, clip);
            this.#set(place === undefined ? edit : withMoved(edit, edit.selected ?? 0, place));
        } else if (!await this.#make(clip)) {
            return;
        }
        byId("edit-panel").scrollIntoView({ block: "nearest" });
        announce(`${clip.name} was added to the edit.`);
    }

    /** Puts the sound that was matched onto the picture of the other recording, in a new edit. */
    putOnPicture() {
        this.#close();
        return this.add();
    }

    /** Makes an edit of a clip without its own sound; null if that failed. */
    async #makeOfPicture(/** @type {import("../../shared/types").Media} */ { id, name, duration }) {
        const clip = { ...clipOf({ media: id, speed: 1 }, name, duration), gain: SILENCE };
        return await this.#make(clip) ? this.edit : null;
    }

    /** Makes an edit of a clip. @returns whether it was made */
    async #make(/** @type {EditClip} */ clip) {
        if (this.#isAdding) return false;
        this.#isAdding = true;
        const { files } = this;
        const edit = await files.make(withClip({ id: "", name: files.freeName, clips: [], sounds: [], selected: null }, clip));
        this.#isAdding = false;
        if (edit) this.#set(edit);
        return edit !== null;
    }

    /** Opens an edit's track. */
    async open(/** @type {string} */ id) {
        const edit = await this.files.open(id);
        if (!edit) return;
        this.#set(edit);
        announce(`${edit.name} is open.`);
    }

    #close() {
        this.files.saver.flush();
        showReport("edit-report", null);
        this.#set(null);
    }

    #change(/** @type {Partial<EditClip>} */ change) {
        const chosen = this.#chosen, sound = this.#chosenSound;
        if (sound) this.#set(withSoundChange(sound.edit, sound.index, change));
        else if (chosen) this.#set(withChange(chosen.edit, chosen.index, change));
    }

    #trim(/** @type {{ start?: number, end?: number }} */ to) {
        const chosen = this.#chosen, sound = this.#chosenSound;
        if (chosen) this.#set(withTrim(chosen.edit, chosen.index, to));
        if (!sound) return;
        const side = to.start === undefined ? "end" : "start";
        this.#set(withSoundTrim(sound.edit, sound.index, side, to[side] ?? 0));
    }

    #move(/** @type {number} */ by) {
        const chosen = this.#chosen;
        if (!chosen) return;
        const edit = withMoved(chosen.edit, chosen.index, chosen.index + by);
        this.#set(edit);
        announce(`Clip ${Number(edit.selected) + 1} of ${edit.clips.length}.`);
    }

    #remove(/** @type {number} */ index) {
        if (!this.edit) return;
        const { name } = this.edit.clips[index];
        const edit = withoutClip(this.edit, index);
        this.#set(edit.clips.length > 0 ? edit : null);
        if (edit.selected !== null) this.track.focus(edit.selected);
        announce(`${name} was taken out of the edit. Undo brings it back.`);
    }

    #removeSound(/** @type {number} */ index) {
        if (!this.edit) return;
        const { name } = this.edit.sounds[index];
        this.#set(withoutSound(this.edit, index));
        announce(`${name} was taken out of the edit. Undo brings it back.`);
    }

    /** Puts the selected clip with its curve into the source player. */
    #load() {
        const clip = this.#chosen?.clip;
        if (!clip) return;
        const { segment, name } = clip;
        this.store.edit((draft) => withSegment(draft, segment));
        announce(`${name} is in the source player. Change its curve, then press Update.`);
    }

    /** Gives the selected clip what is set now. */
    async #update() {
        const clip = await this.#present();
        const chosen = this.#chosen;
        if (!clip || !chosen) return;
        const { start, end, whole, dissolve } = chosen.clip;
        const isWhole = start === 0 && end === whole;
        const scale = clip.whole / whole;
        this.#change({ ...clip, dissolve, ...isWhole ? {} : { start: start * scale, end: end * scale } });
        announce(`Clip ${chosen.index + 1} was updated.`);
    }

    /** Makes the edit the source, with the curve over all that it had there, or at normal speed. */
    async #use() {
        if (!await this.files.isSaved() || !this.edit) return;
        const { edit: { id, name }, store: { draft } } = this;
        this.store.choose(id, id in draft.others ? undefined : withSegment(draft, { media: id, warp: NORMAL }));
        announce(`${name} is the clip now: the curve applies to all of it.`);
    }

    async #export() {
        if (!await this.files.isSaved() || !this.edit) return;
        const answer = await api.editFile(this.edit.id, byId("edit-format").value);
        this.#fail(answer.ok ? "" : answer.error.message);
        if (!answer.ok) return;
        saveText(answer.value.name, answer.value.content);
        showReport("edit-report", answer.value);
    }

    // Messages

    #note(/** @type {string} */ text) {
        byId("edit-note").textContent = text;
    }

    /** @param {string} text @param {boolean} [isConflict] whether another tab has changed the edit */
    #fail(text, isConflict = false) {
        this.#say(text);
        setShown("edit-conflict", isConflict);
        setShown("edit-panel", this.edit !== null || text !== "");
    }

    // Showing

    show() {
        const { edit, store } = this;
        const { clip } = store;
        setShown("open-edit", Boolean(clip && this.files.has(clip.id) && edit?.id !== clip.id));
        byId("add-to-edit").setAttribute("aria-disabled", String(this.#evaluated() === null));
        setShown("edit-panel", edit !== null || byId("error-edit").textContent !== "");
        setShown("edit-body", edit !== null);
        if (!edit) return;
        this.fields.name(edit.name);
        byId("edit-length").textContent = lengthText(totalOf(edit));
        byId("edit-use").setAttribute("aria-pressed", String(this.#isClip));
        this.track.show(edit);
        this.sounds.show(edit, this.track.scale);
        this.#showRuler(totalOf(edit));
        this.showPlace();
        this.#showSelected();
        this.files.saver.want(edit);
    }

    /** Shows the times above the clips, if the edit is the clip. */
    #showRuler(/** @type {number} */ total) {
        const ruler = byId("edit-ruler"), { scale } = this.track;
        setShown("edit-ruler", this.#isClip);
        const ticks = timeTicks(0, total, Math.max(1, total * scale / LABEL));
        ruler.style.setProperty("--step", `${(ticks[1] ?? total) * scale}px`);
        // A label is right of its line, and none reaches beyond the end.
        draw(ruler, ...ticks.filter((time) => (total - time) * scale > LABEL / 2)
            .map((time) => view("span", { style: `left: ${time * scale}px` }, timeText(time))));
    }

    /** Shows which place of the edit plays, if the edit is the clip. */
    showPlace(place = this.#place) {
        this.#place = place;
        setShown("edit-playhead", this.#isClip);
        if (this.#isClip) byId("edit-playhead").style.translate = `${place * this.track.scale}px`;
    }

    #showSelected() {
        const sound = this.#chosenSound;
        const chosen = this.#chosen ?? sound;
        setShown("edit-tools", chosen !== null);
        if (!chosen) return;
        const { edit, index, clip } = chosen;
        byId("edit-which").textContent = `${sound ? "Sound" : "Clip"} ${index + 1}`;
        for (const name of /** @type {const} */ (["start", "end", "dissolve", "fadeOut", "at"])) this.fields[name](clip[name]);
        this.fields.gain(clip.gain === SILENCE ? "mute" : `${clip.gain} dB`);
        byId("edit-dissolve-name").textContent = sound ? "Fade in" : "Dissolve";
        setShown("edit-dissolve-pair", sound !== null || index > 0);
        for (const id of /** @type {const} */ (["edit-at-pair", "edit-fade-out-pair"])) setShown(id, sound !== null);
        for (const id of /** @type {const} */ (["edit-left", "edit-right", "edit-load", "edit-update"])) setShown(id, !sound);
        if (sound) return;
        byId("edit-left").setAttribute("aria-disabled", String(index === 0));
        byId("edit-right").setAttribute("aria-disabled", String(index === edit.clips.length - 1));
        const isOnBench = this.store.draft.media === clip.segment.media;
        const present = this.#evaluated();
        const isSame = present !== null && retimingText(present) === retimingText(clip);
        setShown("edit-load", !isOnBench || !isSame);
        setShown("edit-update", isOnBench && !isSame);
    }
}
