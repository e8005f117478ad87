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
        warnings =
            asset.warnings
            + left.map {
                "stream \($0.index) (\($0.kindName), \($0.codecName)) is left out: "
                    + "a .\(container.rawValue) file can't hold it as it is"
            } + kept.compactMap(container.rotationWarning)
        guard !kept.isEmpty else {
            throw MediaError(
                .incompatible, file: destination,
                reason: "a .\(container.rawValue) file can hold none of the input's streams as "
                    + "they are",
                remedy: "Copy to .mkv, which holds nearly everything")
        }
    }

    /// Copies. Cancelling the task stops it and removes what was written.
    ///
    /// - Returns: what came to light while it was copied, a sentence each.
    @discardableResult
    public func run() async throws -> [String] {
        try await runBlocking { try copy(checkCancelled: $0) }
    }

    private func copy(checkCancelled: () throws -> Void) throws -> [String] {
        let muxer = try Muxer(creating: destination, as: container, existing: existing)
        let reader = try PacketReader(of: asset, streams: kept, missingTimes: .workedOut)
        var tracks: [Int: Muxer.Track] = [:]
        for stream in kept {
            tracks[stream.index] = try muxer.add(reader.encodedFormat(of: stream), like: stream)
        }
        try muxer.describe(
            tags: asset.tags, chapters: container.holdsChapters ? asset.chapters : [])
        try muxer.start()
        // Subtitles may well begin at one time.
        let ordered = kept.filter { $0.videoFormat != nil || $0.audioFormat != nil }
        var orders = Dictionary(
            uniqueKeysWithValues: ordered.map { ($0.index, PacketOrder()) })
        while let (packet, stream) = try reader.next() {
            try checkCancelled()
            if let track = tracks[stream] {
                orders[stream]?.mend(packet)
                try muxer.write(packet, to: track)
            }
        }
        try muxer.finish()
        return found(orders, reader.breakOff)
    }

    private func found(_ orders: [Int: PacketOrder], _ breakOff: MediaError?) -> [String] {
        let mended = kept.compactMap { stream -> String? in
            guard let count = orders[stream.index]?.changedCount, count > 0 else {
                return nil
            }
            return
                "stream \(stream.index) (\(stream.codecName)): \(count) packets came without times, or with "
                + "times that don't rise, and were given others"
        }
        return mended + (breakOff.map { ["the input breaks off early: \($0.reason)"] } ?? [])
    }
}
