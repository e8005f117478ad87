// What the program can do, as far as the modules need it in their tests.

import { setCapabilities } from "../../../Sources/Pages/studio/app/capabilities.js";

const choices = (...names) => names.map((name) => ({ name, title: name }));

/** A sound mode in some tasks. */
const mode = (name, ...tasks) => (
    { name, title: name, hints: Object.fromEntries(tasks.map((task) => [task, `${name} in ${task}`])) });

setCapabilities({
    containers: [
        { name: "mp4", title: "MP4", videoCodecs: ["h264", "hevc", "av1", "vp9"], audioCodecs: ["aac", "opus", "flac"] },
        { name: "mov", title: "QuickTime", videoCodecs: ["h264", "prores"], audioCodecs: ["aac", "pcm"] },
        { name: "mkv", title: "Matroska", videoCodecs: ["h264", "hevc", "ffv1"], audioCodecs: ["opus", "aac", "pcm"] },
        { name: "webm", title: "WebM", videoCodecs: ["vp9", "av1"], audioCodecs: ["opus"] },
        { name: "gif", title: "GIF", videoCodecs: ["gif"], audioCodecs: [] },
    ],
    codecs: choices("h264", "hevc", "av1", "vp9", "prores", "ffv1", "gif", "aac", "opus", "flac", "pcm"),
    soundModes: [
        mode("varispeed", "warp", "scale", "stretch", "reverse"), mode("keep-pitch", "warp", "scale", "stretch"),
        mode("keep", "warp", "scale", "reverse"), mode("mute", "warp", "scale", "reverse"),
    ],
    frames: choices("hold", "blend", "motion"), tunes: choices("music", "speech"),
    easings: choices("linear", "smooth", "hold", "bezier"), formats: choices("fcpxml", "otio"), curves: [], ramps: [],
});
