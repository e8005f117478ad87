/// Fades a segment of sound in and out, in a straight line: two segments that fade over the same samples
/// add up to what either would be alone.
///
/// ```
///  gain 1   ╱────────╲ ╱──────
///       0 ─╱          ╳         out of one while into the next
///                    cut
/// ```
package struct SegmentFades: Sendable, Equatable {
    /// In samples of the output; not whole, because a cut may lie between two. Empty for no fade.
    package let rise: Range<Double>
    package let fall: Range<Double>

    /// Nothing fades.
    static let none = SegmentFades(rise: 0..<0, fall: 0..<0)

    /// - Parameter first: the output sample that the channels begin with.
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
