/// Speeds between keyframes, joined by easings; held before the first and after the last.
struct SpeedFunction {
    /// Rising; on the unit interval or in seconds.
    let places: [Double]
    let speeds: [Double]
    let easings: [Easing]

    /// What a value takes at most, in steps of a formula: Bézier curves are solved for.
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

    /// The speed around a place between keyframes, where it stays the same from one to the next.
    func constantSpeed(around place: Double) -> Double? {
        guard place >= places[0], place < places[places.count - 1] else {
            return speed(at: place)
        }
        let index = places.piece(containing: place)
        let isConstant = easings[index] == .hold || speeds[index] == speeds[index + 1]
        return isConstant ? speeds[index] : nil
    }
}
