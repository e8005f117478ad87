/// Computes DTS from PTS.
///
/// With a reordering delay of d frames, the DTS of frame i in decoding order is the PTS of frame i − d in
/// presentation order. If no frame is decoded more than d places before it is presented, the DTS increase, and none is
/// later than the frame's own PTS.
struct DTSFromPTS {
    /// The PTS, in increasing order.
    private let shown: [Int64]
    private let delay: Int

    init(_ shown: [Int64], delay: Int) {
        self.shown = shown
        self.delay = delay
    }

    /// The reordering delay: by how many places at most a frame is decoded before it is presented.
    ///
    /// - Parameter order: for each frame in presentation order, its place in decoding order.
    static func delay(ofOrder order: [Int]) -> Int {
        order.enumerated().reduce(0) { max($0, $1.element - $1.offset) }
    }

    /// The DTS of a frame, given by its place in decoding order.
    func time(of place: Int) -> Int64 {
        guard place < delay else {
            return shown[place - delay]
        }
        // The first DTS come before the first PTS. Their distance is that of the first two PTS.
        let step = shown.count > 1 ? min(max(1, shown[1] - shown[0]), Int64(Int32.max)) : 1
        return shown[0] - Int64(delay - place) * step
    }
}
