import CLibAV
import TimeMaps

/// Which packets of a stream are passed on when it is copied. An edit list may hide some of them, and the container that
/// is written may not be able to.
///
/// ```
/// source    hhhhhh│SSSSSSSSSSSSSS│hhhhh    h: hidden, S: shown
/// decoded   hhhhhh SSSSSSSSShSSShhhhhh
///           └─ lead-in      │   └─ never needed: dropped
///                           └─ overhang: the last frames refer to it
/// ```
package enum KeptPackets: Sendable, Hashable {
    case all
    /// The first ones of a video stream. If `end` isn't nil, the frames that start at that asset time or later must be
    /// hidden.
    case first(Int, end: RationalTime?)
    /// Those of an audio stream from a number on, without hidden ones after the first that is heard.
    case heard(from: Int)

    /// Why packets can't be copied.
    package enum Refusal: Error {
        /// The edit list plays several parts, or parts at another speed.
        case severalEdits
        /// Frames before the start or after the end must be hidden, and can't be.
        case mustHide
    }

    /// - Parameter container: the container to which they are copied.
    /// - Throws: ``Refusal``; ``MediaError`` when the file can't be read.
    /// - Complexity: constant, or one pass over the file for a video stream of which packets are hidden.
    package init(
        of stream: Asset.Stream, in asset: Asset, to container: Container,
        checkCancelled: () throws -> Void = {}
    ) throws {
        guard stream.hidesPackets, stream.videoFormat != nil || stream.audioFormat != nil else {
            self = .all
            return
        }
        guard stream.videoFormat != nil else {
            self = .heard(
                from: container.hasEditLists ? 0 : try Self.firstNeeded(of: stream, in: asset))
            return
        }
        let index = try PacketIndex(of: asset, stream: stream, checkCancelled: checkCancelled)
        let times = index.times
        guard index.isComplete, let last = (0..<times.count).map(index.packet(ofFrame:)).max()
        else {
            throw Refusal.severalEdits
        }
        let (start, end) = (times.start(of: 0), times.end(of: times.count - 1))
        let needed = index.hidden.filter { $0.isDiscarded && $0.packet < last }
        guard needed.isEmpty || container.hidesLeadIn else {
            throw Refusal.mustHide
        }
        let overhang = needed.compactMap(\.time).filter { $0 > start }.min()
        self = .first(last + 1, end: overhang.map { min($0, end) })
    }

    /// The number of the first packet that is passed on to a container that can't hide any: all, if they are only what
    /// an encoder adds, otherwise the first one that is heard from its start on.
    private static func firstNeeded(of stream: Asset.Stream, in asset: Asset) throws -> Int {
        let reader = try PacketReader(of: asset, streams: [stream])
        var number = 0
        while let (packet, _) = try reader.next() {
            guard packet.isDiscarded else {
                let isCut = (packet.presentationSeconds ?? 0) < asset.origin.seconds
                return number <= packetsOfDelay ? 0 : isCut ? number + 1 : number
            }
            number += 1
        }
        return 0
    }

    /// Encoders add at most this many packets before the sound: 2112 samples of AAC.
    private static let packetsOfDelay = 2

    /// The asset time from which on frames must be hidden; nil if none are.
    package var end: RationalTime? {
        guard case .first(_, let end) = self else {
            return nil
        }
        return end
    }
}

/// Tells packet by packet which ones are passed on.
package struct PacketSieve {
    private let kept: KeptPackets
    private var number = 0
    private var hasBegun = false

    package init(_ kept: KeptPackets) {
        self.kept = kept
    }

    /// Whether the next packet of the stream is passed on.
    package mutating func passes(_ packet: Packet) -> Bool {
        defer { number += 1 }
        switch kept {
        case .all: return true
        case .first(let count, _): return number < count
        case .heard(let first):
            hasBegun = hasBegun || !packet.isDiscarded
            return number >= first && (!packet.isDiscarded || !hasBegun)
        }
    }
}
