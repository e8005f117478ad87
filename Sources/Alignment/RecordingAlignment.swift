/// The alignment of two recordings of one event: which time of the reference each time of the recording
/// corresponds to, and how far the clocks drift apart.
///
/// ```
/// reference time
///   │            ╱‾ third line
///   │        ╱‾‾     second line        slope = 1 + ppm·1e-6
///   │     ╱
///   │   ╱  first line
///   └────────────────── recording time
/// ```
public struct RecordingAlignment: Sendable {
    /// A section of the recording in which the ratio of the clocks is constant.
    public struct Line: Hashable, Sendable {
        /// The section's start in the recording, in seconds.
        public let start: Double
        /// The section's end in the recording, in seconds.
        public let end: Double
        /// The time in the reference that corresponds to `start`, in seconds.
        public let referenceStart: Double
        /// The time in the reference that corresponds to `end`, in seconds.
        public let referenceEnd: Double

        /// How much longer the section lasts in the reference, in parts per million.
        public var ppm: Double { (slope - 1) * 1e6 }

        /// Reference seconds per recording second.
        var slope: Double { (referenceEnd - referenceStart) / (end - start) }

        func referenceTime(of time: Double) -> Double {
            referenceStart + (time - start) * slope
        }
    }

    /// A second of the recording that was found in the reference.
    public struct Window: Hashable, Sendable {
        /// The window's middle in the recording, in seconds.
        public let time: Double
        /// The time in the reference that corresponds to `time`, in seconds.
        public let referenceTime: Double
    }

    /// The lines in order; each starts where the one before ends. They cover the part of the recording that
    /// the reference also covers, without its ends if no window matched there. Usually there is one line. A
    /// jump is a short steep line between two others.
    public let lines: [Line]
    /// The reference time that corresponds to the recording's start, 0 s, by the first line, in seconds.
    public let offsetSeconds: Double
    /// How much longer the event lasts in the reference, in parts per million, by one line through all
    /// windows.
    public let ppm: Double
    /// The root mean square distance of the matched windows from the lines, in seconds. Windows within
    /// jumps don't count.
    public let residualRMSSeconds: Double
    /// The largest distance of a matched window from the lines, in seconds. Windows within jumps don't count.
    public let residualMaxSeconds: Double
    /// The windows that matched, in order of time, without outliers. At most 300, and up to 48 more in each jump.
    public let windows: [Window]
    /// The number of windows that matched and lie on the lines.
    public let windowsMatched: Int
    /// The number of windows that were compared.
    public let windowCount: Int

    /// The reference time that corresponds to a recording time, both in seconds. Beyond the lines, where
    /// nothing was measured, the first and the last line continue. O(n) lines.
    public func referenceTime(of recordingTime: Double) -> Double {
        let line = lines.first { recordingTime < $0.end } ?? lines[lines.count - 1]
        return line.referenceTime(of: recordingTime)
    }
}
