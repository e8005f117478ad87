import Foundation
import Media

/// Every packet of a file passed on to another container, undecoded and at its own time.
public struct Remux: Sendable {
    private let asset: Asset
    private let destination: String
    private let container: Container
    private let existing: Muxer.Existing
    private let kept: [Asset.Stream]
    /// What the container can't hold and is left out.
    public let warnings: [String]

    /// - Throws: ``MediaError`` when the destination is taken or is the input, or the container
    ///   holds nothing of it.
    public init(_ asset: Asset, to destination: String, existing: Muxer.Existing) throws {
        self.asset = asset
        self.destination = destination
        self.existing = existing
        let container = try Container(forFileAt: destination)
        self.container = container
        try AtomicFile.requireWritable(destination, notBeing: asset.path, existing: existing)
        kept = asset.streams.filter { container.holdsPackets(of: $0) }
        let left = asset.streams.filter { !container.holdsPackets(of: $0) }
        warnings = left.map {
            "stream \($0.index) (\($0.kindName), \($0.codecName)) is left out: "
                + "a .\(container.rawValue) file can't hold it as it is"
        }
        guard !kept.isEmpty else {
            throw MediaError(
                .incompatible, file: destination,
                reason: "a .\(container.rawValue) file can hold none of the input's streams as "
                    + "they are",
                remedy: "Copy to .mkv, which holds nearly everything")
        }
    }

    /// Copies. Cancelling the task stops it and removes what was written.
    public func run() async throws {
        try await runBlocking { try copy(checkCancelled: $0) }
    }

    private func copy(checkCancelled: () throws -> Void) throws {
        let muxer = try Muxer(creating: destination, as: container, existing: existing)
        let reader = try PacketReader(of: asset, streams: kept)
        var tracks: [Int: Muxer.Track] = [:]
        for stream in kept {
            tracks[stream.index] = try muxer.add(reader.encodedFormat(of: stream), like: stream)
        }
        try muxer.describe(
            tags: asset.tags, chapters: container.holdsChapters ? asset.chapters : [])
        try muxer.start()
        while let (packet, stream) = try reader.next() {
            try checkCancelled()
            if let track = tracks[stream] {
                try muxer.write(packet, to: track)
            }
        }
        try muxer.finish()
    }
}
