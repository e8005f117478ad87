// Reads the tables of samples in the boxes of fragments (ISO/IEC 14496-12).

import { boxAt, damaged } from "./fragments.js";

/** @typedef {import("../types.js").Box} Box */
/** @typedef {import("../types.js").Sample} Sample */
/** @typedef {import("../types.js").Track} Track */

const NOT_SYNC = 0x10000;

/** @type {(bytes: Uint8Array, box: Box) => Generator<Box>} the boxes inside of a box */
function* boxes(bytes, { content, end }) {
    for (let place = content; place < end;) {
        const { kind, size } = boxAt(bytes, place) ?? damaged();
        yield { kind, place, content: place + 8, end: place + size };
        place += size;
    }
}

/**
 * The first box at a path of types inside of a box; null if there is none.
 * @type {(bytes: Uint8Array, box: Box, ...path: string[]) => Box | null}
 */
export function perhapsInside(bytes, box, ...path) {
    /** @type {Box | undefined} */
    let found = box;
    for (const kind of path) {
        found = found && [...boxes(bytes, found)].find((each) => each.kind === kind);
    }
    return found ?? null;
}

/** @type {(bytes: Uint8Array, box: Box, ...path: string[]) => Box} the same where it must be there */
export const inside = (bytes, box, ...path) => perhapsInside(bytes, box, ...path) ?? damaged();

/** @type {(bytes: Uint8Array) => Box} */
export const whole = (bytes) => ({ kind: "", place: 0, content: 0, end: bytes.length });
/** @type {(bytes: Uint8Array) => DataView} */
export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Reads the fields of a box one after the other. */
class Fields {
    /** @param {Uint8Array} bytes @param {Box} box */
    constructor(bytes, box) {
        this.view = viewOf(bytes);
        this.place = box.content;
        const word = this.next();
        this.version = word >>> 24;
        this.flags = word & 0xffffff;
    }

    next() {
        this.place += 4;
        return this.view.getUint32(this.place - 4);
    }

    /**
     * The next field if the box has it, as a flag says.
     * @type {<Otherwise>(flag: number, otherwise: Otherwise) => number | Otherwise}
     */
    nextIf(flag, otherwise) {
        return this.flags & flag ? this.next() : otherwise;
    }

    nextLong() {
        return this.version === 0 ? this.next() : this.next() * 2 ** 32 + this.next();
    }
}

/** @type {(init: Uint8Array) => Track[]} what the initialisation segment says about its tracks */
export function tracksOf(init) {
    const moov = inside(init, whole(init), "moov");
    const view = viewOf(init);
    /** @type {Map<number, Track["defaults"]>} */
    const defaults = new Map();
    for (const box of boxes(init, inside(init, moov, "mvex"))) {
        if (box.kind !== "trex") continue;
        const fields = new Fields(init, box);
        const [id] = [fields.next(), fields.next()];
        defaults.set(id, { duration: fields.next(), size: fields.next(), flags: fields.next() });
    }
    return [...boxes(init, moov)].filter(({ kind }) => kind === "trak").map((trak) => {
        const id = view.getUint32(inside(init, trak, "tkhd").content + 12);
        const handler = inside(init, trak, "mdia", "hdlr").content + 8;
        return {
            id, trak, defaults: defaults.get(id) ?? damaged(),
            isVideo: String.fromCharCode(...init.subarray(handler, handler + 4)) === "vide",
            timescale: view.getUint32(inside(init, trak, "mdia", "mdhd").content + 12),
        };
    });
}

/**
 * The runs of samples in a fragment, each with its track.
 * @type {(fragment: Uint8Array, tracks: Track[]) => Generator<{ track: Track, samples: Sample[] }>}
 */
export function* runsOf(fragment, tracks) {
    const moof = inside(fragment, whole(fragment), "moof");
    for (const traf of boxes(fragment, moof)) {
        if (traf.kind !== "traf") continue;
        const header = new Fields(fragment, inside(fragment, traf, "tfhd"));
        const id = header.next();
        const track = tracks.find((each) => each.id === id) ?? damaged();
        const usual = track.defaults;
        if (header.flags & 1) header.place += 8;
        header.nextIf(2, 0);
        const given = {
            duration: header.nextIf(8, usual.duration), size: header.nextIf(0x10, usual.size),
            flags: header.nextIf(0x20, usual.flags),
        };
        let time = new Fields(fragment, inside(fragment, traf, "tfdt")).nextLong();
        for (const box of boxes(fragment, traf)) {
            if (box.kind !== "trun") continue;
            const run = runOf(fragment, box, given, time);
            time = run.end;
            yield { track, samples: run.samples };
        }
    }
}

/** @param {Uint8Array} fragment @param {Box} box @param {Track["defaults"]} given @param {number} start */
function runOf(fragment, box, given, start) {
    const fields = new Fields(fragment, box);
    const count = fields.next();
    let place = fields.nextIf(1, 0);
    const firstFlags = fields.nextIf(4, null);
    /** @type {Sample[]} */
    const samples = [];
    let time = start;
    for (let index = 0; index < count; index += 1) {
        const duration = fields.nextIf(0x100, given.duration);
        const size = fields.nextIf(0x200, given.size);
        const flags = fields.nextIf(0x400, index === 0 && firstFlags !== null ? firstFlags : given.flags);
        const offset = fields.nextIf(0x800, 0) | 0;
        const bytes = fragment.subarray(place, place + size);
        samples.push({ time, duration, size, offset, isSync: !(flags & NOT_SYNC), bytes });
        place += size;
        time += duration;
    }
    return { samples, end: time };
}

/** @type {(fragment: Uint8Array, tracks: Track[]) => number} how many frames of video are in a fragment */
export function frameCount(fragment, tracks) {
    return [...runsOf(fragment, tracks)]
        .filter(({ track }) => track.isVideo)
        .reduce((sum, { samples }) => sum + samples.length, 0);
}
