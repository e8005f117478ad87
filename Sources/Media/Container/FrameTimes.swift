import CLibAV
import TimeMaps

/// The presentation times of a video track's frames, which are numbered from 0 in presentation order.
///
/// Each frame is shown until the next one starts; the last one ends at a time of its own.
package struct FrameTimes: Sendable {
    private let starts: [RationalTime]
    private let end: RationalTime

    /// Creates a table of presentation times.
    ///
    /// - Parameters:
    ///   - starts: the start of each frame, in increasing order.
    ///   - end: the end of the last frame.
    package init(starts: [RationalTime], end: RationalTime) {
        self.starts = starts
        self.end = end
    }

    /// Whether there are timestamps and all are within 30 years of zero, so that they can be calculated with.
    static func hold(_ stamps: [Int64], of stream: Asset.Stream) -> Bool {
        guard let first = stamps.first, let last = stamps.last else {
            return false
        }
        let latest = max(first.magnitude, last.magnitude)
        return Double(latest) * stream.timeBase.seconds < 1e9
    }

    init(
        _ stamps: [Int64], lastDuration: Int64, of asset: Asset, stream: Asset.Stream
    ) {
        let base = stream.timeBase.rational
        let grid = ConstantRateGrid(of: stream)
        starts = stamps.map { stamp in
            let time = RationalTime(stamp, in: base)?.relative(to: asset.origin) ?? .zero
            return grid?.snapped(time) ?? time
        }
        let packet = RationalTime(max(0, lastDuration), in: base) ?? .zero
        let lasts = grid?.duration(nearest: packet) ?? packet
        let usual = stream.videoFormat?.frameRate ?? FrameRate(known: 25)
        let last = starts.last ?? .zero
        let own = (try? last + (lasts > .zero ? lasts : usual.frameDuration)) ?? last
        let stated = stream.end.map { grid?.snapped($0) ?? $0 } ?? own
        end = stated > last ? stated : own
    }

    /// Restores a table; nil if the bytes aren't one.
    init?(from parser: inout ByteParser) {
        guard let values = parser.counted(Int64.self), let scales = parser.counted(Int32.self),
            values.count == scales.count, values.count > 0, scales.allSatisfy({ $0 > 0 })
        else {
            return nil
        }
        let times = zip(values, scales).map { RationalTime($0, over: $1) }
        (starts, end) = (Array(times.dropLast()), times[times.count - 1])
    }

    /// Writes what ``init(from:)`` restores.
    func store(in writer: inout ByteWriter) {
        writer.add(counted: starts.map(\.value) + [end.value])
        writer.add(counted: starts.map(\.timescale) + [end.timescale])
    }

    /// The number of frames.
    package var count: Int { starts.count }

    /// Returns the asset time at which a frame starts.
    ///
    /// - Parameter frame: the number of the frame, less than ``count``; otherwise the program stops.
    package func start(of frame: Int) -> RationalTime {
        starts[frame]
    }

    /// Returns the asset time at which a frame ends: where the next one starts, or the end of the last frame.
    package func end(of frame: Int) -> RationalTime {
        frame + 1 < starts.count ? starts[frame + 1] : end
    }

    /// Returns the number of the frame that is shown at an asset time: the last one that starts at or before it.
    ///
    /// Before the first frame starts, this is 0. O(log n).
    package func frame(at time: RationalTime) -> Int {
        max(0, starts.indices.partitionPoint { starts[$0] > time } - 1)
    }
}
