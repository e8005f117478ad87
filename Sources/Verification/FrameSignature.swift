import Media
import TimeWarp

/// A frame scaled down to 64 by 64 luma values and rotated upright, whatever its aspect ratio. At that size a
/// codec's errors average out, and motion remains visible.
struct FrameSignature: Sendable {
    /// The width and the height.
    static let side = 64
    /// The luma values, top row first.
    let luma: [UInt8]
    /// The same number for identical frames of the same size and pixel format, and practically never for others; nil
    /// if it wasn't asked for.
    var digest: UInt64?

    /// The mean square difference, in 8-bit steps.
    func difference(from other: FrameSignature) -> Double {
        difference(from: other, left: 0, top: 0, side: Self.side)
    }

    /// The mean square difference in a square, in 8-bit steps.
    private func difference(
        from other: FrameSignature, left: Int, top: Int, side: Int
    ) -> Double {
        luma.withUnsafeBufferPointer { a in
            other.luma.withUnsafeBufferPointer { b in
                var sum: Int32 = 0
                for row in top..<top + side {
                    for place in row * Self.side + left..<row * Self.side + left + side {
                        let step = Int32(a[place]) - Int32(b[place])
                        sum += step * step
                    }
                }
                return Double(sum) / Double(side * side)
            }
        }
    }

    /// How much this signature shows in one place that none of some others shows there: the largest difference of a block
    /// of 8 by 8 values from that of the others which is nearest to it, a root mean square in 8-bit steps.
    func oddity(beside others: [FrameSignature]) -> Double {
        let block = 8
        var most = 0.0
        for top in stride(from: 0, to: Self.side, by: block) {
            for left in stride(from: 0, to: Self.side, by: block) {
                let nearest = others.map { difference(from: $0, left: left, top: top, side: block) }
                    .min()
                most = max(most, nearest ?? 0)
            }
        }
        return most.squareRoot()
    }

    /// Whether this signature could show the same as another one, even after very lossy coding and changes
    /// of brightness and contrast.
    func resembles(_ other: FrameSignature) -> Bool {
        let difference = difference(from: other)
        guard difference > Self.unlike else {
            return true
        }
        let (one, two) = (variance, other.variance)
        let step = mean - other.mean
        guard min(one, two) > Self.even else {
            // Even frames are compared by brightness only. If only this one is even, the other must have been
            // nothing but grain.
            return two <= Self.even
                ? difference < Self.unlikeBrightness
                : two < Self.grain && step * step < Self.unlike
        }
        let common = (one + two + step * step - difference) / 2
        return common > Self.leastCorrelation * (one * two).squareRoot()
    }

    /// The mean square difference, in squared 8-bit steps, that codecs cause at usual bit rates.
    static let unlike = 64.0
    /// The largest variance of a frame that counts as even.
    private static let even = 25.0
    /// A codec at its lowest quality may remove all detail of less variance, but it keeps the brightness.
    private static let grain = 500.0
    /// A mean square difference of 40². Confusing limited and full range of brightness makes at most 20².
    private static let unlikeBrightness = 1600.0
    /// The least correlation of the luma of frames that show the same. It is 0.89 or more with x264 at its
    /// lowest quality (real clips, constant rate factor 51), and around 0 for unrelated frames.
    private static let leastCorrelation = 0.6

    /// Whether the frame is black all over, apart from what a codec adds.
    var isBlack: Bool { mean < Self.black && variance <= Self.even }

    /// Brighter frames aren't black. Black is 16, and codecs add a few steps next to a cut.
    private static let black = 32.0

    private var mean: Double {
        Double(luma.reduce(0) { $0 + Int($1) }) / Double(luma.count)
    }

    private var variance: Double {
        let squares = luma.reduce(0) { $0 + Int($1) * Int($1) }
        return Double(squares) / Double(luma.count) - mean * mean
    }

    /// A mix of this signature and another.
    ///
    /// - Parameter share: the share of the other one, from 0 to 1.
    func mixed(with other: FrameSignature, share: Double) -> FrameSignature {
        let values = zip(luma, other.luma).map { a, b in
            UInt8((Double(a) * (1 - share) + Double(b) * share).rounded())
        }
        return FrameSignature(luma: values)
    }

    /// A signature between this one and another, made from the motion between them. It is nearly the signature of the
    /// frame that a render makes between their frames.
    ///
    /// - Parameter share: how far from this one to the other, above 0 and below 1.
    /// - Returns: the nearer one if nothing moves; nil if the two have nothing in common, so that a render shows the
    ///   nearer one there too.
    func moved(toward other: FrameSignature, share: Double) -> FrameSignature? {
        LumaInterpolation(from: luma, to: other.luma, width: Self.side).samples(at: share)
            .map { FrameSignature(luma: $0) }
    }

    /// The eight ways to rotate and mirror a square.
    enum Turn: Int, CaseIterable {
        case upright, right, upsideDown, left
        case mirrored, mirroredRight, mirroredUpsideDown, mirroredLeft

        /// The way in words, for frames that should be upright.
        var sentence: String {
            switch self {
            case .upright: "upright"
            case .right: "rotated clockwise by 90°"
            case .upsideDown: "rotated by 180°"
            case .left: "rotated counterclockwise by 90°"
            case .mirrored: "mirrored"
            case .mirroredRight: "mirrored and rotated clockwise by 90°"
            case .mirroredUpsideDown: "mirrored top to bottom"
            case .mirroredLeft: "mirrored and rotated counterclockwise by 90°"
            }
        }
    }

    /// The signature rotated clockwise; mirrored ways are mirrored left to right first.
    func turned(_ turn: Turn) -> FrameSignature {
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
        return FrameSignature(luma: turned)
    }
}

/// Makes the signatures of one stream's frames. Used on one thread.
struct SignatureMaker {
    private let turn: FrameSignature.Turn
    private let withDigests: Bool
    private let path: String
    private var converter: PixelConverter?

    /// - Parameters:
    ///   - rotation: the degrees by which a player rotates the frames clockwise.
    ///   - withDigests: whether signatures have a ``FrameSignature/digest``.
    init(rotation: Double, withDigests: Bool, path: String) {
        self.withDigests = withDigests
        let quarters = Int((rotation / 90).rounded()) & 3
        turn = FrameSignature.Turn(rawValue: quarters) ?? .upright
        self.path = path
    }

    mutating func signature(of frame: Frame) throws -> FrameSignature {
        let side = FrameSignature.side
        if converter?.accepts(frame) != true {
            converter = try PixelConverter(
                from: frame, to: .yuv420p, width: side, height: side, path: path)
        }
        let small = try converter?.convert(frame)
        let luma = small?.withPlane(0) { bytes, stride in
            (0..<side).flatMap { bytes[$0 * stride..<$0 * stride + side] }
        }
        let stored = FrameSignature(
            luma: luma ?? [UInt8](repeating: 0, count: side * side))
        var signature = turn == .upright ? stored : stored.turned(turn)
        signature.digest = withDigests ? frame.digest : nil
        return signature
    }
}
