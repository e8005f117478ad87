/// When pictures are decoded, from when they are shown.
///
/// With a delay of d pictures, the picture at place i of the decoding order is decoded when the one at
/// place i − d of the showing order is shown. Where no picture comes more than d places earlier in the
/// one than in the other, that is never after it is shown itself, and always after the one before.
struct DecodingClock {
    /// Shown times, rising.
    private let shown: [Int64]
    private let delay: Int

    init(_ shown: [Int64], delay: Int) {
        self.shown = shown
        self.delay = delay
    }

    /// How many places earlier than it is shown a picture is decoded, at the most.
    ///
    /// - Parameter order: for each place of the showing order, the place in the decoding order.
    static func delay(ofOrder order: [Int]) -> Int {
        order.enumerated().reduce(0) { max($0, $1.element - $1.offset) }
    }

    /// The decoding time of a place in the decoding order.
    func time(of place: Int) -> Int64 {
        guard place < delay else {
            return shown[place - delay]
        }
        // Before the first is shown there are no times to take: as far apart as the first two.
        let step = shown.count > 1 ? min(max(1, shown[1] - shown[0]), Int64(Int32.max)) : 1
        return shown[0] - Int64(delay - place) * step
    }
}
