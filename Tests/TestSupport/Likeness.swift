/// How alike two runs of samples are. It is here, in an optimised target, because tests compare many millions.
public enum Likeness {
    /// In how many runs of this many samples the root mean square of the error is above a limit.
    ///
    /// - Parameters:
    ///   - place: the place in `wanted` of the first sample of `found`. Outside of `wanted` there is silence.
    ///   - margin: how many samples at the start and at the end of `found` don't count.
    /// - Returns: the number of runs that are too far away, and of all.
    public static func runs(
        of length: Int, in found: [Float], farFrom wanted: [Float], at place: Int, margin: Int,
        limit: Float
    ) -> (far: Int, all: Int) {
        let starts = stride(from: margin, to: found.count - margin, by: length)
        var counts = (far: 0, all: 0)
        for start in starts {
            var sum: Float = 0
            for index in start..<min(start + length, found.count) {
                let other = index + place
                let error = found[index] - (wanted.indices.contains(other) ? wanted[other] : 0)
                sum += error * error
            }
            counts.all += 1
            counts.far += (sum / Float(length)).squareRoot() > limit ? 1 : 0
        }
        return counts
    }
}
