import TimeMaps

/// A straight line from one point to another: time on a track, or in a clip, against time in a file. It goes on beyond
/// both points.
struct StraightLine {
    let start: TimeAnchor
    /// Its output time is later.
    let end: TimeAnchor

    init(_ start: TimeAnchor, _ end: TimeAnchor) {
        (self.start, self.end) = (start, end)
    }

    /// The file's time at an output time.
    func source(at output: RationalTime) throws -> RationalTime {
        let share = ExactFraction(try output.difference(start.output)).scaled(
            by: try end.source.difference(start.source),
            over: try end.output.difference(start.output))
        return try RationalTime(share?.plus(ExactFraction(start.source)))
    }

    /// The output time of a time of the file; nil if the line is level.
    func output(of source: RationalTime) throws -> RationalTime? {
        guard start.source != end.source else {
            return nil
        }
        let share = ExactFraction(try source.difference(start.source)).scaled(
            by: try end.output.difference(start.output),
            over: try end.source.difference(start.source))
        return try RationalTime(share?.plus(ExactFraction(start.output)))
    }
}
