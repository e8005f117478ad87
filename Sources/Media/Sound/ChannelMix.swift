import CLibAV

/// How the channels of one layout become those of another: so much of each in each.
///
/// Weights are those of libswresample, kept from ever adding up to more than 1: 5.1 becomes stereo with the
/// centre and the surrounds at 0.707 of the sides, mono goes to both sides.
package struct ChannelMix: Sendable {
    /// Nil where nothing changes.
    private let weights: [[Float]]?

    /// - Throws: ``MediaError`` where there is no usual way from one to the other.
    package init(from source: ChannelLayout, to target: ChannelLayout, path: String) throws {
        guard source != target else {
            weights = nil
            return
        }
        // It would take 3 dB off what has nothing to be mixed with.
        guard source.channelCount > 1 || target != ChannelLayout(channelCount: 2) else {
            weights = [[1], [1]]
            return
        }
        // SWR_CH_MAX: it scales all of so large a matrix, however few channels there are.
        let stride = 64
        guard max(source.channelCount, target.channelCount) <= stride else {
            throw MediaError(
                .unsupported, file: path,
                reason: "\(source.channelCount) channels can't be mixed to \(target.channelCount)")
        }
        var matrix = [Double](repeating: 0, count: stride * stride)
        let half = 0.5.squareRoot()
        let result = source.withPointer { source in
            target.withPointer { target in
                swr_build_matrix2(
                    source, target, half, half, 0, 1, 1, &matrix, stride,
                    AV_MATRIX_ENCODING_NONE, nil)
            }
        }
        try check(
            result, doing: "mixing \(source) to \(target)", path, as: .unsupported)
        weights = (0..<target.channelCount).map { output in
            (0..<source.channelCount).map { Float(matrix[output * stride + $0]) }
        }
    }

    /// The channels of the target's layout.
    package func mixed(_ channels: [[Float]]) -> [[Float]] {
        guard let weights, let count = channels.first?.count else {
            return channels
        }
        return weights.map { row in
            var sum = [Float](repeating: 0, count: count)
            for (weight, channel) in zip(row, channels) where weight != 0 {
                for index in 0..<count {
                    sum[index] += weight * channel[index]
                }
            }
            return sum
        }
    }
}
