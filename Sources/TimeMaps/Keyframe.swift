/// A speed at an instant, for a speed ramp. In a curve the instant is in source time. In a map that may
/// freeze or play backwards it is in output time.
public struct Keyframe: Hashable, Sendable {
    /// The position of a keyframe.
    public enum Instant: Hashable, Sendable {
        /// A share of the clip or of the output, 0 to 1.
        case share(Double)
        /// Seconds of source time or of output time.
        case seconds(RationalTime)
    }
    /// The position of the keyframe.
    public var instant: Instant
    /// Source seconds per output second. In a curve it must be above 0; in a map 0 freezes and a negative
    /// speed plays backwards.
    public var speed: Double
    /// How the speed changes from here to the next keyframe.
    public var easing: Easing
    /// The source time to which the film cuts here, from the start of the clip; nil goes on where it is. Only for
    /// instants in seconds of output time.
    public var source: RationalTime?

    /// A keyframe. Nothing is checked; the curve or the map does that.
    public init(
        _ instant: Instant, speed: Double, easing: Easing = .smooth, source: RationalTime? = nil
    ) {
        self.instant = instant
        self.speed = speed
        self.easing = easing
        self.source = source
    }

    /// Reads a list of keyframes such as `0:1, 40%:0.25, 6s:0.25, 1:1`.
    ///
    /// Each is `instant:speed`. An instant is a share (`0.4`), a percentage (`40%`) or seconds (`6s`). Two at one instant
    /// are a jump, from the speed of the first to that of the second. `instant:speed@time` cuts to a time of the source:
    /// `2s:-1@5s` plays backwards from there on.
    ///
    /// - Parameter easing: the easing of every keyframe.
    /// - Throws: ``CurveError`` naming the keyframe that can't be read, or when the text is longer than 100000
    ///   bytes.
    public static func list(
        parsing text: String, easing: Easing = .smooth
    ) throws(CurveError) -> [Keyframe] {
        guard text.utf8.count <= 100_000 else {
            throw CurveError(.malformed, "the keyframes are longer than 100000 bytes")
        }
        var keyframes: [Keyframe] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = part.filter { !$0.isWhitespace }
            guard let keyframe = Keyframe(parsing: word, easing: easing) else {
                throw CurveError(
                    .malformed, "\"\(word)\" is not a keyframe; \(Self.remedy(for: word))")
            }
            keyframes.append(keyframe)
        }
        return keyframes
    }

    /// How to write what a word may mean.
    private static func remedy(for word: String) -> String {
        let instant = word.prefix { $0 != ":" }
        if let number = Double(instant), !(0...1).contains(number) {
            return
                "a number without a unit is a share of the clip, from 0 to 1: write \(instant)s for seconds, "
                + "or \(instant)% of the clip"
        }
        return
            "write instant:speed, such as 0:1, 40%:0.25 or 6s:0.5, or instant:speed@time for a cut, such as "
            + "6s:-1@10s"
    }

    private init?(parsing word: String, easing: Easing) {
        let halves = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let instant = Self.instant(String(halves[0])) else {
            return nil
        }
        let parts = halves[1].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let speed = Double(parts[0]), speed.isFinite else {
            return nil
        }
        self.init(instant, speed: speed, easing: easing)
        guard parts.count == 2 else {
            return
        }
        guard let time = try? RationalTime(parsing: String(parts[1])) else {
            return nil
        }
        source = time
    }

    /// Reads a share, a percentage or seconds; nil when the text is none of these.
    static func instant(_ text: String) -> Instant? {
        if text.hasSuffix("%") {
            return Double(text.dropLast()).flatMap { share($0 / 100) }
        }
        if text.hasSuffix("s") {
            return (try? RationalTime(parsing: text)).map { .seconds($0) }
        }
        return Double(text).flatMap(share)
    }

    private static func share(_ share: Double) -> Instant? {
        (0...1).contains(share) ? .share(share) : nil
    }

    func knot(at place: Double) -> SpeedFunction.Knot {
        SpeedFunction.Knot(place: place, speed: speed, easing: easing, text: instantText)
    }

    /// The instant in the form in which files hold it.
    package var instantText: String {
        switch instant {
        case .share(let share): "\(share)"
        case .seconds(let time): FileTime(time: time).text + "s"
        }
    }

    /// The time to which the film cuts, in the form in which files hold it.
    package var sourceText: String? {
        source.map { FileTime(time: $0).text + "s" }
    }
}

/// Speeds at instants, connected by easings, as the time scale s = 1/speed. The first speed also holds before
/// the first keyframe, and the last one after the last keyframe. Two keyframes at one instant are a jump.
struct KeyframeScale: TabulatedTimeScale, WeighedTimeScale {
    private let function: SpeedFunction
    let table: IntegratedTimeScale

    init(
        _ keyframes: [Keyframe], duration: RationalTime, work: IntegrationWork = IntegrationWork()
    ) throws(CurveError) {
        var knots: [SpeedFunction.Knot] = []
        for keyframe in keyframes {
            knots.append(keyframe.knot(at: try Self.place(of: keyframe, duration: duration)))
        }
        function = try SpeedFunction(knots, duration: duration.seconds)
        table = try IntegratedTimeScale(
            of: function.scale(at:), .scale, breakpoints: function.places,
            weight: function.weight, work: work)
    }

    private static func place(
        of keyframe: Keyframe, duration: RationalTime
    ) throws(CurveError) -> Double {
        guard keyframe.source == nil else {
            throw CurveError(
                .invalidParameter,
                "the keyframe at \(keyframe.instantText) cuts to another time, which a part of a curve "
                    + "can't")
        }
        guard keyframe.speed > 0 else {
            throw CurveError(
                .invalidParameter, value: keyframe.speed,
                "the keyframe at \(keyframe.instantText) has speed \(keyframe.speed); here speeds "
                    + "must be above 0. To freeze or play backwards, use a time map")
        }
        switch keyframe.instant {
        case .share(let share):
            return share
        case .seconds(let time):
            guard time >= .zero, time <= duration else {
                throw CurveError(
                    .invalidParameter, sourceTime: time.seconds,
                    "the keyframe at \(keyframe.instantText) lies outside of the clip, which lasts "
                        + "\(duration.secondsText) s")
            }
            return time.seconds / duration.seconds
        }
    }

    var breakpoints: [Double] { function.places }
    var stepsPerValue: Int { function.weight }

    func value(at u: Double) -> Double {
        function.scale(at: u)
    }
}
