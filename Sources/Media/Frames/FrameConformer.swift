import CLibAV

/// Brings pictures of any size, shape, turn and pixel format to one format: upright, whole, as large as
/// fits, with black beside or above what is left over.
///
/// ```
///  ┌──────┐        ┌─┬──────┬─┐        ┌──────┐
///  │ 4:3  │   →    │█│      │█│    or  │██████│
///  └──────┘        └─┴──────┴─┘        │ wide │
///                                      └──────┘
/// ```
/// Used on one thread.
package final class FrameConformer {
    private let format: VideoFormat
    /// How far a player would turn the pictures, clockwise.
    private let turn: QuarterTurn
    /// Width over height of their pixels.
    private let pixelAspect: Double
    private let path: String
    private var fitting: Fitting?
    private var latest: (source: Frame, result: Frame)?

    /// - Parameters:
    ///   - format: what comes out; its pixel format is what an encoder will store.
    ///   - source: whose pictures come in: their turn and the shape of their pixels.
    ///   - path: the file, for messages.
    package init(to format: VideoFormat, from source: Asset.Stream, path: String) {
        self.format = format
        self.path = path
        turn = QuarterTurn(degrees: source.rotation)
        pixelAspect = Self.aspect(source.videoFormat?.sampleAspectRatio)
    }

    private static func aspect(_ ratio: VideoFormat.Ratio?) -> Double {
        guard let ratio, ratio.numerator > 0, ratio.denominator > 0 else {
            return 1
        }
        return Double(ratio.numerator) / Double(ratio.denominator)
    }

    /// The picture in the format; itself where it is of it already.
    package func conform(_ frame: Frame) throws -> Frame {
        if let latest, latest.source === frame {
            return latest.result
        }
        let result = try isConformed(frame) ? frame : conformed(frame)
        latest = (frame, result)
        return result
    }

    private func isConformed(_ frame: Frame) -> Bool {
        turn == .none && frame.width == format.width && frame.height == format.height
            && frame.pixelFormat == format.pixelFormat
            && abs(pixelAspect / Self.aspect(format.sampleAspectRatio) - 1) < 0.001
            && ColorMatrix(frame) == ColorMatrix(format)
    }

    private func conformed(_ frame: Frame) throws -> Frame {
        if fitting?.accepts(frame) != true {
            fitting = try Fitting(
                frame, area: area(for: frame), turn: turn, format: format, path: path)
        }
        guard let fitting else {
            return frame
        }
        let target = try Frame.black(format)
        try fitting.draw(frame, on: target)
        return target
    }

    /// Where the picture goes: in the middle, on whole chroma samples.
    private func area(for frame: Frame) -> PixelArea {
        let isTurned = turn.swapsSides
        let shape = Double(frame.width) * pixelAspect / Double(frame.height)
        let wanted =
            (isTurned ? 1 / shape : shape) / Self.aspect(format.sampleAspectRatio)
        let (width, height) = (Double(format.width), Double(format.height))
        let scale = min(width / wanted, height)
        let step = format.pixelFormat.chromaShift
        func size(_ length: Double, _ whole: Int, _ shift: Int) -> Int {
            let even = Int((length / Double(1 << shift)).rounded()) << shift
            // Less than a chroma sample isn't worth a bar.
            return whole - even <= 1 << shift ? whole : max(1 << shift, even)
        }
        let fitted = (
            size(scale * wanted, format.width, step.horizontal),
            size(scale, format.height, step.vertical)
        )
        return PixelArea(
            x: ((format.width - fitted.0) >> (step.horizontal + 1)) << step.horizontal,
            y: ((format.height - fitted.1) >> (step.vertical + 1)) << step.vertical,
            width: fitted.0, height: fitted.1)
    }
}

/// A part of a picture, in pixels.
private struct PixelArea {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
}

/// A turn by a multiple of 90°, clockwise.
package enum QuarterTurn: Int {
    case none, right, half, left

    /// The nearest to an angle.
    package init(degrees: Double) {
        let turns = Int((degrees / 90).rounded()) % 4
        self = QuarterTurn(rawValue: (turns + 4) % 4) ?? .none
    }

    /// Whether width becomes height.
    package var swapsSides: Bool { self == .right || self == .left }
}

/// What numbers become colours by.
private struct ColorMatrix: Equatable {
    let matrix: CInt
    let isFull: Bool

    init(_ frame: Frame) {
        self.init(
            frame.color, frame.pixelFormat, height: frame.height)
    }

    init(_ format: VideoFormat) {
        self.init(format.color, format.pixelFormat, height: format.height)
    }

    /// Where nothing is said, high definition is BT.709 and what is smaller BT.601, as players take it.
    private init(_ color: ColorDescription, _ format: PixelFormat, height: Int) {
        guard !format.isRGB else {
            (matrix, isFull) = (SWS_CS_DEFAULT, true)
            return
        }
        let unsaid = height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601
        matrix = [0, 2].contains(color.matrix) ? unsaid : CInt(color.matrix)
        isFull = color.range == UInt32(AVCOL_RANGE_JPEG.rawValue)
    }
}

/// Scales pictures of one kind into a part of others. Used on one thread.
private final class Fitting {
    private let scaler: UnsafeMutableRawPointer
    private let source: (format: PixelFormat, width: Int, height: Int)
    private let area: PixelArea
    private let turn: QuarterTurn
    private let colors: ColorMatrix
    /// Of the scaled picture before it is turned: its chroma planes are turned too.
    private let uprightFormat: PixelFormat
    private let path: String

