import CLibAV
import TimeMaps

/// A picture and when it is shown, in asset time; half-open.
package struct TimedFrame: Sendable {
    package let frame: Frame
    package let start: RationalTime
    package let end: RationalTime
}

/// Pictures of one stream in the order they are shown.
///
/// ```
/// start   0      ⅓      ⅔      1            each picture ends where the next starts;
///         ├──A───┼──B───┼──C───┤            the last one after its own duration
/// ```
/// Used on one thread.
package final class FrameStream {
    private let path: String
    private let origin: RationalTime
    private let grid: FrameGrid?
    private let fallbackDuration: RationalTime
    private let threads: Int
    private let asset: Asset
    private let stream: Asset.Stream
    private var decoder: StreamDecoder
    private var pending: (frame: Frame, start: RationalTime, duration: RationalTime)?
    /// A picture decoded ahead while looking for the first one that is wanted.
    private var held: (frame: Frame, start: RationalTime, duration: RationalTime)?
    private var hasEnded = false
    /// How late pictures are, once it is known.
    private var delay: RationalTime?

    /// - Parameters:
    ///   - start: asset time before which nothing is needed; the picture shown there is the first
    ///     that comes out.
    ///   - threads: for the codec itself; 0 lets libav take one a core.
    /// - Throws: ``MediaError`` when the stream can't be decoded.
    package init(
        of asset: Asset, stream: Asset.Stream, from start: RationalTime = .zero, threads: Int = 0
    ) throws {
        self.asset = asset
        self.stream = stream
        self.threads = threads
        path = asset.path
        origin = asset.origin
        decoder = try StreamDecoder(of: asset, stream: stream, threads: threads)
        grid = FrameGrid(of: stream)
        let rate = stream.videoFormat?.frameRate ?? FrameRate(25)
        fallbackDuration = rate.frameDuration
        if start.seconds > 2 {
            try seek(to: start)
        }
        try skip(to: start)
    }

    /// Pictures that came out of the decoder so far.
    package private(set) var framesDecoded: Int64 = 0

    /// What could not be read or decoded so far.
    package var damage: StreamDamage { decoder.damage }

    /// The next picture, or nil after the last.
    ///
    /// - Throws: ``MediaError`` when memory runs out; damage is passed over and counted.
    package func next() throws -> TimedFrame? {
        if pending == nil {
            pending = try decodeNext(after: nil)
        }
        guard let current = pending else {
            return nil
        }
        pending = try decodeNext(after: current.start)
        let end = pending?.start ?? endOfLast(current.start, lasting: current.duration)
        decoder.note(current.frame)
        return TimedFrame(frame: current.frame, start: current.start, end: end)
    }

    /// The stream knows better when it ends than its last packet, whose length many containers guess.
    private func endOfLast(
        _ start: RationalTime, lasting duration: RationalTime
    ) -> RationalTime {
        if let end = stream.end.map({ grid?.snapped($0) ?? $0 }), end > start {
            return end
        }
        // Where that can't be reckoned with it is shown for no time at all.
        return (try? start + duration) ?? start
    }

    private func seek(to start: RationalTime) throws {
        let base = decoder.timeBase
        // The first picture tells how late they all are.
        _ = try decodeNext(after: nil)
        // A second early: reordered pictures of an open group then belong to what is skipped.
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
        decoder = try StreamDecoder(of: asset, stream: stream, threads: threads)
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

    /// Containers that state only when pictures are decoded (AVI) make them late by as much as they
    /// are put in another order: the first one shows how much.
    private func delay(of raw: UnsafeMutablePointer<AVFrame>) -> RationalTime {
        if let delay {
            return delay
        }
        let first = RationalTime(raw.pointee.best_effort_timestamp, in: decoder.timeBase)?
            .relative(to: origin).relative(to: stream.start ?? .zero)
        let isDecodingTime = raw.pointee.pts == TW_NO_PTS
        // Reordering spans some pictures; more is something else.
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
        let guessed = previous.map { (try? $0 + fallbackDuration) ?? $0 } ?? .zero
        let start = stamped.map { grid?.snapped($0) ?? $0 } ?? guessed
        let frame = try Frame()
        av_frame_move_ref(frame.pointer, raw)
        return (frame, start, duration > .zero ? duration : fallbackDuration)
    }
}
