/// The speed as a function of time: keyframes connected by easings. It is constant before the first keyframe
/// and after the last one, and jumps where two are at one place.
struct SpeedFunction {
    /// The keyframes' positions in order, on [0,1].
    let places: [Double]
    let speeds: [Double]
    let easings: [Easing]

    /// A keyframe at a place on [0,1]. `text` says where it is, in errors.
    struct Knot {
        let place: Double
        let speed: Double
        let easing: Easing
        let text: String
    }

    /// - Parameters:
    ///   - knots: in any order; of two at one place, the second is what follows.
    ///   - duration: how long the source lasts if the places are in it, for errors.
    /// - Throws: ``CurveError`` when there are none, or more than two are at one place.
    init(_ knots: [Knot], duration: Double? = nil) throws(CurveError) {
        guard !knots.isEmpty else {
            throw CurveError(.malformed, "there are no keyframes")
        }
        let sorted = knots.enumerated().sorted {
            ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
        }.map(\.element)
        for (first, third) in zip(sorted, sorted.dropFirst(2)) where first.place == third.place {
            throw CurveError(
                .malformed, sourceTime: duration.map { first.place * $0 },
                "three keyframes lie at \(first.text); two make a jump, from the speed of the first to "
                    + "that of the second")
        }
        places = sorted.map(\.place)
        speeds = sorted.map(\.speed)
        easings = sorted.map(\.easing)
    }

    /// The largest cost of one value, in steps of a formula. For Bézier curves an equation is solved.
    var weight: Int {
        let solves = easings.contains { easing in
            guard case .bezier = easing else {
                return false
            }
            return true
        }
        return solves ? 200 : 20
    }

    /// 1/speed.
    func scale(at place: Double) -> Double {
        1 / speed(at: place)
    }

    func speed(at place: Double) -> Double {
        guard place >= places[0] else {
            return speeds[0]
        }
        guard place < places[places.count - 1] else {
            return speeds[speeds.count - 1]
        }
        let index = places.piece(containing: place)
        let time = (place - places[index]) / (places[index + 1] - places[index])
        let share = easings[index].share(at: time)
        return speeds[index] + (speeds[index + 1] - speeds[index]) * share
    }

    /// The speed at a place if it is constant between the keyframes around that place; nil if it changes.
    func constantSpeed(around place: Double) -> Double? {
        guard place >= places[0], place < places[places.count - 1] else {
            return speed(at: place)
        }
        let index = places.piece(containing: place)
        let isConstant = easings[index] == .hold || speeds[index] == speeds[index + 1]
        return isConstant ? speeds[index] : nil
    }
}
