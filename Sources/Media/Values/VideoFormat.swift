import CLibAV
import TimeMaps

/// How a video track's frames are stored.
public struct VideoFormat: Hashable, Sendable, Codable {
    /// The width in pixels, as stored: before rotation and before ``sampleAspectRatio`` is applied.
    public var width: Int
    /// The height in pixels, as stored: before rotation.
    public var height: Int
    /// How a frame's pixels lie in memory.
    public var pixelFormat: PixelFormat
    /// The frame rate that the file declares; for a variable frame rate, the average. Nil if unknown.
    public var frameRate: FrameRate?
    /// The lowest constant frame rate whose grid includes the times of all frames, by libav's estimate; nil if
    /// unknown.
    public var nominalRate: FrameRate?
    /// Whether all frame times lie on the grid of a constant frame rate.
    public var cadence: Cadence
    /// The width of a pixel divided by its height; nil if unknown, which mostly means 1.
    public var sampleAspectRatio: Ratio?
    /// The same as the first frame's codec states it, which the container may overrule; nil if unknown.
    var codedAspectRatio: Ratio?
    /// How the stored numbers stand for colours.
    public var color: ColorDescription
    /// Whether frames are progressive or interlaced, and which field comes first, as the stream states.
    public var fieldOrder: FieldOrder

    /// Creates a format; `width` and `height` are in pixels.
    package init(
        width: Int, height: Int, pixelFormat: PixelFormat, frameRate: FrameRate?,
        nominalRate: FrameRate?, cadence: Cadence = .unknown, sampleAspectRatio: Ratio?,
        color: ColorDescription, fieldOrder: FieldOrder
    ) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.frameRate = frameRate
        self.nominalRate = nominalRate
        self.cadence = cadence
        self.sampleAspectRatio = sampleAspectRatio
        self.color = color
        self.fieldOrder = fieldOrder
    }

    /// The same video in another pixel format. Where RGB becomes luma and chroma, it says by which matrix.
    package func stored(as pixelFormat: PixelFormat) -> VideoFormat {
        var stored = self
        stored.pixelFormat = pixelFormat
        if pixelFormat.isFullRange {
            stored.color.range = UInt32(AVCOL_RANGE_JPEG.rawValue)
        }
        if self.pixelFormat.isRGB, !pixelFormat.isRGB {
            stored.color.matrix = color.lumaMatrix(height: height)
        }
        return stored
    }

    /// The same video without its last column and row where a codec can't store them.
    package func cropped(for codec: VideoCodec) -> VideoFormat {
        guard codec.wantsWholeChroma else {
            return self
        }
        let shift = pixelFormat.chromaShift
        var cropped = self
        cropped.width = max(1, width >> shift.horizontal) << shift.horizontal
        cropped.height = max(1, height >> shift.vertical) << shift.vertical
        return cropped
    }

    /// How many bytes a decoded frame takes in this pixel format; 0 if that is unknown.
    package var byteCount: Int {
        max(0, Int(av_image_get_buffer_size(pixelFormat.raw, CInt(width), CInt(height), 1)))
    }

    /// How a track's frames are spaced in time.
    public enum Cadence: Hashable, Sendable, Codable {
        /// All frame times lie on the grid of this rate, to within the container's rounding. Where a place of the
        /// grid has no frame, the frame before is shown for longer.
        case constant(FrameRate)
        /// Film of this rate whose frames are shown for three and two fields in turn, at 5/4 of the rate (soft telecine).
        case telecined(film: FrameRate)
        /// They lie on no such grid, as in many recordings of phones, screens and meetings.
        case variable
        /// The file doesn't state the time of each frame, or has hardly any frames.
        case unknown
    }

    /// A ratio of two whole numbers.
    public struct Ratio: Hashable, Sendable, Codable {
        /// The number above the line: the width.
        public let numerator: Int32
        /// The number below the line: the height.
        public let denominator: Int32

        /// Creates the ratio `numerator` / `denominator`.
        package init(_ numerator: Int32, over denominator: Int32) {
            self.numerator = numerator
            self.denominator = denominator
        }
    }

    /// Whether frames consist of two interlaced fields, and which of them comes first.
    public enum FieldOrder: Sendable, Codable {
        /// Whole frames without fields.
        case progressive
        /// The top field, which has the first line, comes first.
        case topFirst
        /// The bottom field, which has the second line, comes first.
        case bottomFirst
    }
}

