/// How the compared frames of a track were made, judged by what they show.
public struct FrameKinds: Sendable, Codable, Hashable {
    /// Frames that should show one source frame as it is.
    public internal(set) var source = 0
    /// The frames of ``source`` that have exactly the samples of their source frame. Nil if that can't be expected:
    /// after lossy coding, in another pixel format, and in compositions.
    public internal(set) var identical: Int?
    /// Frames at instants between two source frames, made from the motion between them.
    public internal(set) var synthesised = 0
    /// Frames at instants between two source frames, mixed from them.
    public internal(set) var blended = 0
    /// Frames at instants between two source frames that show one of them, although frames should be made there.
    public internal(set) var held = 0

    /// The counts of both.
    static func + (one: FrameKinds, other: FrameKinds) -> FrameKinds {
        var sum = one
        sum.source += other.source
        if one.identical != nil || other.identical != nil {
            sum.identical = (one.identical ?? 0) + (other.identical ?? 0)
        }
        sum.synthesised += other.synthesised
        sum.blended += other.blended
        sum.held += other.held
        return sum
    }
}
