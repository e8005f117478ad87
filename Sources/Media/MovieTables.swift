import Foundation

/// How many samples the tables of an MP4 or MOV promise (ISO/IEC 14496-12), counted before libav believes
/// it.
///
/// A few bytes there, "80 million samples of 1 byte", become an index of 2 GB a track. Tables that name every
/// sample are as long as they say, or end with the file; counted are those that don't: samples of one size
/// (`stsz`), runs of a fragment that have nothing of their own (`trun`), and chunks of even sound.
struct MovieTables {
    private let file: CInt
    private let byteCount: Int64
    /// Asked between boxes.
    private let isExceeded: () -> Bool
    /// What libav's index would hold.
    private var entries: Int64 = 0

    /// What is known of a track when its last box is read.
    private struct Track {
        var isSound = false
        /// Whether every sample lasts one tick. Of sound the index names pieces of chunks then.
        var isEven = false
        /// Samples of one size.
        var sampleCount: Int64 = 0
        /// From which chunk on there are so many samples a chunk.
        var runs: Range<Int64>?
        var chunkCount: Int64 = 0
    }

    /// What may be stated of a file that is hardly there.
    private static let entriesForNothing: Int64 = 1 << 16
    /// An entry for a piece of a chunk has so many samples at the least.
    private static let samplesOfPiece: Int64 = 160
    /// Boxes that libav looks into.
    private static let containers: Set<String> = [
        "moov", "mdia", "minf", "stbl", "moof", "traf", "mvex", "udta", "edts", "dinf",
    ]
    private static let deepest = 16

    /// Whether the tables promise more samples than the file has bytes.
    ///
    /// - Parameter isExceeded: asked now and then; what isn't looked at after true counts as right.
    /// - Complexity: a few small reads a box; what lies in them isn't read.
    static func promiseTooMuch(_ path: String, isExceeded: @escaping () -> Bool) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            // The caller has it open, and will meet the same.
            return false
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else {
            return false
        }
        var tables = MovieTables(
            file: file, byteCount: Int64(status.st_size), isExceeded: isExceeded)
        var none = Track()
        tables.walk(0..<tables.byteCount, of: &none, depth: 0)
        return tables.isTooMuch
    }

    private var isTooMuch: Bool { entries > byteCount + Self.entriesForNothing }

    private mutating func walk(_ range: Range<Int64>, of track: inout Track, depth: Int) {
        var place = range.lowerBound
        while range.upperBound - place >= 8, !isTooMuch, !isExceeded() {
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
        switch kind {
        case "trak" where depth < Self.deepest:
            var track = Track()
            walk(box, of: &track, depth: depth + 1)
            let pieces = track.isSound && track.isEven
            add(pieces ? samplesOfChunks(track) / Self.samplesOfPiece : track.sampleCount)
        case let kind where Self.containers.contains(kind) && depth < Self.deepest:
            walk(box, of: &track, depth: depth + 1)
        case "hdlr":
            let what = self.kind(at: start + 8)
            track.isSound = what == "soun" || track.isSound && what != "vide"
        case "stts":
            track.isEven =
                number(at: start + 4, bytes: 4) == 1 && number(at: start + 12, bytes: 4) == 1
        case "stsz" where number(at: start + 4, bytes: 4) != 0:
            track.sampleCount += number(at: start + 8, bytes: 4)
        case "stsc": track.runs = box
        case "stco", "co64": track.chunkCount = number(at: start + 4, bytes: 4)
        case "trun" where number(at: start + 2, bytes: 2) & 0x0F00 == 0:
            // Neither duration, size, flags nor composition offset of each.
            add(number(at: start + 4, bytes: 4))
        default: break
        }
    }

    private mutating func add(_ count: Int64) {
        entries += min(count, 1 << 48)
    }

    private func samplesOfChunks(_ track: Track) -> Int64 {
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

    /// Big-endian; 0 beyond the file's end.
    private func number(at place: Int64, bytes count: Int) -> Int64 {
        bytes(at: place, count).reduce(0) { $0 << 8 | Int64($1) }
    }

    private func kind(at place: Int64) -> String {
        String(decoding: bytes(at: place, 4), as: UTF8.self)
    }

    private func bytes(at place: Int64, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(file, &bytes, count, off_t(place)) == count ? bytes : []
    }
}
