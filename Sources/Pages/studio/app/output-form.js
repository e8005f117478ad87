// The settings of video, sound, and the output file.

import { byId } from "../../shared/elements/dom.js";
import { createChoice, createMenu, createText, setShown } from "../../shared/elements/fields.js";
import { rateText } from "../../shared/format-numbers.js";
import { CONTAINERS, soundModes, withContainer } from "./draft.js";

const NAMES = {
    mp4: "MP4", mov: "QuickTime", mkv: "Matroska", webm: "WebM", gif: "GIF",
    h264: "H.264", hevc: "HEVC", av1: "AV1", vp9: "VP9", prores: "ProRes", ffv1: "FFV1",
    aac: "AAC", opus: "Opus", mp3: "MP3", flac: "FLAC", pcm: "PCM",
};

const SOUND_HINTS = {
    varispeed: "Pitch follows speed, as on a tape: at half speed a voice is an octave lower.",
    "keep-pitch": "Pitch doesn't change: at half speed a voice talks slowly with its own tone.",
    keep: "Sound keeps its original speed: music plays on while the picture slows down. The preview is silent.",
    mute: "No sound, for a clip that gets other music.",
};

const REVERSED_HINTS = {
    varispeed: "Sound plays backwards: an echo comes before its call.",
    keep: "Sound plays forwards: a voice stays clear while the picture goes back.",
};

const STRETCHED_HINTS = {
    varispeed: "Pitch changes with the length, as with a slow clock: 1 % longer is a sixth of a semitone lower.",
    "keep-pitch": "Pitch doesn't change: a concert stays in tune, however much longer it gets.",
};

const TUNE_HINTS = {
    music: "Right for music, and for anything mixed: chords stay steady.",
    speech: "One voice alone stays clearer, such as an interview; chords waver.",
};

const FRAMES_HINTS = {
    hold: "Slow motion repeats frames: at half speed each is shown twice. Right for animation and screen recordings.",
    blend: "Slow motion mixes neighbouring frames: at half speed every other one is half of each, softly doubled. The preview repeats frames.",
    motion: "Slow motion gets new frames, made from motion: at quarter speed a ball is seen at three more places of its path. Best without much blur. The preview repeats frames; Sample makes two seconds of new ones.",
};

const RATE_HINTS = {
    any: "Every source frame once, at exactly its new time (variable frame rate).",
    source: "The frame rate of the clip.",
};

/** @param {import("./store.js").Store} store */
export function createOutputForm(store) {
    const video = (change, how) => store.edit({ video: change }, how);
    const sound = (change, how) => store.edit({ sound: change }, how);
    const shows = {
        rate: createChoice("rate", (rate) => video({ rate })),
        frames: createChoice("frames", (frames) => video({ frames })),
        mode: createChoice("sound-mode", (mode) => sound({ mode })),
        tune: createChoice("tune", (tune) => sound({ tune })),
        container: createMenu("container",
            (container) => store.edit((draft) => withContainer(draft, container))),
        videoCodec: createMenu("video-codec", (codec) => video({ codec: codec || null })),
        audioCodec: createMenu("audio-codec", (codec) => sound({ codec: codec || null })),
        quality: createText("quality",
            (text, how) => video({ quality: text === "" ? null : Number(text) }, how)),
        preset: createText("preset", (text, how) => video({ preset: text.trim() || null }, how)),
        bitRate: createText("bit-rate",
            (text, how) => sound({ bitRate: text === "" ? null : 1000 * Number(text) }, how)),
    };
    const show = () => {
        const { draft } = store;
        showVideo(store, shows);
        showSound(store, shows);
        const { video, audio } = CONTAINERS[draft.container];
        const named = (codecs) => [
            ["", codecs.length > 0 ? `Default (${NAMES[codecs[0]]})` : "None"], ...codecs.map((codec) => [codec, NAMES[codec]])];
        shows.container(draft.container, Object.keys(CONTAINERS).map((each) => [each, NAMES[each]]));
        shows.videoCodec(draft.video.codec ?? "", named(video));
        shows.audioCodec(draft.sound.codec ?? "", named(audio));
        shows.quality(String(draft.video.quality ?? ""));
        shows.preset(draft.video.preset ?? "");
        shows.bitRate(draft.sound.bitRate ? String(draft.sound.bitRate / 1000) : "");
        byId("output-summary").textContent = [
            NAMES[draft.container], NAMES[draft.video.codec ?? video[0]],
            NAMES[draft.sound.codec ?? audio[0]] ?? "no sound",
        ].join(", ");
    };
    store.on("draft", show);
    store.on("media", show);
    show();
}

function showVideo({ draft, clip }, shows) {
    const hasVideo = !clip || Boolean(clip.video);
    const isStretch = draft.task === "stretch";
    shows.rate(draft.video.rate);
    shows.frames(draft.video.frames);
    const { rate } = draft.video;
    byId("rate-hint").textContent = rate === "source" && clip?.video
        ? `The clip has ${rateText(clip.video.frameRate)}.` : RATE_HINTS[rate] ?? "";
    setShown("video-group", !isStretch);
    setShown("no-video", !hasVideo);
    // If every source frame is written once, there are no frames in between.
    byId("frames-hint").textContent = rate === "any" ? "" : FRAMES_HINTS[draft.video.frames];
    byId("frames").disabled = rate === "any";
    for (const id of ["rate", "rate-hint", "frames", "frames-hint"]) setShown(id, hasVideo);
}

function showSound({ draft, clip }, shows) {
    const hasSound = !clip || Boolean(clip.audio);
    const modes = soundModes(draft.task);
    const mode = modes.includes(draft.sound.mode) ? draft.sound.mode : "varispeed";
    shows.mode(mode);
    for (const radio of byId("sound-mode").querySelectorAll("input")) {
        radio.closest("label").hidden = !modes.includes(radio.value);
    }
    const hints = { reverse: REVERSED_HINTS, stretch: STRETCHED_HINTS }[draft.task] ?? {};
    byId("sound-hint").textContent = hints[mode] ?? SOUND_HINTS[mode];
    shows.tune(draft.sound.tune);
    byId("tune-hint").textContent = TUNE_HINTS[draft.sound.tune];
    setShown("no-sound", !hasSound);
    for (const id of ["sound-mode", "sound-hint"]) setShown(id, hasSound);
    for (const id of ["tune", "tune-hint"]) setShown(id, hasSound && mode === "keep-pitch");
}
