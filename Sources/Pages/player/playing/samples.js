// Reads the tables of samples in the boxes of fragments (ISO/IEC 14496-12).

import { boxAt } from "./fragments.js";

const NOT_SYNC = 0x10000;

/** The boxes between two places: the type, the place, the content's place, and the end of each. */
function* boxes(bytes, from = 0, to = bytes.length) {
    for (let place = from; place < to;) {
        const { kind, size } = boxAt(bytes, place);
        yield { kind, place, content: place + 8, end: place + size };
        place += size;
    }
}

/** The first box at a path of types inside of a box; null if there is none. */
export function inside(bytes, box, ...path) {
    let found = box;
    for (const kind of path) {
        found = found && [...boxes(bytes, found.content, found.end)].find((each) => each.kind === kind);
    }
    return found ?? null;
}

export const whole = (bytes) => ({ content: 0, end: bytes.length });
export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Reads the fields of a box one after the other. */
class Fields {
    constructor(bytes, box) {
        Object.assign(this, { view: viewOf(bytes), place: box.content });
        const word = this.next();
        this.version = word >>> 24;
        this.flags = word & 0xffffff;
    }

    next() {
        this.place += 4;
        return this.view.getUint32(this.place - 4);
    }

    /** The next field if the box has it, as a flag says. */
    nextIf(flag, otherwise) {
        return this.flags & flag ? this.next() : otherwise;
    }

    nextLong() {
        return this.version === 0 ? this.next() : this.next() * 2 ** 32 + this.next();
    }
}

/** What the initialisation segment says about its tracks. */
export function tracksOf(init) {
    const moov = inside(init, whole(init), "moov");
    const view = viewOf(init);
    const defaults = new Map();
    const mvex = inside(init, moov, "mvex");
    for (const box of boxes(init, mvex.content, mvex.end)) {
        if (box.kind !== "trex") continue;
        const fields = new Fields(init, box);
        const [id] = [fields.next(), fields.next()];
        defaults.set(id, { duration: fields.next(), size: fields.next(), flags: fields.next() });
    }
    return [...boxes(init, moov.content, moov.end)].filter(({ kind }) => kind === "trak").map((trak) => {
        const id = view.getUint32(inside(init, trak, "tkhd").content + 12);
        const handler = inside(init, trak, "mdia", "hdlr").content + 8;
        return {
            id, trak, defaults: defaults.get(id),
            isVideo: String.fromCharCode(...init.subarray(handler, handler + 4)) === "vide",
            timescale: view.getUint32(inside(init, trak, "mdia", "mdhd").content + 12),
        };
    });
}

/** The runs of samples in a fragment: the track's number, the time of decoding, and the samples' bytes. */
export function* runsOf(fragment, tracks) {
    const moof = inside(fragment, whole(fragment), "moof");
    for (const traf of boxes(fragment, moof.content, moof.end)) {
        if (traf.kind !== "traf") continue;
        const header = new Fields(fragment, inside(fragment, traf, "tfhd"));
        const id = header.next();
        const usual = tracks.find((track) => track.id === id).defaults;
        if (header.flags & 1) header.place += 8;
        header.nextIf(2);
        const given = {
            duration: header.nextIf(8, usual.duration), size: header.nextIf(0x10, usual.size),
            flags: header.nextIf(0x20, usual.flags),
        };
        let time = new Fields(fragment, inside(fragment, traf, "tfdt")).nextLong();
        for (const box of boxes(fragment, traf.content, traf.end)) {
            if (box.kind !== "trun") continue;
            const run = runOf(fragment, box, given, time);
            time = run.end;
            yield { id, ...run };
        }
    }
}

function runOf(fragment, box, given, start) {
    const fields = new Fields(fragment, box);
    const count = fields.next();
    let place = fields.nextIf(1, 0);
    const firstFlags = fields.nextIf(4, null);
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

/** How many frames of video are in a fragment. */
export function frameCount(fragment, tracks) {
    return [...runsOf(fragment, tracks)]
        .filter(({ id }) => tracks.find((track) => track.id === id).isVideo)
        .reduce((sum, { samples }) => sum + samples.length, 0);
}
