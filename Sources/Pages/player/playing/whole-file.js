// Makes an ordinary MP4 file of a segment's fragments (ISO/IEC 14496-12), for browsers without Media Source.
//
// Browsers disagree about files of fragments: where their time begins, how long they are, and how exactly they
// seek. An ordinary file has one table of all samples, so all agree: its time 0 is the segment's first frame.
//
//   init      moov{ trak, trak, mvex }         file   ftyp moov{ trak, trak } mdat
//   fragment  moof{ traf, traf } mdat    ──▶               tables of samples ──▶ the fragments' samples

import { inside, perhapsInside, runsOf, tracksOf, viewOf, whole } from "./samples.js";

/** @typedef {import("../types.js").Box} Box */
/** @typedef {import("../types.js").Track} Track */
/** @typedef {{ track: Track, samples: import("../types.js").Sample[], size: number, place: number }} Run */
/** @typedef {Track & { runs: Run[] }} FullTrack */
/** @typedef {{ fragments: Uint8Array[], start: number, seconds: number }} FilePart */

/**
 * The sound of fragments begins before their first frame, and ends after the last. In a file, only this many samples come
 * before, to prepare the decoder: WebKitGTK ends a file too early by what comes before, and Firefox waits at the start
 * of a file whose sound is longer than its frames.
 */
const PRIMING = 2 * 1024;

const bytesOfWord = (/** @type {number} */ word) => [word >>> 24, word >>> 16 & 255, word >>> 8 & 255, word & 255];

/** @type {(kind: string, ...content: Uint8Array[]) => Uint8Array} a box with this content */
function box(kind, ...content) {
    const size = content.reduce((sum, { length }) => sum + length, 8);
    const bytes = new Uint8Array(size);
    bytes.set([...bytesOfWord(size), ...[...kind].map((letter) => letter.charCodeAt(0))]);
    let place = 8;
    for (const each of content) {
        bytes.set(each, place);
        place += each.length;
    }
    return bytes;
}

/** @type {(kind: string, words: number[]) => Uint8Array} a box of 32-bit words, after its version and flags */
function wordsBox(kind, words) {
    const bytes = new Uint8Array(4 * words.length + 4);
    const view = viewOf(bytes);
    words.forEach((word, index) => view.setUint32(4 * index + 4, word));
    return box(kind, bytes);
}

/**
 * A copy of a box of the initialisation segment, with another 32-bit word in its content.
 * @type {(init: Uint8Array, box: Box, offset: number, word: number) => Uint8Array}
 */
function changed(init, { place, end }, offset, word) {
    const bytes = init.slice(place, end);
    viewOf(bytes).setUint32(8 + offset, Math.round(word));
    return bytes;
}

/** @type {(values: number[]) => number[]} the number of runs of equal values, and the count and value of each run */
function counted(values) {
    /** @type {number[][]} */
    const runs = [];
    for (const value of values) {
        const last = runs.at(-1);
        if (last?.[1] === value) last[0] += 1;
        else runs.push([1, value]);
    }
    return [runs.length, ...runs.flat()];
}

/** @type {(init: Uint8Array, track: FullTrack) => Uint8Array} */
function sampleTables(init, track) {
    const samples = track.runs.flatMap((run) => run.samples);
    const durations = samples.map(({ time, duration }, index) =>
        (samples[index + 1] ? samples[index + 1].time - time : duration));
    const sync = samples.flatMap(({ isSync }, index) => (isSync ? [index + 1] : []));
    const stsd = inside(init, track.trak, "mdia", "minf", "stbl", "stsd");
    return box("stbl",
        init.subarray(stsd.place, stsd.end),
        wordsBox("stts", counted(durations)),
        ...track.isVideo ? [
            wordsBox("ctts", counted(samples.map(({ offset }) => offset))),
            wordsBox("stss", [sync.length, ...sync]),
        ] : [],
        wordsBox("stsc", [track.runs.length,
            ...track.runs.flatMap((run, index) => [index + 1, run.samples.length, 1])]),
        wordsBox("stsz", [0, samples.length, ...samples.map(({ size }) => size)]),
        wordsBox("stco", [track.runs.length, ...track.runs.map(({ place }) => place)]));
}

