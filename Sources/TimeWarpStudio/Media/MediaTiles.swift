import Foundation
import LocalServer
import Media
import Overview
import TimeMaps

/// Film strips and waveforms of parts of clips, for a page that looks closely. They are made when they are asked for and
/// aren't kept: the page keeps those that it shows.
actor MediaTiles {
    /// A part of a clip: at level n, one of 2ⁿ parts of one length.
    struct Tile {
        private let level: Int
        private let number: Int

        /// Nil if there is no such part.
        init?(level: Int, number: Int) {
            guard (1...24).contains(level), (0..<(1 << level)).contains(number) else {
                return nil
            }
            (self.level, self.number) = (level, number)
        }

        func range(of duration: RationalTime) throws -> TimeRange {
            let parts = Int64(1 << level)
            let seconds = duration.seconds / Double(parts)
            return try TimeRange(
                start: RationalTime(seconds: seconds * Double(number), timescale: 1_000_000_000),
                duration: RationalTime(seconds: seconds, timescale: 1_000_000_000))
        }
    }

    private let library: MediaLibrary
    private var indexes = LastRead<PacketIndex>()
    private var work = SerialWork()

    /// A longer part's sound would take longer to decode than anyone waits.
    private static let longestSound = 600.0

    init(_ library: MediaLibrary) {
        self.library = library
    }

    /// The response with one part.
    ///
    /// - Throws: ``StudioError`` if the clip no longer exists, has nothing to show, or can't be decoded.
    func response(_ picture: MediaLibrary.CachedFile, _ tile: Tile, of id: String) async throws
        -> Response
    {
        do {
            let asset = try await library.shownAsset(of: try await library.record(id))
            let range = try tile.range(of: asset.duration)
            return try await work.run {
                try await picture == .strip
                    ? self.strip(of: asset, range) : self.waveform(of: asset, range)
            }.value
        } catch let error as MediaError {
            throw StudioError(.unprocessableContent, error.sentence)
        }
    }

    private func strip(of asset: Asset, _ range: TimeRange) async throws -> Response {
        let index = try await index(of: asset)
        let bytes = try await runBlocking { checkCancelled in
            try FilmStrip(of: asset, range: range, index: index, checkCancelled: checkCancelled)
                .image.png()
        }
        return Response(
            status: .ok, headers: [.contentType: "image/png", .cacheControl: "no-store"],
            body: .data(Data(bytes)))
    }

    private func index(of asset: Asset) async throws -> PacketIndex {
        guard let stream = asset.mainVideo else {
            throw StudioError(.unprocessableContent, "This clip has no video.")
        }
        let file = FileVersion(asset.path)
        if let index = indexes[file] {
            return index
        }
        let index = try await runBlocking { checkCancelled in
            try PacketIndex(of: asset, stream: stream, checkCancelled: checkCancelled)
        }
        indexes[file] = index
        return index
    }

    private func waveform(of asset: Asset, _ range: TimeRange) async throws -> Response {
        guard range.duration.seconds <= Self.longestSound else {
            throw StudioError(.unprocessableContent, "This part is too long.")
        }
        return try Response.json(
            try await runBlocking { checkCancelled in
                try Waveform(of: asset, range: range, checkCancelled: checkCancelled)
            })
    }
}
