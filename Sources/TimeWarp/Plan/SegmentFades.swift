/// Fades a segment of sound in and out linearly. The sum of two segments that fade over the same samples is as
/// loud as either alone.
///
/// ```
///  gain 1   ╱────────╲ ╱──────
///       0 ─╱          ╳         one fades out while the next fades in
///                    cut
/// ```
package struct SegmentFades: Sendable, Equatable {
    /// In output samples. The limits aren't whole, because a cut may be between two samples. The range is empty
    /// for no fade.
    package let rise: Range<Double>
    package let fall: Range<Double>

    /// No fades.
    static let none = SegmentFades(rise: 0..<0, fall: 0..<0)

    /// Applies the fades.
    ///
    /// - Parameters:
    ///   - channels: one array of samples for each channel.
    ///   - first: the index of their first sample in the output.
    func apply(to channels: inout [[Float]], first: Int64) {
        guard let count = channels.first?.count else {
            return
        }
        func scale(_ range: Range<Double>, _ gain: (Double) -> Double) {
            guard !range.isEmpty else {
                return
            }
            let from = max(0, Int(range.lowerBound.rounded(.up)) - Int(first))
            let to = min(count, Int(range.upperBound.rounded(.up)) - Int(first))
            for index in stride(from: from, to: to, by: 1) {
                let place = Double(first + Int64(index)) - range.lowerBound
                let gain = Float(gain(place / (range.upperBound - range.lowerBound)))
                for channel in channels.indices {
                    channels[channel][index] *= gain
                }
            }
        }
        scale(rise) { $0 }
        scale(fall) { 1 - $0 }
    }
}
