import Foundation
import TimeMaps

/// Video and audio as a part of a fragmented MP4 whose parts a player joins while it plays them.
///
/// ```
///  head   ftyp moov                   describes the tracks; the same for every part
///  body   moof mdat moof mdat …       packets, with times on a timeline that all parts share
/// ```
/// A head followed by any bodies is a file that can be played.
package struct FragmentedFile: Sendable {
    /// The initialization segment, which describes the tracks.
    package let head: Data

    /// One track of the result: a stream of a file, and the time on the common timeline at which the file's asset
    /// time is zero.
    package struct Part: Sendable {
        let asset: Asset
        let stream: Asset.Stream
        let start: RationalTime

        /// - Parameter start: late enough that no packet has a decode time before zero.
        package init(_ stream: Asset.Stream, of asset: Asset, from start: RationalTime) {
            self.stream = stream
            self.asset = asset
            self.start = start
        }
    }

    /// Writes the body to a file. Packets are copied.
    ///
    /// - Parameters:
    ///   - parts: the tracks, whose codecs an MP4 can hold.
    ///   - path: the file to write; it appears when it is complete.
    ///   - checkCancelled: called for each packet; an error that it throws ends the writing.
    /// - Throws: ``MediaError`` when a file can't be read or written.
    package init(
        _ parts: [Part], bodyTo path: String, existing: ExistingOutput,
        checkCancelled: () throws -> Void
    ) throws {
        let output = try AtomicFile(at: path, existing: existing)
        let whole = output.temporaryPath + ".whole"
        defer { unlink(whole) }
        let starts = try Self.write(parts, to: whole, checkCancelled: checkCancelled)
        head = try Self.split(whole, starts: starts, bodyTo: output)
        try output.publish()
    }

    /// - Returns: the decode time of each track's first packet, in seconds of the common timeline.
    private static func write(
        _ parts: [Part], to path: String, checkCancelled: () throws -> Void
    ) throws -> [Double] {
        let muxer = try Muxer(creating: path, as: .mp4, existing: .overwrite, layout: .fragments)
        var readers = try parts.map { try PartReader($0, muxer) }
        try muxer.start()
        let starts = readers.map { $0.part.start.seconds + ($0.nextSeconds ?? 0) }
        guard starts.allSatisfy({ $0 >= 0 }) else {
            throw MediaError(
                .library, file: path, reason: "a track would begin before the timeline does")
        }
        // In the order of decode times, so that the muxer needn't hold packets of one track back.
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

    /// Copies a body to another place on the common timeline. It has the same bytes then as if it had been written there.
    ///
    /// - Parameters:
    ///   - head: of the body.
    ///   - moves: for each track, from which time its asset time zero moves to which.
    /// - Throws: ``MediaError`` when a file can't be read or written.
    package static func move(
        _ body: String, to path: String, head: Data,
        _ moves: [(from: RationalTime, to: RationalTime)]
    ) throws {
        let output = try AtomicFile(at: path, existing: .refuse)
        var placement = FragmentPlacement(head: head, moves: moves)
        try Self.reading(body) { file in
            while let box = try BoxReader.next(in: file, body) {
                if box.kind == "moof" {
                    try output.write(placement.placed(try box.read(from: file)))
                } else {
                    try box.copy(from: file, to: output)
                }
            }
        }
        try output.publish()
    }

    // MARK: - Cutting

    /// Copies everything but the head and the index at the end, and moves the decode times to the common timeline.
    /// (FFmpeg's muxer counts them from zero or, in some versions, from another time.)
    ///
    /// - Returns: the head: everything before the first fragment.
    private static func split(
        _ whole: String, starts: [Double], bodyTo output: AtomicFile
    ) throws -> Data {
        var head = Data()
        var placement: FragmentPlacement?
        try reading(whole) { file in
            while let box = try BoxReader.next(in: file, output.path) {
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
        }
        guard placement != nil else {
            throw MediaError(.library, file: output.path, reason: "it has no fragments")
        }
        return head
    }

    private static func reading(_ path: String, _ work: (FileHandle) throws -> Void) throws {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            try work(file)
        } catch let error as MediaError {
            throw error
        } catch {
            throw MediaError(
                .writeFailed, file: path, reason: "copying failed: \(error.localizedDescription)")
        }
    }
}

/// Reads the packets of one track, and holds the next one.
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

    /// The decode time of the next packet, in asset time; nil after the last packet.
    var nextSeconds: Double? { next?.decodeSeconds }

    mutating func advance() throws {
        next = try reader.next()?.packet
        next?.move(earlierBy: part.asset.origin)
    }
}

/// Moves the fragments of each track in time, so that the first has the decode time that it should have.
private struct FragmentPlacement {
    private let timescales: [UInt64: UInt64]
    private let starts: [Double]
    private var shifts: [UInt64: UInt64] = [:]

    /// - Parameter starts: the decode time of each track's first packet in seconds, in the order of the tracks.
    init(head: Data, starts: [Double]) {
        timescales = FragmentBoxes(head).timescales
        self.starts = starts
    }

    /// - Parameter moves: the time from which each track moves, and to which, in the order of the tracks.
    init(head: Data, moves: [(from: RationalTime, to: RationalTime)]) {
        self.init(head: head, starts: [])
        for (track, scale) in timescales where moves.indices.contains(Int(track) - 1) {
            let (from, to) = moves[Int(track) - 1]
            // Packets have whole ticks, so a track's first one was rounded as its start is.
            func ticks(_ time: RationalTime) -> Int64 {
                Int64((time.seconds * Double(scale)).rounded())
            }
            shifts[track] = UInt64(bitPattern: ticks(to) - ticks(from))
        }
    }

    mutating func placed(_ fragment: Data) -> Data {
        var boxes = FragmentBoxes(fragment)
        for time in boxes.decodeTimes {
            let index = Int(time.track) - 1
            if shifts[time.track] == nil, let scale = timescales[time.track],
                starts.indices.contains(index)
            {
                let first = UInt64((starts[index] * Double(scale)).rounded())
                shifts[time.track] = first &- time.ticks
            }
            boxes.set(
                time.ticks &+ (shifts[time.track] ?? 0), at: time.place, bytes: time.byteCount)
        }
        return Data(boxes.bytes)
    }
}

/// A box in a file, with its range of bytes.
struct BoxReader {
    let kind: String
    let start: UInt64
    let end: UInt64

    /// Returns the next box, or nil at the end. The file's offset stays at the start of the box.
    static func next(in file: FileHandle, _ path: String) throws -> BoxReader? {
        let start = try file.offset()
        guard let header = try file.read(upToCount: 16), header.count >= 8 else {
            return nil
        }
        func number(_ range: Range<Int>) -> UInt64 {
            header[header.startIndex + range.lowerBound..<header.startIndex + range.upperBound]
                .reduce(0) { $0 << 8 | UInt64($1) }
        }
        // Boxes over 4 GiB state their length after their type.
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
