import Foundation
import TimeMaps

/// Pictures and sound as a part of a fragmented MP4 that is put together while it plays.
///
/// ```
///  head   ftyp moov                   what the tracks hold; the same for every part
///  body   moof mdat moof mdat …       packets at their place on a timeline that all parts share
/// ```
/// The head and any bodies after it are a file that plays.
package struct FragmentedFile: Sendable {
    /// What the tracks hold.
    package let head: Data

    /// A file's first track of a kind, and where on the common timeline the file's zero lies.
    package struct Part: Sendable {
        let asset: Asset
        let stream: Asset.Stream
        let start: RationalTime

        /// - Parameter start: late enough that nothing of it is decoded before zero.
        package init(_ stream: Asset.Stream, of asset: Asset, from start: RationalTime) {
            self.stream = stream
            self.asset = asset
            self.start = start
        }
    }

    /// Writes a body, whose packets are passed on undecoded.
    ///
    /// - Parameters:
    ///   - parts: tracks, whose packets an MP4 holds.
    ///   - path: the file to write, whole or not at all.
    ///   - checkCancelled: called for each packet.
    /// - Throws: ``MediaError``.
    package init(
        _ parts: [Part], bodyTo path: String, existing: Muxer.Existing,
        checkCancelled: () throws -> Void
    ) throws {
        let output = try AtomicFile(at: path, existing: existing)
        let whole = output.temporaryPath + ".whole"
        defer { unlink(whole) }
        let starts = try Self.write(parts, to: whole, checkCancelled: checkCancelled)
        head = try Self.split(whole, starts: starts, bodyTo: output)
        try output.publish()
    }

    /// - Returns: when the first packet of each track is decoded, in seconds of the common timeline.
    private static func write(
        _ parts: [Part], to path: String, checkCancelled: () throws -> Void
    ) throws -> [Double] {
        let muxer = try Muxer(creating: path, as: .mp4, existing: .overwrite, layout: .fragments)
        var readers = try parts.map { try PartReader($0, muxer) }
        try muxer.start()
        let starts = readers.map { $0.part.start.seconds + ($0.nextSeconds ?? 0) }
        guard starts.allSatisfy({ $0 >= 0 }) else {
            throw MediaError(
                .library, file: path, reason: "a part would be decoded before the timeline begins")
        }
        // By decoding time, so that the writer needn't hold one track back for the other.
        while let next = readers.indices.min(by: {
            readers[$0].nextSeconds ?? .infinity < readers[$1].nextSeconds ?? .infinity
        }), let packet = readers[next].next {
            try checkCancelled()
            try muxer.write(packet, to: readers[next].track)
            try readers[next].advance()
        }
        try muxer.finish()
        return starts
    }

    // MARK: - Cutting

    /// Copies everything but the head and the index at the end, with decoding times of the common timeline:
    /// the writer counts them from zero, or, in some versions, from somewhere else.
    ///
    /// - Returns: what comes before the first fragment.
    private static func split(
        _ whole: String, starts: [Double], bodyTo output: AtomicFile
    ) throws -> Data {
        let path = output.path
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: whole))
            defer { try? file.close() }
            var head = Data()
            var placement: FragmentPlacement?
            while let box = try BoxReader.next(in: file, path) {
                switch box.kind {
                case "moof":
                    if placement == nil {
                        placement = FragmentPlacement(head: head, starts: starts)
                    }
                    let fragment = try box.read(from: file)
                    try output.write(placement?.placed(fragment) ?? fragment)
                case "mfra":
                    try file.seek(toOffset: box.end)
                case _ where placement == nil:
                    head += try box.read(from: file)
                default:
                    try box.copy(from: file, to: output)
                }
            }
            guard placement != nil else {
                throw MediaError(.library, file: path, reason: "it has no fragments")
            }
            return head
        } catch let error as MediaError {
            throw error
        } catch {
            throw MediaError(
                .writeFailed, file: path, reason: "writing failed: \(error.localizedDescription)")
        }
    }
}

/// One track's packets, the next one in hand.
private struct PartReader {
    let part: FragmentedFile.Part
    let track: Muxer.Track
    private let reader: PacketReader
    private(set) var next: Packet?

    init(_ part: FragmentedFile.Part, _ muxer: Muxer) throws {
        self.part = part
        reader = try PacketReader(of: part.asset, streams: [part.stream])
        track = try muxer.add(reader.encodedFormat(of: part.stream), like: nil)
        try advance()
    }

    /// When it is decoded, in the asset's time; nil after the last packet.
    var nextSeconds: Double? { next?.decodeSeconds }

    mutating func advance() throws {
        next = try reader.next()?.packet
        next?.move(earlierBy: part.asset.origin)
    }
}

/// Moves the fragments of each track so that the first is decoded when it should be.
private struct FragmentPlacement {
    private let timescales: [UInt64: UInt64]
    private let starts: [Double]
    private var shifts: [UInt64: UInt64] = [:]

    /// - Parameter starts: seconds, by the order of the tracks.
    init(head: Data, starts: [Double]) {
        timescales = FragmentBoxes(head).timescales
        self.starts = starts
    }

    mutating func placed(_ fragment: Data) -> Data {
        var boxes = FragmentBoxes(fragment)
        for time in boxes.decodeTimes {
            let index = Int(time.track) - 1
            guard let scale = timescales[time.track], starts.indices.contains(index) else {
                continue
            }
            if shifts[time.track] == nil {
                let first = UInt64((starts[index] * Double(scale)).rounded())
                shifts[time.track] = first &- time.ticks
            }
            boxes.set(
                time.ticks &+ (shifts[time.track] ?? 0), at: time.place, bytes: time.byteCount)
        }
        return Data(boxes.bytes)
    }
}

/// A box of a file on the disk.
private struct BoxReader {
    let kind: String
    let start: UInt64
    let end: UInt64

    /// The next box; the file stays before it. Nil at the end.
    static func next(in file: FileHandle, _ path: String) throws -> BoxReader? {
        let start = try file.offset()
        guard let header = try file.read(upToCount: 16), header.count >= 8 else {
            return nil
        }
        func number(_ range: Range<Int>) -> UInt64 {
            header[header.startIndex + range.lowerBound..<header.startIndex + range.upperBound]
                .reduce(0) { $0 << 8 | UInt64($1) }
        }
        // Boxes over 4 GiB have their length behind their name.
        let short = number(0..<4)
        let length = short == 1 && header.count == 16 ? number(8..<16) : short
        guard length >= 8 else {
            throw MediaError(.library, file: path, reason: "it has a box without a length")
        }
        try file.seek(toOffset: start)
        let kind = String(decoding: header.dropFirst(4).prefix(4), as: UTF8.self)
        return BoxReader(kind: kind, start: start, end: start + length)
    }

    func read(from file: FileHandle) throws -> Data {
        try file.read(upToCount: Int(end - start)) ?? Data()
    }

    func copy(from file: FileHandle, to output: AtomicFile) throws {
        var left = Int(end - start)
        while left > 0, let block = try file.read(upToCount: min(left, 1 << 20)), !block.isEmpty {
            try output.write(block)
            left -= block.count
        }
    }
}