/**
 * @param {Uint8Array} init
 * @param {FullTrack} track
 * @param {number} seconds when the track's presentation ends
 * @param {number} clock the movie's time scale
 */
function trackBox(init, track, seconds, clock) {
    const { trak, timescale } = track;
    const copied = (/** @type {string[]} */ ...path) => {
        const found = perhapsInside(init, trak, ...path);
        return found ? [init.subarray(found.place, found.end)] : [];
    };
    // Decoding begins before the first presentation. The edit begins with the first frame.
    const edit = [1, Math.round(seconds * clock), -track.runs[0].samples[0].time, 0x10000];
    return box("trak",
        changed(init, inside(init, trak, "tkhd"), 20, seconds * clock),
        box("edts", wordsBox("elst", edit)),
        box("mdia",
            changed(init, inside(init, trak, "mdia", "mdhd"), 16, seconds * timescale),
            ...copied("mdia", "hdlr"),
            box("minf",
                ...copied("mdia", "minf", "vmhd"), ...copied("mdia", "minf", "smhd"),
                ...copied("mdia", "minf", "dinf"), sampleTables(init, track))));
}

/**
 * The runs of samples of one part, whose times count from the file's first frame.
 * @type {(tracks: Track[], part: FilePart, times: [base: number, end: number]) => Generator<Run>}
 */
function* runsOfPart(tracks, { fragments, start }, [base, end]) {
    for (const fragment of fragments) {
        for (const { track, samples } of runsOf(fragment, tracks)) {
            const origin = Math.round((start - base) * track.timescale);
            const lead = base === 0 ? PRIMING : 0;
            const kept = samples.map((sample) => ({ ...sample, time: sample.time - origin }))
                .filter(({ time }) => track.isVideo
                    || (time >= base * track.timescale - lead && time < end * track.timescale));
            const size = kept.reduce((sum, each) => sum + each.size, 0);
            if (kept.length > 0) yield { track, samples: kept, size, place: 0 };
        }
    }
}

/**
 * A file that plays the parts one after the other.
 *
 * @param {Uint8Array} init the bytes of the initialisation segment
 * @param {FilePart[]} parts the fragments' bytes, the time of the first frame in them, and the duration of the frames
 */
export function wholeFile(init, parts) {
    const bare = tracksOf(init);
    /** @type {Run[]} */
    const runs = [];
    let base = 0;
    for (const part of parts) {
        const end = base + part.seconds;
        runs.push(...runsOfPart(bare, part, [base, end]));
        base = end;
    }
    const tracks = bare.map((track) => ({ ...track, runs: runs.filter((run) => run.track === track) }));
    const ftyp = inside(init, whole(init), "ftyp");
    const fileType = init.subarray(ftyp.place, ftyp.end);
    // The length of the tables doesn't depend on the places in them.
    const first = fileType.length + movieBox(init, tracks, base).length + 8;
    let place = first;
    for (const run of runs) {
        run.place = place;
        place += run.size;
    }
    const mdat = [...bytesOfWord(place - first + 8), 0x6d, 0x64, 0x61, 0x74];
    const data = runs.flatMap(({ samples }) => samples.map(({ bytes }) => bytes));
    return new Blob(
        [fileType, movieBox(init, tracks, base), new Uint8Array(mdat), ...data], { type: "video/mp4" });
}

/** @type {(init: Uint8Array, tracks: FullTrack[], seconds: number) => Uint8Array} */
function movieBox(init, tracks, seconds) {
    const mvhd = inside(init, whole(init), "moov", "mvhd");
    const clock = viewOf(init).getUint32(mvhd.content + 12);
    return box("moov", changed(init, mvhd, 16, seconds * clock),
        ...tracks.map((track) => trackBox(init, track, seconds, clock)));
}
