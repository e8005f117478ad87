import TimeMaps

/// A gain of an edit file: a number of decibels, or a list of keyframes.
struct FileGain: Codable {
    private struct Keyframe: Codable {
        let at: FileTime
        let decibels: Double

        private enum CodingKeys: String, CodingKey {
            case at
            case decibels = "dB"
        }

        init(_ keyframe: Gain.Keyframe) {
            at = FileTime(time: keyframe.at)
            decibels = keyframe.decibels
        }
    }

    let gain: Gain

    /// The largest number of keyframes.
    private static let most = 10_000

    init(gain: Gain) {
        self.gain = gain
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let decibels = try? container.decode(Double.self) {
            gain = try Gain(decibels: decibels)
            return
        }
        let keyframes = try container.decode([Keyframe].self)
        guard keyframes.count <= Self.most else {
            throw CompositionError.invalid("a gain has at most \(Self.most) keyframes")
        }
        gain = try Gain(keyframes.map { ($0.at.time, $0.decibels) })
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if gain.keyframes.count == 1 {
            try container.encode(gain.keyframes[0].decibels)
        } else {
            try container.encode(gain.keyframes.map(Keyframe.init))
        }
    }
}
