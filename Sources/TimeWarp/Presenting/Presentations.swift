import Media
import TimeMaps

/// An instant of the output.
package struct OutputInstant: Sendable, Equatable {
    package let seconds: Double
    /// The same instant in whole ticks, rounded once; 0 if no ticks are used.
    package let tick: Int64
}

/// The direction in which the source plays while a frame is presented.
package enum PlayDirection: Sendable {
    case forward, still, backward
}

/// The presentation of a frame: from when until when it is shown.
package struct Presentation: Sendable {
    package let frame: Int
    package let direction: PlayDirection
    package let start: OutputInstant
    /// When its own duration ends, which is when the next presentation starts, if there is one.
    package var end: OutputInstant
}

/// The presentations of frames that a time map asks for, in output order.
///
/// ```
///  source │ C      ╱╲              forward, a frame comes when its start is reached;
///         │ B   ╱‾‾    ╲           backward, when its end is; so backward is forward mirrored
///         │ A ╱           ╲
///         └───A─┬─B──┬─C─┬B─┬─A──  a frame that continues across a corner comes once
/// ```
/// O(log n) per piece of the map, O(1) per frame.
package struct Presentations: Sequence, IteratorProtocol {
    private let times: FrameTimes
    private let map: TimeMap
    private let range: TimeRange
    private let ticksPerSecond: Int32?
    private var piece = -1
    private var upcoming: Range<Int> = 0..<0
    private var direction = PlayDirection.still
    private var entersPiece = false
    private var pending: Presentation?

    /// Two instants closer than this count as one. It is far below a frame's duration, and above the errors of
    /// integrals.
    private static let toleranceSeconds = Tolerance.stated

    /// - Parameters:
    ///   - range: the part of the asset that the map's source time counts from.
    ///   - ticksPerSecond: the ticks in which output instants are counted; nil for seconds only.
    package init(
        _ times: FrameTimes, map: TimeMap, range: TimeRange, ticksPerSecond: Int32? = nil
    ) {
        self.times = times
        self.map = map
        self.range = range
        self.ticksPerSecond = ticksPerSecond
    }

    package mutating func next() -> Presentation? {
        while let presentation = nextInPieces() {
            guard let before = pending else {
                pending = presentation
                continue
            }
            if before.frame == presentation.frame {
                pending?.end = presentation.end
                continue
            }
            pending = presentation
            return before
        }
        defer { pending = nil }
        return pending
    }

    private mutating func nextInPieces() -> Presentation? {
        while upcoming.isEmpty {
            guard piece + 1 < map.pieces.count else {
                return nil
            }
            piece += 1
            enter(map.pieces[piece])
        }
        let isBackward = direction == .backward
        let frame = isBackward ? upcoming.upperBound - 1 : upcoming.lowerBound
        upcoming =
            isBackward
            ? upcoming.lowerBound..<frame : frame + 1..<upcoming.upperBound
        defer { entersPiece = false }
        return presentation(of: frame)
    }

    /// The frames that a piece of the map shows.
    private mutating func enter(_ piece: TimeMap.Piece) {
        entersPiece = true
        guard times.count > 0 else {
            return
        }
        let (from, to) = (piece.sourceStart, piece.sourceEnd)
        if from == to {
            direction = .still
            // The range is half-open: a freeze at its end shows the last frame before the end.
            let end = range.duration.seconds - Self.toleranceSeconds
            let frame =
                frame(startingBefore: Swift.min(from + Self.toleranceSeconds, end)) ?? 0
            upcoming = frame..<frame + 1
        } else {
            direction = from < to ? .forward : .backward
            upcoming = frames(from: Swift.min(from, to), to: Swift.max(from, to))
        }
    }

    /// The frames between two source times.
    package func frames(from low: Double, to high: Double) -> Range<Int> {
        let first = frame(startingBefore: low + Self.toleranceSeconds) ?? 0
        let last = frame(startingBefore: high - Self.toleranceSeconds) ?? -1
        return first..<Swift.max(first, last + 1)
    }

    /// The last frame that starts before a source time.
    private func frame(startingBefore seconds: Double) -> Int? {
        let place = (0..<times.count).partitionPoint {
            sourceTime(times.start(of: $0)).seconds >= seconds
        }
        return place > 0 ? place - 1 : nil
    }

    private func sourceTime(_ assetTime: RationalTime) -> RationalTime {
        assetTime.relative(to: range.start)
    }

    private func presentation(of frame: Int) -> Presentation {
        let piece = map.pieces[piece]
        let start = sourceTime(times.start(of: frame))
        let end = sourceTime(times.end(of: frame))
        switch direction {
        case .still:
            return Presentation(
                frame: frame, direction: .still, start: startOfPiece, end: endOfPiece)
        case .forward:
            let isUnderWay = start.seconds <= piece.sourceStart + Self.toleranceSeconds
            return Presentation(
                frame: frame, direction: .forward,
                start: entersPiece && isUnderWay ? startOfPiece : instant(of: start),
                end: end.seconds < piece.sourceEnd ? instant(of: end) : endOfPiece)
        case .backward:
            let isUnderWay = end.seconds >= piece.sourceStart - Self.toleranceSeconds
            return Presentation(
                frame: frame, direction: .backward,
                start: entersPiece && isUnderWay ? startOfPiece : instant(of: end),
                end: start.seconds > piece.sourceEnd ? instant(of: start) : endOfPiece)
        }
    }

    private func instant(of sourceTime: RationalTime) -> OutputInstant {
        let piece = map.pieces[piece]
        let tick = ticksPerSecond.flatMap {
            try? piece.outputTime(of: sourceTime, timescale: $0, rounding: .nearest).value
        }
        return OutputInstant(seconds: piece.outputTime(of: sourceTime.seconds), tick: tick ?? 0)
    }

    private var startOfPiece: OutputInstant { instant(ofOutput: map.pieces[piece].outputStart) }
    private var endOfPiece: OutputInstant { instant(ofOutput: map.pieces[piece].outputEnd) }

    private func instant(ofOutput seconds: Double) -> OutputInstant {
        let tick = ticksPerSecond.map { Int64((seconds * Double($0)).rounded()) }
        return OutputInstant(seconds: seconds, tick: tick ?? 0)
    }
}
