/// Calculates decoding times (DTS) from presentation times (PTS).
///
/// With a delay of d frames, the frame at index i in decoding order gets as its DTS the PTS of the frame at
/// index i − d in presentation order. If no frame comes more than d places earlier in decoding order than in
/// presentation order, each DTS is at most the frame's PTS, and DTS increase.
struct DecodingClock {
    /// Presentation times, in increasing order.
    private let shown: [Int64]
    private let delay: Int

    init(_ shown: [Int64], delay: Int) {
        self.shown = shown
        self.delay = delay
    }

    /// The delay: how many places earlier than in presentation order a frame comes in decoding order, at most.
    ///
    /// - Parameter order: for each index in presentation order, the index in decoding order.
    static func delay(ofOrder order: [Int]) -> Int {
        order.enumerated().reduce(0) { max($0, $1.element - $1.offset) }
    }

    /// The decoding time of the frame at an index in decoding order.
    func time(of place: Int) -> Int64 {
        guard place < delay else {
            return shown[place - delay]
        }
        // Before the first PTS there are no times to take, so the distance is that of the first two.
        let step = shown.count > 1 ? min(max(1, shown[1] - shown[0]), Int64(Int32.max)) : 1
        return shown[0] - Int64(delay - place) * step
    }
}
