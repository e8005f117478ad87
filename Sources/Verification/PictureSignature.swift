import Media

/// A picture made so small that a codec's errors average out and motion stays: the brightness of 64 by
/// 64 squares, upright, whatever its shape.
struct PictureSignature: Sendable {
    static let side = 64
    /// Rows from the top.
    let luma: [UInt8]

    /// The mean square difference, in 8-bit steps.
    func difference(from other: PictureSignature) -> Double {
        luma.withUnsafeBufferPointer { a in
            other.luma.withUnsafeBufferPointer { b in
                var sum: Int32 = 0
                for place in 0..<min(a.count, b.count) {
                    let step = Int32(a[place]) - Int32(b[place])
                    sum += step * step
                }
                return Double(sum) / Double(Self.side * Self.side)
            }
        }
    }

    /// Whether it could show the same, however badly it was coded and whatever was done to its brightness
    /// and contrast.
    func resembles(_ other: PictureSignature) -> Bool {
        let difference = difference(from: other)
        guard difference > Self.unlike else {
            return true
        }
        let (one, two) = (variance, other.variance)
        let step = mean - other.mean
        guard min(one, two) > Self.even else {
            // Of an even picture only the brightness tells. One that became even was grain.
            return two <= Self.even
                ? difference < Self.unlikeBrightness
                : two < Self.grain && step * step < Self.unlike
        }
        let common = (one + two + step * step - difference) / 2
        return common > Self.leastCorrelation * (one * two).squareRoot()
    }

    /// A mean square of less than so much, in 8-bit steps, is a codec's at usual rates.
    private static let unlike = 64.0
    /// The variance of what is taken for an even picture.
    private static let even = 25.0
    /// A codec at its coarsest may leave nothing of less variance, but brightness stays.
    private static let grain = 500.0
    /// A mean square of 40²: ranges of brightness that are taken for each other make 20².
    private static let unlikeBrightness = 1600.0
    /// Of the brightness of pictures that show the same: 0.89 and more where x264 is at its coarsest (real
    /// clips, constant rate factor 51), around 0 of pictures that have nothing to do with each other.
    private static let leastCorrelation = 0.6

    private var mean: Double {
        Double(luma.reduce(0) { $0 + Int($1) }) / Double(luma.count)
    }

    private var variance: Double {
        let squares = luma.reduce(0) { $0 + Int($1) * Int($1) }
        return Double(squares) / Double(luma.count) - mean * mean
    }

    /// This one and the one after it, mixed.
    ///
    /// - Parameter share: of the other one.
    func mixed(with other: PictureSignature, share: Double) -> PictureSignature {
        let values = zip(luma, other.luma).map { a, b in
            UInt8((Double(a) * (1 - share) + Double(b) * share).rounded())
        }
        return PictureSignature(luma: values)
    }

    /// The eight ways in which a square can lie.
    enum Turn: Int, CaseIterable {
        case upright, right, upsideDown, left
        case mirrored, mirroredRight, mirroredUpsideDown, mirroredLeft

        /// In words, of a picture that should be upright.
        var sentence: String {
            switch self {
            case .upright: "upright"
            case .right: "turned clockwise by 90°"
            case .upsideDown: "turned by 180°"
            case .left: "turned counterclockwise by 90°"
            case .mirrored: "mirrored"
            case .mirroredRight: "mirrored and turned clockwise by 90°"
            case .mirroredUpsideDown: "mirrored top to bottom"
            case .mirroredLeft: "mirrored and turned counterclockwise by 90°"
            }
        }
    }

    /// Turned clockwise, after it is mirrored left to right.
    func turned(_ turn: Turn) -> PictureSignature {
        let last = Self.side - 1
        var turned = [UInt8](repeating: 0, count: luma.count)
        for y in 0...last {
            for x in 0...last {
                let from = turn.rawValue >= 4 ? last - x : x
                let target: (x: Int, y: Int)
                switch turn.rawValue % 4 {
                case 1: target = (last - y, x)
                case 2: target = (last - x, last - y)
                case 3: target = (y, last - x)
                default: target = (x, y)
                }
                turned[target.y * Self.side + target.x] = luma[y * Self.side + from]
            }
        }
        return PictureSignature(luma: turned)
    }
}

/// Makes signatures of one stream's pictures. Used on one thread.
struct SignatureMaker {
    private let turn: PictureSignature.Turn
    private let path: String
    private var converter: PixelConverter?

    /// - Parameter rotation: degrees clockwise that a player turns the picture by.
    init(rotation: Double, path: String) {
        let quarters = Int((rotation / 90).rounded()) & 3
        turn = PictureSignature.Turn(rawValue: quarters) ?? .upright
        self.path = path
    }

    mutating func signature(of frame: Frame) throws -> PictureSignature {
        let side = PictureSignature.side
        if converter?.accepts(frame) != true {
            converter = try PixelConverter(
                from: frame, to: .yuv420p, width: side, height: side, path: path)
        }
        let small = try converter?.convert(frame)
        let luma = small?.withPlane(0) { bytes, stride in
            (0..<side).flatMap { bytes[$0 * stride..<$0 * stride + side] }
        }
        let stored = PictureSignature(
            luma: luma ?? [UInt8](repeating: 0, count: side * side))
        return turn == .upright ? stored : stored.turned(turn)
    }
}
