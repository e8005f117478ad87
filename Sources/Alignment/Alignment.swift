/// How two recordings of one event lie in time.
///
/// ```
/// reference time
///   │            ╱‾ third line
///   │        ╱‾‾     second line        slope = 1 + ppm·1e-6
///   │     ╱
///   │   ╱  first line
///   └────────────────── recording time
/// ```
public struct Alignment: Sendable {
    /// A stretch of the recording over which the clocks keep one ratio.
    public struct Line: Hashable, Sendable {
        /// Where the stretch starts in the recording, in seconds.
        public let start: Double
        /// Where the stretch ends in the recording, in seconds.
        public let end: Double
        /// The time in the reference that `start` falls on, in seconds.
        public let referenceStart: Double
        /// The time in the reference that `end` falls on, in seconds.
        public let referenceEnd: Double

        /// How much longer the stretch lasts in the reference, in millionths.
        public var ppm: Double { (slope - 1) * 1e6 }

        /// Reference seconds for each recording second.
        var slope: Double { (referenceEnd - referenceStart) / (end - start) }

        func referenceTime(of time: Double) -> Double {
            referenceStart + (time - start) * slope
        }
    }

    /// The lines in order, each starting where the one before ends, over the part of the recording
    /// that the reference covers, less the ends of it where no window matched. Usually one; a jump
    /// shows as a short steep one between two.
    public let lines: [Line]
    /// The reference time of the recording's instant 0, by the first line, in seconds.
    public let offsetSeconds: Double
    /// How much longer the reference takes, in millionths, by one line through all windows.
    public let ppm: Double
    /// The root mean square distance of the matched windows from the lines, in seconds.
    public let residualRMSSeconds: Double
    /// The largest distance of a matched window from the lines, in seconds.
    public let residualMaxSeconds: Double
    /// How many windows matched and lie on the lines.
    public let windowsMatched: Int
    /// How many windows were compared.
    public let windowCount: Int

    /// The reference time of a recording time, both in seconds; the outer lines go on beyond
    /// their ends, where nothing was measured. O(number of lines).
    public func referenceTime(of recordingTime: Double) -> Double {
        let line = lines.first { recordingTime < $0.end } ?? lines[lines.count - 1]
        return line.referenceTime(of: recordingTime)
    }
}
