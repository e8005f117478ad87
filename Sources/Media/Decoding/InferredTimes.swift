import CLibAV

/// When the packets of a stream are shown, in containers that store only the DTS (AVI), and in raw streams, which store no
/// times.
///
/// ```
/// stored    I0  P3  b1  b2  P6  b4  b5
/// DTS        0   1   2   3   4   5   6
/// shown     I0  b1  b2  P3  b4 …           found by decoding
/// PTS        0   3   1   2   6   4   5     I0 keeps the time of the first packet
/// DTS'      -1   0   1   2   3   4   5     earlier by the reordering delay
/// ```
package struct InferredTimes {
    private struct Times {
        var shown: Int64?
        let decoded: Int64
    }
    /// In ticks, by the packets' places in the stream.
    private let times: [Times]
    private var next = 0

    /// Decodes the stream, if its first packet doesn't state when its frame is shown.
    ///
    /// - Returns: nil if packets state when they are shown, or the stream isn't video.
    package init?(
        of asset: Asset, stream: Asset.Stream, checkCancelled: @escaping () throws -> Void
    ) throws {
        guard stream.videoFormat != nil,
            let first = try PacketReader(of: asset, streams: [stream]).next()?.packet,
            first.pts == nil, first.statedTicks != TW_NO_PTS || first.durationSeconds > 0
        else {
            return nil
        }
        let order = try Self.order(of: asset, stream, checkCancelled)
        times = Self.times(
            Self.filled(order.shown, count: order.stamps.count), order.stamps)
    }

    /// The places in the order in which they are shown, with those from which no frame came at their own places:
    /// otherwise each of them would look like reordering, and delay the whole rest.
    static func filled(_ shown: [Int], count: Int) -> [Int] {
        let known = Set(shown)
        var missing = (0..<count).filter { !known.contains($0) }.makeIterator()
        var next = missing.next()
        var all: [Int] = []
        all.reserveCapacity(count)
        for place in shown {
            while let lost = next, lost < place {
                all.append(lost)
                next = missing.next()
            }
            all.append(place)
        }
        while let lost = next {
            all.append(lost)
            next = missing.next()
        }
        return all
    }

    /// The packets' DTS, and the places of the packets in the order in which their frames are shown.
    private static func order(
        of asset: Asset, _ stream: Asset.Stream, _ checkCancelled: @escaping () throws -> Void
    ) throws -> (stamps: [Int64], shown: [Int]) {
        let decoder = try StreamDecoder(of: asset, stream: stream, threads: 0)
        decoder.checkCancelled = checkCancelled
        var stamps: [Int64] = []
        decoder.choose = { packet in
            let raw = packet.pointer
            let place = Int64(stamps.count)
            let duration = max(1, Packet.bounded(raw.pointee.duration))
            let next = stamps.last.map { Packet.bounded($0 + duration) } ?? 0
            let after = (stamps.last ?? -1) + 1
            let dts = raw.pointee.dts == TW_NO_PTS ? next : Packet.bounded(raw.pointee.dts)
            stamps.append(max(dts, after))
            (raw.pointee.pts, raw.pointee.dts) = (place, place)
            return .decode
        }
        var shown: [Int] = []
        while let place = try decoder.next({ $0.pointee.pts }) {
            if place != TW_NO_PTS, place >= 0, place < stamps.count {
                shown.append(Int(place))
            }
        }
        return (stamps, shown)
    }

    private static func times(_ shown: [Int], _ stamps: [Int64]) -> [Times] {
        let delay = zip(shown, 0...).map { $0 - $1 }.max() ?? 0
        let lateness = stamps.isEmpty ? 0 : stamps[min(delay, stamps.count - 1)] - stamps[0]
        var times = stamps.map { Times(shown: nil, decoded: $0 - lateness) }
        let step = stamps.count > 1 ? stamps[stamps.count - 1] - stamps[stamps.count - 2] : 1
        for (rank, place) in shown.enumerated() {
            let beyond = max(0, rank + delay - (stamps.count - 1))
            let stamp = stamps[min(rank + delay, stamps.count - 1)] + Int64(beyond) * step
            times[place].shown = times[place].shown ?? stamp - lateness
        }
        return times
    }

    /// Gives the next packet of the stream its times.
    package mutating func stamp(_ packet: Packet) {
        guard next < times.count else {
            return
        }
        let times = times[next]
        next += 1
        packet.pointer.pointee.dts = times.decoded
        packet.pointer.pointee.pts = max(times.shown ?? times.decoded, times.decoded)
    }
}
