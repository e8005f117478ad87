/// A speed at an instant: of the source in a curve, of the output in a map that may freeze or play
/// backwards.
public struct Keyframe: Hashable, Sendable {
    /// Where a keyframe lies.
    public enum Instant: Hashable, Sendable {
        /// A share of the clip or of the output, 0 to 1.
        case share(Double)
        /// Seconds of source time or of output time.
        case seconds(RationalTime)
    }
    /// Where it lies.
    public var instant: Instant
    /// Source seconds for every output second: above 0 in a curve; in a map 0 freezes and a
    /// negative one plays backwards.
    public var speed: Double
    /// How the speed goes on from here.
    public var easing: Easing

    /// A speed at an instant.
    public init(_ instant: Instant, speed: Double, easing: Easing = .smooth) {
        self.instant = instant
        self.speed = speed
        self.easing = easing
    }

    /// Keyframes as people write them: `0:1, 40%:0.25, 6s:0.25, 1:1`.
    ///
    /// An instant is a share (`0.4`), a percentage (`40%`) or seconds (`6s`).
    ///
    /// - Throws: ``CurveError`` naming the keyframe that can't be read.
    public static func list(
        parsing text: String, easing: Easing = .smooth
    ) throws(CurveError) -> [Keyframe] {
        guard text.utf8.count <= 100_000 else {
            throw CurveError(.malformed, "the keyframes are longer than 100000 bytes")
        }
        var keyframes: [Keyframe] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = part.filter { !$0.isWhitespace }
            let halves = word.split(separator: ":", omittingEmptySubsequences: false)
            guard halves.count == 2, let instant = instant(String(halves[0])),
                let speed = Double(halves[1]), speed.isFinite
            else {
                throw CurveError(
                    .malformed,
                    "\"\(word)\" is no keyframe; write instant:speed, such as 0:1, 40%:0.25 or "
                        + "6s:0.5")
            }
            keyframes.append(Keyframe(instant, speed: speed, easing: easing))
        }
        return keyframes
    }

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

    /// As it is written.
    package var instantText: String {
        switch instant {
        case .share(let share): "\(share)"
        case .seconds(let time): FileTime(time: time).text + "s"
        }
    }
}

/// Speeds at instants, joined by easings; s = 1/speed. Held before the first and after the last.
struct KeyframeScale: TabulatedTimeScale, WeighedTimeScale {
    private let function: SpeedFunction
    let table: IntegratedTimeScale

    init(
        _ keyframes: [Keyframe], duration: RationalTime, work: IntegrationWork = IntegrationWork()
    ) throws(CurveError) {
        guard !keyframes.isEmpty else {
            throw CurveError(.malformed, "there are no keyframes")
        }
        var sorted: [(place: Double, keyframe: Keyframe)] = []
        for keyframe in keyframes {
            sorted.append((try Self.place(of: keyframe, duration: duration), keyframe))
        }
        sorted.sort { $0.place < $1.place }
        for (first, second) in zip(sorted, sorted.dropFirst()) where first.place == second.place {
            throw CurveError(
                .malformed, sourceTime: first.place * duration.seconds,
                "two keyframes lie at \(first.keyframe.instantText)")
        }
        function = SpeedFunction(
            places: sorted.map(\.place), speeds: sorted.map(\.keyframe.speed),
            easings: sorted.map(\.keyframe.easing))
        table = try IntegratedTimeScale(
            of: function.scale(at:), .scale, breakpoints: function.places,
            weight: function.weight, work: work)
    }

    private static func place(
        of keyframe: Keyframe, duration: RationalTime
    ) throws(CurveError) -> Double {
        guard keyframe.speed > 0 else {
            throw CurveError(
                .invalidParameter, value: keyframe.speed,
                "the keyframe at \(keyframe.instantText) has speed \(keyframe.speed); speeds are "
                    + "above 0 here. Freezing and playing backwards belong in a time map")
        }
        switch keyframe.instant {
        case .share(let share):
            return share
        case .seconds(let time):
            guard time >= .zero, time <= duration else {
                throw CurveError(
                    .invalidParameter, sourceTime: time.seconds,
                    "the keyframe at \(keyframe.instantText) lies outside of the clip, which lasts "
                        + "\(duration.seconds) s")
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
