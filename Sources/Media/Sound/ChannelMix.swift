import CLibAV

/// Mixes the channels of one layout into those of another with a matrix of weights.
///
/// The weights are those of libswresample, scaled so that they never sum to more than 1. From 5.1 to stereo the
/// centre and the surrounds are mixed in at 0.707 of the left and right channels; mono goes to both channels.
package struct ChannelMix: Sendable {
    /// One row for each output channel, one weight for each input channel; nil if both layouts are the same.
    private let weights: [[Float]]?

    /// Whether channels stay as they are.
    package var isUnchanged: Bool { weights == nil }

    /// Channels stay as they are.
    package static let unchanged = ChannelMix(weights: nil)

    private init(weights: [[Float]]?) {
        self.weights = weights
    }

    /// - Throws: ``MediaError`` when libswresample has no weights for the two layouts.
    package init(from source: ChannelLayout, to target: ChannelLayout, path: String) throws {
        guard source != target else {
            weights = nil
            return
        }
        // From mono to stereo libswresample would lower the level by 3 dB, though nothing is mixed.
        guard source.channelCount > 1 || target != ChannelLayout(channelCount: 2) else {
            weights = [[1], [1]]
            return
        }
        // SWR_CH_MAX: libswresample scales a matrix of this size, however few channels there are.
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

    /// Returns the mixed sound: one array for each channel of the target layout.
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
