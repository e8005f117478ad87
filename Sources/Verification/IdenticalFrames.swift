import Media

/// Which source frames have to be in an output bit for bit.
enum IdenticalFrames {
    /// None has to be.
    case none
    /// All that the codec, which is lossless, could convert without a change.
    case lossless
    /// Those shown in some ranges of output seconds, whose packets were kept. The ranges are in order.
    case kept([Range<Double>])

    /// Those of a finished track.
    ///
    /// - Parameter kept: the ranges of output seconds in which packets were kept.
    init(of written: Asset.Stream, kept: [Range<Double>]) {
        self = !kept.isEmpty ? .kept(kept) : written.isLossless ? .lossless : .none
    }

    /// Whether frames have to be compared bit for bit at all.
    var exist: Bool {
        switch self {
        case .none: false
        case .lossless, .kept: true
        }
    }

    /// Whether the source frame shown at a time is looked at.
    func contains(_ seconds: Double) -> Bool {
        switch self {
        case .none: return false
        case .lossless: return true
        case .kept(let ranges):
            let next = ranges.indices.partitionPoint { ranges[$0].lowerBound > seconds }
            return next > 0 && ranges[next - 1].contains(seconds)
        }
    }

    /// Why frames that differ are wrong.
    var reason: String {
        switch self {
        case .none, .lossless: "the codec is lossless"
        case .kept: "its packets were kept"
        }
    }

    /// Whether all frames may differ: if they were converted to another pixel format.
    var mayAllDiffer: Bool {
        switch self {
        case .none, .lossless: true
        case .kept: false
        }
    }
}
