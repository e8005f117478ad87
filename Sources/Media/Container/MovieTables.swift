import Foundation

/// Counts how many samples the tables of an MP4 or MOV claim (ISO/IEC 14496-12), before libav reads them.
///
/// A claim of a few bytes, such as "80 million samples of 1 byte", makes libav build an index of 2 GB for each
/// track. Counted are: samples that all have one size (`stsz`); runs of a fragment whose samples have no fields of
/// their own (`trun`); parts of sample chunks; and the entries of tables that claim more than they have room for.
/// The boxes are looked for in the same places as libav does.
struct MovieTables {
    /// The reason why a file must not be opened.
    enum Objection {
        /// It claims more samples than it has bytes.
        case promises
        /// Its header is compressed, so its claims can't be counted.
        case compressed
    }

    private let file: CInt
    private let byteCount: Int64
    /// Whether to stop counting; called between boxes.
    private let isExceeded: () -> Bool
    /// How many entries libav's index would have.
    private var entries: Int64 = 0
    private var isCompressed = false
    /// The bytes that were read last, and their offset in the file.
    private var window: [UInt8] = []
    private var windowStart: Int64 = 0

    /// What the boxes of a track state.
    private struct Track {
        var isSound = false
        /// Whether every sample lasts one tick. In an audio track, libav's index then has parts of chunks as
        /// entries.
        var isEven = false
        /// How many samples there are that all have one size.
        var sampleCount: Int64 = 0
        /// The content of the box `stsc`: how many samples a chunk has, from which chunk on.
        var runs: Range<Int64>?
        var chunkCount: Int64 = 0
    }

    /// How many entries even an almost empty file may claim.
    private static let entriesForNothing: Int64 = 1 << 16
    /// How many samples there are in an index entry for a part of a chunk; somewhat fewer for codecs with long
    /// packets.
    private static let samplesOfPiece: Int64 = 1024
    /// Boxes that libav looks into; `free` and `hoov` are disabled headers.
    private static let containers: Set<String> = [
        "moov", "mdia", "minf", "stbl", "moof", "traf", "mvex", "udta", "edts", "dinf", "hoov",
        "free", "wave", "tref",
    ]
    /// Tables, and how many bytes each of their entries has.
    private static let listed: [String: Int64] = [
        "stts": 8, "ctts": 8, "stsc": 12, "stco": 4, "co64": 8, "stss": 4,
    ]
    private static let deepest = 16
    private static let windowBytes = 4096