extension VideoFormat {
    /// Makes all its frames lie on the grid of one rate.
    package mutating func setConstantRate(_ rate: FrameRate) {
        (frameRate, nominalRate, cadence) = (rate, rate, .constant(rate))
    }

    /// The frame rate to use when the stream is written at a constant frame rate.
    ///
    /// It is that of a constant ``cadence``, and of film that at which it is shown. Otherwise it is ``nominalRate`` where that is close to ``frameRate``, else
    /// ``frameRate``; 25 if the file states neither.
    package var usualRate: FrameRate {
        switch cadence {
        case .constant(let rate): return rate
        case .telecined(let film):
            return FrameRate(known: film.numerator * 5 / 4, over: film.denominator)
        case .variable, .unknown: break
        }
        guard let average = frameRate ?? nominalRate else {
            return FrameRate(known: 25)
        }
        guard let nominal = nominalRate else {
            return average
        }
        let ratio = nominal.framesPerSecond / average.framesPerSecond
        return (0.98...1.5).contains(ratio) ? nominal : average
    }
}

/// How the numbers in a frame stand for colours: the code points of ITU-T H.273.
public struct ColorDescription: Hashable, Sendable, Codable {
    /// The colour primaries; 2 means unknown.
    public var primaries: UInt32
    /// The transfer characteristics; 2 means unknown.
    public var transfer: UInt32
    /// The matrix coefficients from RGB to luma and chroma; 2 means unknown.
    public var matrix: UInt32
    /// The range of values: 0 unknown, 1 limited ("video"), 2 full.
    public var range: UInt32
    /// Where chroma samples lie: libav's code, which is H.273's code plus one; 0 means unknown.
    public var chromaLocation: UInt32

    /// Creates a description from code points.
    package init(
        primaries: UInt32, transfer: UInt32, matrix: UInt32, range: UInt32,
        chromaLocation: UInt32
    ) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.range = range
        self.chromaLocation = chromaLocation
    }

    /// A description in which nothing is known.
    package static let unknown = ColorDescription(
        primaries: 2, transfer: 2, matrix: 2, range: 0, chromaLocation: 0)
    /// BT.709 in limited range, which high-definition television and the web use.
    package static let highDefinition = ColorDescription(
        primaries: 1, transfer: 1, matrix: 1, range: 1, chromaLocation: 1)

    /// This description for values of a pixel format: grey that doesn't say its range has the full one, as libav assumes.
    func of(_ format: PixelFormat) -> ColorDescription {
        var result = self
        if range == 0, format.isGrey {
            result.range = UInt32(AVCOL_RANGE_JPEG.rawValue)
        }
        return result
    }

    /// Whether values have the full range.
    var isFullRange: Bool { range == UInt32(AVCOL_RANGE_JPEG.rawValue) }

    /// The matrix of video that doesn't say it: BT.709 from 720 rows on and BT.601 below, as players assume.
    static func usualMatrix(height: Int) -> UInt32 { height >= 720 ? 1 : 5 }

    /// The matrix with which RGB becomes luma and chroma. RGB has none of its own, so it is that of its primaries; if these
    /// are unknown, the usual one.
    func lumaMatrix(height: Int) -> UInt32 {
        switch (matrix, primaries) {
        case (3..., _), (1, _): matrix
        case (_, 1), (_, 5), (_, 6), (_, 9): primaries
        default: Self.usualMatrix(height: height)
        }
    }

    /// Returns this description with its unknown values taken from another one.
    package func completed(by other: ColorDescription) -> ColorDescription {
        // H.273 calls 2 "unspecified"; for range and chroma location that is 0.
        ColorDescription(
            primaries: primaries == 2 ? other.primaries : primaries,
            transfer: transfer == 2 ? other.transfer : transfer,
            matrix: matrix == 2 ? other.matrix : matrix,
            range: range == 0 ? other.range : range,
            chromaLocation: chromaLocation == 0 ? other.chromaLocation : chromaLocation)
    }
}

extension VideoFormat {
    /// The aspect ratio (width / height) at which the frames are shown.
    ///
    /// - Parameter degrees: by how much a player rotates them.
    package func shownRatio(turned degrees: Double) -> Double {
        let pixel = sampleAspectRatio.map { Double($0.numerator) / Double($0.denominator) } ?? 1
        let ratio = Double(width) * pixel / Double(max(height, 1))
        return Int((degrees / 90).rounded()) % 2 == 0 ? ratio : 1 / ratio
    }
}
