import CLibAV

/// The search for a keyframe's packet by its PTS.
struct KeyframeSearch {
    let stamp: Int64
    /// What the PTS counts in.
    let timeBase: AVRational

    /// Seeks to the keyframe. If the container's seek misses it, it seeks to ever earlier places and reads on from there.
    ///
    /// - Parameters:
    ///   - seek: seeks to a PTS, or further back; false if that is impossible.
    ///   - advance: reads packets until the verdict on one isn't nil, and returns it: true for the wanted one.
    /// - Returns: whether it was found.
    func run(
        seek: (Int64) -> Bool, advance: ((Packet) -> Bool?) throws -> Bool
    ) rethrows -> Bool {
        try [0.0, 1, 10, 60].contains { secondsEarly in
            let early = Int64(nearest: secondsEarly / av_q2d(timeBase))
            let (place, overflow) = stamp.subtractingReportingOverflow(early)
            guard !overflow, seek(place) else {
                return false
            }
            return try advance { packet in
                guard packet.isKey, let pts = packet.pts, pts >= stamp else {
                    return nil
                }
                return pts == stamp
            }
        }
    }
}