    init(
        _ frame: Frame, area: PixelArea, turn: QuarterTurn, format: VideoFormat, path: String
    ) throws {
        self.area = area
        self.turn = turn
        self.path = path
        source = (frame.pixelFormat, frame.width, frame.height)
        let size = turn.swapsSides ? (area.height, area.width) : (area.width, area.height)
        let upright = turn.swapsSides ? format.pixelFormat.turned : format.pixelFormat
        guard let upright else {
            throw MediaError(
                .unsupported, file: path,
                reason: "pictures in \(format.pixelFormat) can't be turned",
                remedy: "Put a clip first that isn't turned and is stored in 4:2:0")
        }
        uprightFormat = upright
        guard
            let made = tw_scaler_new(
                CInt(frame.width), CInt(frame.height), frame.pixelFormat.raw, CInt(size.0),
                CInt(size.1), upright.raw)
        else {
            throw MediaError(
                .unsupported, file: path,
                reason: "pictures in \(frame.pixelFormat) can't be brought to \(format.pixelFormat)"
            )
        }
        scaler = made
        colors = ColorMatrix(frame)
        let target = ColorMatrix(format)
        tw_scaler_set_colors(
            scaler, colors.matrix, colors.isFull ? 1 : 0, target.matrix, target.isFull ? 1 : 0)
    }

    deinit {
        tw_scaler_free(scaler)
    }

    func accepts(_ frame: Frame) -> Bool {
        frame.pixelFormat == source.format && frame.width == source.width
            && frame.height == source.height && ColorMatrix(frame) == colors
    }

    func draw(_ frame: Frame, on target: Frame) throws {
        guard turn != .none else {
            try scale(frame, into: target, area)
            return
        }
        let size = turn.swapsSides ? (area.height, area.width) : (area.width, area.height)
        let upright = try Frame(format: uprightFormat, width: size.0, height: size.1)
        try scale(
            frame, into: upright, PixelArea(x: 0, y: 0, width: size.0, height: size.1))
        for plane in 0..<target.pixelFormat.planeCount {
            copy(plane, of: upright, turnedInto: target)
        }
    }

    private func scale(_ frame: Frame, into target: Frame, _ area: PixelArea) throws {
        var planes: [UnsafeMutablePointer<UInt8>?] = [nil, nil, nil, nil]
        var strides: [CInt] = [0, 0, 0, 0]
        for plane in 0..<target.pixelFormat.planeCount {
            guard let (start, stride) = target.place(area.x, area.y, inPlane: plane) else {
                continue
            }
            planes[plane] = start.assumingMemoryBound(to: UInt8.self)
            strides[plane] = CInt(stride)
        }
        try check(
            tw_scaler_run_into(scaler, planes, strides, frame.pointer), doing: "scaling a picture",
            path, as: .library)
    }

    private func copy(_ plane: Int, of upright: Frame, turnedInto target: Frame) {
        guard let (from, fromStride) = upright.firstRow(ofPlane: plane),
            let (to, toStride) = target.place(area.x, area.y, inPlane: plane)
        else {
            return
        }
        let step = target.pixelFormat.bytesPerSample(ofPlane: plane)
        let columns = target.pixelFormat.columns(ofPlane: plane, pictureWidth: area.width)
        let rows = target.pixelFormat.rows(ofPlane: plane, pictureHeight: area.height)
        for y in 0..<rows {
            for x in 0..<columns {
                let (column, row) = turned(x, y, columns: columns, rows: rows)
                (to + y * toStride + x * step).copyMemory(
                    from: from + row * fromStride + column * step, byteCount: step)
            }
        }
    }

    /// Where the sample that belongs at a place comes from.
    private func turned(_ x: Int, _ y: Int, columns: Int, rows: Int) -> (column: Int, row: Int) {
        switch turn {
        case .none: (x, y)
        case .right: (y, columns - 1 - x)
        case .half: (columns - 1 - x, rows - 1 - y)
        case .left: (rows - 1 - y, x)
        }
    }
}

extension PixelFormat {
    /// The format that this one becomes when a picture is turned by 90°: itself where chroma is as coarse
    /// across as down, 4:4:0 for 4:2:2 and the other way; nil where there is none.
    fileprivate var turned: PixelFormat? {
        guard chromaShift.horizontal != chromaShift.vertical else {
            return self
        }
        let name = description
        return name.contains("422p")
            ? PixelFormat(named: name.replacing("422p", with: "440p"))
            : name.contains("440p") ? PixelFormat(named: name.replacing("440p", with: "422p")) : nil
    }
}

extension Frame {
    /// A black picture.
    package static func black(_ format: VideoFormat) throws -> Frame {
        let frame = try Frame(
            format: format.pixelFormat, width: format.width, height: format.height)
        let pointer = frame.pointer
        pointer.pointee.color_primaries = AVColorPrimaries(format.color.primaries)
        pointer.pointee.color_trc = AVColorTransferCharacteristic(format.color.transfer)
        pointer.pointee.colorspace = AVColorSpace(format.color.matrix)
        pointer.pointee.color_range = AVColorRange(format.color.range)
        pointer.pointee.chroma_location = AVChromaLocation(format.color.chromaLocation)
        try check(
            tw_fill_black(pointer), doing: "making a black picture", "", as: .library)
        return frame
    }

    /// Where a pixel lies in a plane, and how far the next row is from there.
    fileprivate func place(
        _ x: Int, _ y: Int, inPlane plane: Int
    ) -> (start: UnsafeMutableRawPointer, stride: Int)? {
        guard let (start, stride) = firstRow(ofPlane: plane) else {
            return nil
        }
        let row = pixelFormat.rows(ofPlane: plane, pictureHeight: y)
        let column = pixelFormat.columns(ofPlane: plane, pictureWidth: x)
        return (
            start + row * stride + column * pixelFormat.bytesPerSample(ofPlane: plane), stride
        )
    }
}
