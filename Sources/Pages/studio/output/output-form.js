// The settings of video, sound, and the output file.

import { byId } from "../../shared/elements/dom.js";
import { createChoice, createMenu, createSwitch, createText, fillChoice, setShown } from "../../shared/elements/fields.js";
import { rateText } from "../../shared/format-numbers.js";
import { capabilities, named } from "../app/capabilities.js";
import { containerOf, soundModes, withContainer } from "../app/draft.js";

const VIDEO_FIELDS = /** @type {const} */ (["rate", "rate-hint", "frames", "frames-hint"]);
const SOUND_FIELDS = /** @type {const} */ (["sound-mode", "sound-hint"]);
const TUNE_FIELDS = /** @type {const} */ (["tune", "tune-hint", "freeze-switch"]);

/** @type {Record<string, string>} */
const RATE_HINTS = {
    any: "Every source frame once, at exactly its new time (variable frame rate).",
    source: "The frame rate of the clip.",
};

/**
 * @typedef {import("../types").Draft} Draft
 * @typedef {import("../types").How} How
 * @typedef {import("../app/store.js").Store} Store
 */

/** The title of a codec or container; its name if it has none. */
const titleOf = (/** @type {string} */ name) => (
    named(capabilities.containers, name) ?? named(capabilities.codecs, name))?.title ?? name;

/** @param {Store} store */
export function createOutputForm(store) {
    fillChoice("frames", capabilities.frames);
    fillChoice("sound-mode", capabilities.soundModes);
    fillChoice("tune", capabilities.tunes);
    /** @type {(change: Partial<Draft["video"]>, how?: How) => void} */
    const video = (change, how) => store.edit({ video: change }, how);
    /** @type {(change: Partial<Draft["sound"]>, how?: How) => void} */
    const sound = (change, how) => store.edit({ sound: change }, how);
    const shows = {
        rate: createChoice("rate", (rate) => video({ rate })),
        frames: createChoice("frames", (frames) => video({ frames })),
        skipRepeats: createSwitch("skip-repeats", (skipRepeats) => video({ skipRepeats })),
        shutter: createText("shutter", (text, how) => video({ shutter: text === "" ? null : Number(text) }, how)),
        freeze: createSwitch("freeze-sound", (isHeld) => sound({ freeze: isHeld ? "hold" : "silence" })),
        mode: createChoice("sound-mode", (mode) => sound({ mode })),
        tune: createChoice("tune", (tune) => sound({ tune })),
        container: createMenu("container",
            (container) => store.edit((draft) => withContainer(draft, container))),
        videoCodec: createMenu("video-codec", (codec) => video({ codec: codec || null })),
        audioCodec: createMenu("audio-codec", (codec) => sound({ codec: codec || null })),
        quality: createText("quality",
            (text, how) => video({ quality: text === "" ? null : Number(text) }, how)),
        smart: createSwitch("smart", (smart) => video({ smart })),
        preset: createText("preset", (text, how) => video({ preset: text.trim() || null }, how)),
        bitRate: createText("bit-rate",
            (text, how) => sound({ bitRate: text === "" ? null : 1000 * Number(text) }, how)),
    };
    const show = () => {
        const { draft } = store;
        showVideo(store, shows);
        showSound(store, shows);
        const { videoCodecs, audioCodecs } = containerOf(draft.container);
        /** @type {(codecs: string[]) => [string, string][]} */
        const options = (codecs) => [
            ["", codecs.length > 0 ? `Default (${titleOf(codecs[0])})` : "None"],
            ...codecs.map((codec) => /** @type {[string, string]} */ ([codec, titleOf(codec)]))];
        shows.container(draft.container, capabilities.containers.map(({ name, title }) => [name, title]));
        shows.videoCodec(draft.video.codec ?? "", options(videoCodecs));
        shows.audioCodec(draft.sound.codec ?? "", options(audioCodecs));
        shows.skipRepeats(draft.video.skipRepeats);
        shows.shutter(String(draft.video.shutter ?? ""));
        shows.freeze(draft.sound.freeze === "hold");
        shows.quality(String(draft.video.quality ?? ""));
        shows.smart(draft.video.smart);
        shows.preset(draft.video.preset ?? "");
        shows.bitRate(draft.sound.bitRate ? String(draft.sound.bitRate / 1000) : "");
        const [video, audio] = [draft.video.codec ?? videoCodecs[0], draft.sound.codec ?? audioCodecs[0]];
        byId("output-summary").textContent = [
            titleOf(draft.container), ...video ? [titleOf(video)] : [], audio ? titleOf(audio) : "no sound"].join(", ");
    };
    store.on("draft", show);
    store.on("media", show);
    show();
}

/** @type {(store: Store, shows: { rate: (rate: string) => void, frames: (frames: string) => void }) => void} */
const showVideo = ({ draft, clip }, shows) => {
    const hasVideo = !clip || Boolean(clip.video);
    const isStretch = draft.task === "stretch";
    shows.rate(draft.video.rate);
    shows.frames(draft.video.frames);
    const { rate } = draft.video;
    byId("rate-hint").textContent = rate === "source" && clip?.video?.frameRate
        ? `The clip has ${rateText(clip.video.frameRate)}.` : RATE_HINTS[rate] ?? "";
    setShown("video-group", !isStretch);
    setShown("no-video", !hasVideo);
    // If every source frame is written once, there are no frames in between.
    const frames = named(capabilities.frames, draft.video.frames);
    byId("frames-hint").textContent = rate === "any" ? "" : frames?.hint ?? "";
    byId("frames").disabled = rate === "any";
    for (const id of VIDEO_FIELDS) setShown(id, hasVideo);
    // At a variable rate no source frame is skipped.
    setShown("blur", hasVideo && rate !== "any");
    setShown("repeats-switch", draft.video.frames !== "hold");
};

/** @type {(store: Store, shows: { mode: (mode: string) => void, tune: (tune: string) => void }) => void} */
const showSound = ({ draft, clip }, shows) => {
    const hasSound = !clip || Boolean(clip.audio);
    const modes = soundModes(draft.task);
    const mode = modes.includes(draft.sound.mode) ? draft.sound.mode : "varispeed";
    shows.mode(mode);
    for (const radio of byId("sound-mode").querySelectorAll("input")) {
        radio.labels?.forEach((label) => {
            label.hidden = !modes.includes(radio.value);
        });
    }
    byId("sound-hint").textContent = named(capabilities.soundModes, mode)?.hints[draft.task] ?? "";
    shows.tune(draft.sound.tune);
    byId("tune-hint").textContent = named(capabilities.tunes, draft.sound.tune)?.hint ?? "";
    setShown("no-sound", !hasSound);
    for (const id of SOUND_FIELDS) setShown(id, hasSound);
    for (const id of TUNE_FIELDS) setShown(id, hasSound && mode === "keep-pitch");
};
