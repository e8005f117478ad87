import Media

/// Averages frames, a few at a time so that little memory is needed.
///
/// Sixteen frames become one, and sixteen of those become one again. Rounding adds less than a step per level.
struct FrameAverage {
    private var levels: [[(frame: Frame, weight: Double)]] = [[]]
    private var count = 0

    private static let most = 16

    mutating func add(_ frame: Frame, weight: Double, _ mixer: FrameMixer) throws {
        if let first = levels.lazy.compactMap(\.first).first, !first.frame.canMix(with: frame) {
            return
        }
        count += 1
        var carried = (frame: frame, weight: weight)
        for level in levels.indices {
            levels[level].append(carried)
            guard levels[level].count == Self.most else {
                return
            }
            carried = try Self.mix(levels[level], mixer)
            levels[level].removeAll()
        }
        levels.append([carried])
    }

    /// The average; nil if no frame was added.
    mutating func mixed(_ mixer: FrameMixer) throws -> (frame: Frame, isMixed: Bool)? {
        let all = levels.flatMap { $0 }
        guard all.count > 1 else {
            return all.first.map { ($0.frame, count > 1) }
        }
        return (try Self.mix(all, mixer).frame, true)
    }

    private static func mix(
        _ frames: [(frame: Frame, weight: Double)], _ mixer: FrameMixer
    ) throws -> (frame: Frame, weight: Double) {
        (try mixer.mix(frames), frames.reduce(0) { $0 + $1.weight })
    }
}

extension Frame {
    /// Whether two frames have the same format, and one that can be mixed.
    func canMix(with other: Frame) -> Bool {
        pixelFormat == other.pixelFormat && width == other.width && height == other.height
            && FrameMixer.canMix(pixelFormat)
    }
}
