import CLibAV
import TimeMaps

/// A frame and its presentation time, half-open and in asset time.
package struct TimedFrame: Sendable {
    package let frame: Frame
    package let start: RationalTime
    package let end: RationalTime
}

/// Decodes the frames of one stream in presentation order.
///
/// ```
/// start   0      ⅓      ⅔      1            each frame ends where the next starts;
///         ├──A───┼──B───┼──C───┤            the last one ends after its own duration
/// ```
/// Used on one thread.
package final class FrameStream {
    private let path: String
    private let origin: RationalTime
    private let grid: ConstantRateGrid?
    /// How long a frame lasts that doesn't say it.
    private let usualDuration: RationalTime
    /// How long the frame lasts that was decoded last.
    private var lastDuration: RationalTime
    private let threads: Int
    private let hardware: HardwareDecoding
    private let scaler: FrameScaler?
    private let asset: Asset
    private let stream: Asset.Stream
    private var decoder: StreamDecoder
    private var pending: (frame: Frame, start: RationalTime, duration: RationalTime)?
    /// A frame that was decoded ahead, in search of the first wanted frame.
    private var held: (frame: Frame, start: RationalTime, duration: RationalTime)?
    private var hasEnded = false
    /// By how much the frames' times are late, once it is known.
    private var delay: RationalTime?

    /// - Parameters:
    ///   - start: the asset time before which no frames are needed; the frame shown at that time is the first
    ///     one.
    ///   - threads: how many threads the codec may use; 0 means one for each core.
    ///   - hardware: what decodes; see ``HardwareDecoding/trial(of:stream:)``.
    ///   - shortSide: how many pixels the shorter side of a frame has at most; nil for those that it has.
    /// - Throws: ``MediaError`` when the stream can't be decoded.
    package init(
        of asset: Asset, stream: Asset.Stream, from start: RationalTime = .zero, threads: Int = 0,
        by hardware: HardwareDecoding = .off, shortSide: Int? = nil
    ) throws {
        self.asset = asset
        self.stream = stream
        (self.threads, self.hardware) = (threads, hardware)
        scaler = shortSide.map { FrameScaler(toShortSide: $0, path: asset.path) }
        path = asset.path
        origin = asset.origin
        decoder = try StreamDecoder(of: asset, stream: stream, threads: threads, by: hardware)
        grid = ConstantRateGrid(of: stream)
        let rate = stream.videoFormat?.frameRate ?? FrameRate(known: 25)
        usualDuration = rate.frameDuration
        lastDuration = usualDuration
        if start.seconds > 2, !asset.isRawVideo {
            try seek(to: start)
        }
        try skip(to: start)
    }

    /// How many frames the decoder has output so far.
    package private(set) var framesDecoded: Int64 = 0

    /// What couldn't be read or decoded so far.
    package var damage: StreamDamage { decoder.damage }

    /// Returns the next frame, or nil after the last.
    ///
    /// - Throws: ``MediaError`` when memory runs out. Damage isn't thrown but counted.
    package func next() throws -> TimedFrame? {
        if pending == nil {
            pending = try decodeNext(after: nil)
        }
        guard let current = pending else {
            return nil
        }
        pending = try decodeNext(after: current.start)
        let end = pending?.start ?? endOfLast(current.start, lasting: current.duration)
        try decoder.admit(current.frame)
        let frame = try scaler?.scaled(current.frame) ?? current.frame
        return TimedFrame(frame: frame, start: current.start, end: end)
    }

    /// When the last frame ends. The end that the stream states is used before the duration of the last packet,
    /// which many containers only estimate.
    private func endOfLast(
        _ start: RationalTime, lasting duration: RationalTime
    ) -> RationalTime {
        if let end = stream.end.map({ grid?.snapped($0) ?? $0 }), end > start {
            return end
        }
        // If the end can't be computed, the frame gets a duration of zero.
        return (try? start + duration) ?? start
    }

    private func seek(to start: RationalTime) throws {
        let base = decoder.timeBase
        // The first frame shows by how much all times are late.
        _ = try decodeNext(after: nil)
        // One second early, so that the leading frames of an open GOP are among the skipped frames.
        let seconds = start.seconds + origin.seconds - 1
        guard decoder.seek(to: Int64(nearest: seconds / av_q2d(base))) else {
            try restart()
            return
        }
        pending = try decodeNext(after: nil)
        if let first = pending?.start, first <= start {
            return
        }
        try restart()
    }

    private func restart() throws {
        pending = nil
        decoder = try StreamDecoder(of: asset, stream: stream, threads: threads, by: hardware)
    }

    private func skip(to start: RationalTime) throws {
        guard start > .zero else {
            return
        }
        pending = try pending ?? decodeNext(after: nil)
        while let current = pending, current.start < start {
            guard let following = try decodeNext(after: current.start) else {
                hasEnded = true
                return
            }
            if following.start > start {
                held = following
                return
            }
            pending = following
        }
    }

    private func decodeNext(
        after previous: RationalTime?
    ) throws -> (frame: Frame, start: RationalTime, duration: RationalTime)? {
        if let ahead = held {
            held = nil
            return ahead
        }
        guard !hasEnded else {
            return nil
        }
        while let decoded = try decoder.next({ try time($0, after: previous) }) {
            framesDecoded += 1
            if previous.map({ decoded.start > $0 }) ?? true {
                return decoded
            }
        }
        hasEnded = true
        return nil
    }

    /// By how much the times of frames are late in containers that store only the DTS (AVI): by the reordering
    /// delay, which the first frame shows.
    private func delay(of raw: UnsafeMutablePointer<AVFrame>) -> RationalTime {
        if let delay {
            return delay
        }
        let first = RationalTime(raw.pointee.best_effort_timestamp, in: decoder.timeBase)?
            .relative(to: origin).relative(to: stream.start ?? .zero)
        let isDecodingTime = raw.pointee.pts == TW_NO_PTS
        // Reordering delays by a few frames; a longer delay has another cause.
        let found = isDecodingTime ? first.flatMap { $0 > .zero && $0.seconds < 1 ? $0 : nil } : nil
        delay = found ?? .zero
        return found ?? .zero
    }

    private func time(
        _ raw: UnsafeMutablePointer<AVFrame>, after previous: RationalTime?
    ) throws -> (frame: Frame, start: RationalTime, duration: RationalTime) {
        let base = decoder.timeBase
        let lasts = RationalTime(max(0, tw_frame_duration(raw)), in: base) ?? .zero
        let duration = grid.map { $0.duration(nearest: lasts) } ?? lasts
        let stamped = RationalTime(raw.pointee.best_effort_timestamp, in: base)?
            .relative(to: origin).relative(to: delay(of: raw))
        let guessed = previous.map { (try? $0 + lastDuration) ?? $0 } ?? .zero
        let start =
            asset.isRawVideo ? guessed : stamped.map { grid?.snapped($0) ?? $0 } ?? guessed
        let frame = try Frame()
        av_frame_move_ref(frame.pointer, raw)
        lastDuration = duration > .zero ? duration : usualDuration
        return (frame, start, lastDuration)
    }
}
