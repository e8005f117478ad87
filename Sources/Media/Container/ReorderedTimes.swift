import CLibAV

/// Works out the DTS of packets in containers that state only when frames are shown (Matroska).
///
/// ```
/// stored    I0  P3  b1  b2  P6  b4  b5
/// PTS        0   3   1   2   6   4   5
/// DTS       -1   0   1   2   3   4   5     the sorted PTS, later by the reordering delay
/// ```
/// libav's own guess is wrong after open GOPs and before zero.
package struct ReorderedTimes {
    private let delay: Int
    /// Ticks between two frames.
    private let step: Int64
    /// The PTS that no packet has as its DTS yet, in increasing order; nil before the first packet.
    private var waiting: [Int64]?

    /// - Returns: nil if the container states DTS, or the stream isn't video.
    package init?(of asset: Asset, stream: Asset.Stream, delay: Int) {
        guard asset.formatName.contains("matroska"), let format = stream.videoFormat else {
            return nil
        }
        self.delay = max(0, delay)
        let seconds = format.usualRate.frameDuration.seconds
        step = min(max(1, Int64(nearest: seconds / stream.timeBase.seconds)), 1 << 40)
    }

    /// Sets the DTS of the next packet of the stream.
    package mutating func stamp(_ packet: Packet) {
        guard let stated = packet.pts else {
            return
        }
        let shown = Packet.bounded(stated)
        var waiting =
            waiting ?? (0..<delay).map { shown - Int64(delay - $0) * step }
        waiting.insert(shown, at: waiting.firstIndex { $0 > shown } ?? waiting.count)
        packet.pointer.pointee.dts = waiting.removeFirst()
        self.waiting = waiting
    }
}
