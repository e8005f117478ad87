import DequeModule

/// Distinct frames whose repeats follow a cadence, as those of film in a 30 Hz video do, at even steps.
///
/// ```
/// source   A  B  C  D  d  E  F  G  H  h     d repeats D, h repeats H
/// times    0  1  2  3     5  6  7  8        from D to E it takes twice as long
/// evened  -⅜  ⅞  2⅛ 3⅜    4⅝ …              each step takes 5/4
/// ```
/// A time becomes the mean of those around it, from one period before to one period after. So it doesn't move on average, and
/// the same frames around it always give the same time. Where there is no cadence, times stay.
struct EvenSteps {
    /// How many source frames a period has at most.
    private static let longestPeriod = RenderSettings.Video.longestCadence
    /// In a period that a change of rate made, one frame is shown for at most this many source frames longer than another.
    private static let largestDifference = 1
    /// By which factor the durations of source frames may differ, because times are rounded to milliseconds.
    private static let largestRatio = 1.1

    /// Where a frame begins.
    private struct Step {
        /// How many source frames it stands for.
        let length: Int
        let start: OutputInstant
        /// Its source time: that of its start, or of its end if it plays backwards.
        let time: Double
        /// Whether the frame continues the one before.
        let isJoined: Bool
    }

    private var distinct = DistinctFrames()
    private var ahead = Deque<PresentedFrame>()
    /// Those of the frames ahead, and of a period before them.
    private var steps: [Step] = []
    private var last: PresentedFrame?

    /// The next frame, or nil after the last.
    ///
    /// - Parameter read: returns one frame after another in the order of presentation, and nil after the last.
    mutating func next(_ read: () throws -> PresentedFrame?) throws -> PresentedFrame? {
        while ahead.count < RenderSettings.Video.distinctFramesAhead,
            let frame = try distinct.next(read)
        {
            steps.append(step(to: frame))
            ahead.append(frame)
            last = frame
        }
        let place = steps.count - ahead.count
        guard let frame = ahead.popFirst() else {
            return nil
        }
        let begin = evened(place)
        let end = place + 1 < steps.count && steps[place + 1].isJoined ? evened(place + 1) : nil
        steps.removeFirst(max(0, place - Self.longestPeriod))
        return frame.moved(to: begin, until: end?.time)
    }

    private func step(to frame: PresentedFrame) -> Step {
        Step(
            length: 1 + frame.repeats, start: frame.start,
            time: frame.direction == .backward ? frame.sourceEnd : frame.sourceStart,
            isJoined: last.map(frame.continues) ?? false)
    }

    /// When a frame begins, in the output and in the source.
    private func evened(_ place: Int) -> (start: OutputInstant, time: Double) {
        let step = steps[place]
        guard let period = period(around: place) else {
            return (step.start, step.time)
        }
        // In pairs, so that backwards it is the same. The outermost both have the same place in the period.
        let sum = (1...period).reduce(step.time) { sum, distance in
            let pair = steps[place - distance].time + steps[place + distance].time
            return sum + (distance == period ? pair / 2 : pair)
        }
        let time = sum / Double(2 * period)
        let goesOn = (time - step.time) * (steps[place + 1].time - step.time) > 0
        let other = steps[goesOn ? place + 1 : place - 1]
        let share = (time - step.time) / (other.time - step.time)
        let seconds = step.start.seconds + share * (other.start.seconds - step.start.seconds)
        return (OutputInstant(seconds: seconds, tick: step.start.tick), time)
    }

    /// How many distinct frames the cadence repeats after; nil without one, and where all are shown for the same time.
    private func period(around place: Int) -> Int? {
        (2..<Self.longestPeriod).last { isPeriod($0, around: place) }.flatMap { period in
            let lengths = steps[place..<place + period].map(\.length)
            let (least, most) = (lengths.min() ?? 1, lengths.max() ?? 1)
            return least < most && most - least <= Self.largestDifference ? period : nil
        }
    }

    private func isPeriod(_ period: Int, around place: Int) -> Bool {
        let (first, end) = (place - period, place + period)
        // The first frame and the last may be the rest of a run.
        guard first >= 0, end < steps.count, steps[first...end].allSatisfy(\.isJoined) else {
            return false
        }
        let lengths = steps[first..<end].map(\.length)
        guard lengths.prefix(period) == lengths.suffix(period),
            lengths.prefix(period).reduce(0, +) <= Self.longestPeriod
        else {
            return false
        }
        let durations = (first..<end).map {
            abs(steps[$0 + 1].time - steps[$0].time) / Double(steps[$0].length)
        }
        return (durations.max() ?? 0) < Self.largestRatio * (durations.min() ?? 0)
    }
}

extension PresentedFrame {
    /// - Parameter end: the source time up to which it lasts; nil to keep that.
    fileprivate func moved(
        to begin: (start: OutputInstant, time: Double), until end: Double?
    ) -> PresentedFrame {
        var moved = self
        moved.start = begin.start
        if direction == .backward {
            moved.sourceEnd = begin.time
            moved.sourceStart = end ?? sourceStart
        } else {
            moved.sourceStart = begin.time
            moved.sourceEnd = end ?? sourceEnd
        }
        return moved
    }
}
