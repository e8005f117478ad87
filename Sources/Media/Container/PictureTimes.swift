import CLibAV
import TimeMaps

/// When the pictures of a stream are shown, in the order they are shown.
///
/// Each lasts until the next one; the last for as long as it says.
public struct PictureTimes: Sendable {
    private let starts: [RationalTime]
    private let end: RationalTime

    /// - Parameters:
    ///   - starts: rising.
    ///   - end: of the last picture.
    public init(starts: [RationalTime], end: RationalTime) {
        self.starts = starts
        self.end = end
    }

    /// Whether there are any stamps, and all are times that can be reckoned with: within 30 years.
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
        let grid = FrameGrid(of: stream)
        starts = stamps.map { stamp in
            let time = RationalTime(stamp, in: base)?.relative(to: asset.origin) ?? .zero
            return grid?.snapped(time) ?? time
        }
        let packet = RationalTime(max(0, lastDuration), in: base) ?? .zero
        let lasts = grid?.duration(nearest: packet) ?? packet
        let usual = stream.videoFormat?.frameRate ?? FrameRate(25)
        let last = starts.last ?? .zero
        let own = (try? last + (lasts > .zero ? lasts : usual.frameDuration)) ?? last
        let stated = stream.end.map { grid?.snapped($0) ?? $0 } ?? own
        end = stated > last ? stated : own
    }

    /// How many pictures there are.
    public var count: Int { starts.count }

    /// When a picture is first shown, in asset time.
    public func start(of picture: Int) -> RationalTime {
        starts[picture]
    }

    /// When the next one takes its place, in asset time.
    public func end(of picture: Int) -> RationalTime {
        picture + 1 < starts.count ? starts[picture + 1] : end
    }

    /// The picture that is shown at an instant: the last that starts at or before it. The first, where
    /// nothing is shown yet. O(log n).
    public func picture(at time: RationalTime) -> Int {
        max(0, starts.indices.partitionPoint { starts[$0] > time } - 1)
    }
}