    /// Returns the reason why a file must not be opened, or nil if there is none.
    ///
    /// - Parameter isExceeded: called now and then; once it returns true, counting stops, and the rest of the file
    ///   counts as correct.
    /// - Complexity: one small read for each box, or for several small boxes together; their content isn't read.
    static func objection(to path: String, isExceeded: @escaping () -> Bool) -> Objection? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            // The caller has opened the file, too, and will meet the same error.
            return nil
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else {
            return nil
        }
        var tables = MovieTables(
            file: file, byteCount: Int64(status.st_size), isExceeded: isExceeded)
        var none = Track()
        tables.walk(0..<tables.byteCount, of: &none, depth: 0)
        tables.add(none)
        return tables.isTooMuch ? .promises : tables.isCompressed ? .compressed : nil
    }

    private init(file: CInt, byteCount: Int64, isExceeded: @escaping () -> Bool) {
        self.file = file
        self.byteCount = byteCount
        self.isExceeded = isExceeded
    }

    private var isTooMuch: Bool { entries > byteCount + Self.entriesForNothing }

    // MARK: - Boxes

    private mutating func walk(_ range: Range<Int64>, of track: inout Track, depth: Int) {
        var place = range.lowerBound
        while range.upperBound - place >= 8, depth < Self.deepest, !isTooMuch, !isExceeded() {
            var start = place + 8
            var length = number(at: place, bytes: 4)
            if length == 1 {
                length = number(at: start, bytes: 8)
                start += 8
            } else if length == 0 {
                length = range.upperBound - place
            }
            guard length >= start - place else {
                break
            }
            let end = place + min(length, range.upperBound - place)
            look(into: min(start, end)..<end, kind(at: place + 4), of: &track, depth: depth)
            place = end
        }
    }

    private mutating func look(
        into box: Range<Int64>, _ kind: String, of track: inout Track, depth: Int
    ) {
        let start = box.lowerBound
        let count = number(at: start + 4, bytes: 4)
        if let bytes = Self.listed[kind] {
            add(count, ifBeyond: (box.upperBound - start - 8) / bytes)
        }
        switch kind {
        case "trak":
            var track = Track()
            walk(box, of: &track, depth: depth + 1)
            add(track)
        case let kind where Self.containers.contains(kind):
            walk(box, of: &track, depth: depth + 1)
        case "meta":
            // There may or may not be a version field before its boxes.
            walk(box, of: &track, depth: depth + 1)
            walk(min(start + 4, box.upperBound)..<box.upperBound, of: &track, depth: depth + 1)
        case "cmov":
            isCompressed = true
        case "hdlr":
            let what = self.kind(at: start + 8)
            track.isSound = what == "soun" || track.isSound && what != "vide"
        case "stts":
            // libav takes a negative duration as 1.
            let ticks = number(at: start + 12, bytes: 4)
            track.isEven = count == 1 && (ticks == 1 || ticks > Int64(Int32.max))
        case "stsz":
            let samples = number(at: start + 8, bytes: 4)
            if count != 0 {
                track.sampleCount += samples
            } else {
                add(samples, ifBeyond: (box.upperBound - start - 12) / 4)
            }
        case "stz2":
            // An entry has at least 4 bits.
            add(number(at: start + 8, bytes: 4), ifBeyond: (box.upperBound - start - 12) * 2)
        case "stsc": track.runs = box
        case "stco", "co64": track.chunkCount = count
        case "trun":
            // Whether each sample has at least one of: duration, size, flags, composition offset. Each takes 4
            // bytes.
            let hasOwn = number(at: start + 2, bytes: 2) & 0x0F00 != 0
            add(count, ifBeyond: hasOwn ? (box.upperBound - start - 8) / 4 : 0)
        default: break
        }
    }

    // MARK: - Counting

    private mutating func add(_ count: Int64, ifBeyond room: Int64 = 0) {
        if count > room {
            entries += min(count, 1 << 48)
        }
    }

    private mutating func add(_ track: Track) {
        let samples = track.isSound && track.isEven ? 0 : track.sampleCount
        add(max(samples, samplesOfChunks(track) / Self.samplesOfPiece))
    }

    private mutating func samplesOfChunks(_ track: Track) -> Int64 {
        guard let table = track.runs else {
            return 0
        }
        var sum = 0.0
        var run = (first: Int64(0), samples: Int64(0))
        let count = min(number(at: table.lowerBound + 4, bytes: 4), Int64(table.count - 8) / 12)
        for entry in 0..<max(0, count) where !isExceeded() {
            let place = table.lowerBound + 8 + entry * 12
            let first = number(at: place, bytes: 4)
            let next = min(first, track.chunkCount + 1)
            sum += Double(run.samples) * Double(max(0, next - run.first))
            run = (first, number(at: place + 4, bytes: 4))
        }
        sum += Double(run.samples) * Double(max(0, track.chunkCount + 1 - run.first))
        return Int64(nearest: sum)
    }

    // MARK: - Reading

    /// Reads a big-endian number; 0 if it isn't inside the file.
    private mutating func number(at place: Int64, bytes count: Int) -> Int64 {
        bytes(at: place, count).reduce(0) { $0 << 8 | Int64($1) }
    }

    private mutating func kind(at place: Int64) -> String {
        String(decoding: bytes(at: place, 4), as: UTF8.self)
    }

    private mutating func bytes(at place: Int64, _ count: Int) -> ArraySlice<UInt8> {
        if place < windowStart || place + Int64(count) > windowStart + Int64(window.count) {
            windowStart = place
            window = [UInt8](unsafeUninitializedCapacity: Self.windowBytes) { buffer, filled in
                filled = max(0, pread(file, buffer.baseAddress, Self.windowBytes, off_t(place)))
            }
        }
        let first = Int(place - windowStart)
        return first + count <= window.count ? window[first..<first + count] : []
    }
}
