import CLibAV

/// Converts frames of any size, aspect ratio, rotation and pixel format to one format: upright, uncropped, as
/// large as possible, and letterboxed or pillarboxed with black.
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
    /// The clockwise rotation that a player would apply to the source.
    private let turn: QuarterTurn
    /// The width of a source pixel divided by its height, and that of one in the first frame as its codec states it.
    private let pixelAspect: Double
    private let codedAspect: VideoFormat.Ratio?
    private let shapes: [Double]
    private let path: String
    private var fitting: Fitting?
    private var latest: (source: Frame, result: Frame)?

    /// - Parameters:
    ///   - format: the format of the result, in the pixel format that the encoder will store.
    ///   - source: the stream that the frames come from, with its rotation and pixel aspect ratio.
    ///   - shapes: width divided by height of what the frames are fitted into before, from the outermost.
    ///   - path: the file that errors name.
    package init(
        to format: VideoFormat, from source: Asset.Stream, within shapes: [Double] = [],
        path: String
    ) {
        self.format = format
        self.shapes = shapes
        self.path = path
        turn = QuarterTurn(degrees: source.rotation)
        pixelAspect = Self.aspect(source.videoFormat?.sampleAspectRatio)
        codedAspect = source.videoFormat?.codedAspectRatio
    }

    private static func aspect(_ ratio: VideoFormat.Ratio?) -> Double {
        guard let ratio, ratio.numerator > 0, ratio.denominator > 0 else {
            return 1
        }
        return Double(ratio.numerator) / Double(ratio.denominator)
    }

    /// The width of a frame's pixels divided by their height: a broadcast changes from 4:3 to 16:9 and back.
    private func pixelAspect(of frame: Frame) -> Double {
        guard let codedAspect, let own = frame.sampleAspectRatio else {
            return pixelAspect
        }
        return pixelAspect * Self.aspect(own) / Self.aspect(codedAspect)
    }

    /// Returns the frame in the format if its size or its shape isn't that of the format; otherwise the frame itself,
    /// whatever its pixel format is.
    package func fitted(_ frame: Frame) throws -> Frame {
        frame.width == format.width && frame.height == format.height && hasShape(frame)
            ? frame : try conform(frame)
    }

    /// Whether the frame's pixels have the shape of the format's.
    private func hasShape(_ frame: Frame) -> Bool {
        abs(pixelAspect(of: frame) / Self.aspect(format.sampleAspectRatio) - 1) < 0.001
    }

    /// Returns the frame in the format; the frame itself if it has that format already.
    package func conform(_ frame: Frame) throws -> Frame {
        if let latest, latest.source === frame {
            return latest.result
        }
        let cropped =
            try turn == .none
            ? frame.cropped(toWidth: format.width, height: format.height) : frame
        let result = try isConformed(cropped) ? cropped : conformed(cropped)
        latest = (frame, result)
        return result
    }

    private func isConformed(_ frame: Frame) -> Bool {
        turn == .none && frame.width == format.width && frame.height == format.height
            && frame.pixelFormat == format.pixelFormat
            && hasShape(frame)
            && shapes.allSatisfy { abs($0 / format.shownRatio(turned: 0) - 1) < 0.001 }
            && ColorMatrix(frame) == ColorMatrix(format)
    }

    private func conformed(_ frame: Frame) throws -> Frame {
        let area = area(for: frame)
        if fitting?.accepts(frame, in: area) != true {
            fitting = try Fitting(
                frame, area: area, turn: turn, format: format, path: path)
        }
        guard let fitting else {
            return frame
        }
        let target = try Frame.black(format)
        try fitting.draw(frame, on: target)
        return target
    }

    /// The area that the frame fills: in the middle, aligned to chroma samples.
    private func area(for frame: Frame) -> PixelArea {
        let isTurned = turn.swapsSides
        let shape = Double(frame.width) * pixelAspect(of: frame) / Double(frame.height)
        var (width, height) = (Double(format.width), Double(format.height))
        for shape in shapes + [isTurned ? 1 / shape : shape] {
            // In pixels of the output.
            let wanted = shape / Self.aspect(format.sampleAspectRatio)
            height = min(width / wanted, height)
            width = height * wanted
        }
        let step = format.pixelFormat.chromaShift
        func size(_ length: Double, _ whole: Int, _ shift: Int) -> Int {
            let even = Int((length / Double(1 << shift)).rounded()) << shift
            // If less than a chroma sample would stay black, the frame fills the whole side.
            return whole - even <= 1 << shift ? whole : max(1 << shift, even)
        }
        let fitted = (
            size(width, format.width, step.horizontal), size(height, format.height, step.vertical)
        )
        return PixelArea(
            x: ((format.width - fitted.0) >> (step.horizontal + 1)) << step.horizontal,
            y: ((format.height - fitted.1) >> (step.vertical + 1)) << step.vertical,
            width: fitted.0, height: fitted.1)
    }
}

/// A part of a frame, in pixels.
private struct PixelArea: Equatable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
}

/// A clockwise rotation by a multiple of 90°.
package enum QuarterTurn: Int {
    case none, right, half, left

    /// The rotation nearest to an angle.
    package init(degrees: Double) {
        let turns = Int((degrees / 90).rounded()) % 4
        self = QuarterTurn(rawValue: (turns + 4) % 4) ?? .none
    }

    /// Whether width and height are exchanged.
    package var swapsSides: Bool { self == .right || self == .left }
}

/// Scales frames of one format into an area of frames of another. Used on one thread.
private final class Fitting {
    private let scaler: UnsafeMutableRawPointer
    private let source: (format: PixelFormat, width: Int, height: Int)
    private let area: PixelArea
    private let turn: QuarterTurn
    private let colors: ColorMatrix
    /// The pixel format of the scaled frame before it is rotated, which also rotates its chroma planes.
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
                reason: "frames in \(format.pixelFormat) can't be rotated",
                remedy: "Put a clip first that isn't rotated and is stored in 4:2:0")
        }
        uprightFormat = upright
        guard
            let made = tw_scaler_new(
                CInt(frame.width), CInt(frame.height), frame.pixelFormat.raw, CInt(size.0),
                CInt(size.1), upright.raw)
        else {
            throw MediaError(
                .unsupported, file: path,
                reason: "frames in \(frame.pixelFormat) can't be converted to \(format.pixelFormat)"
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

    func accepts(_ frame: Frame, in area: PixelArea) -> Bool {
        area == self.area && frame.pixelFormat == source.format && frame.width == source.width
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
            tw_scaler_run_into(scaler, planes, strides, frame.pointer), doing: "scaling a frame",
            path, as: .library)
    }

    private func copy(_ plane: Int, of upright: Frame, turnedInto target: Frame) {
        guard let (from, fromStride) = upright.firstRow(ofPlane: plane),
            let (to, toStride) = target.place(area.x, area.y, inPlane: plane)
        else {
            return
        }
        let step = target.pixelFormat.bytesPerSample(ofPlane: plane)
        let columns = target.pixelFormat.columns(ofPlane: plane, frameWidth: area.width)
        let rows = target.pixelFormat.rows(ofPlane: plane, frameHeight: area.height)
        for y in 0..<rows {
            for x in 0..<columns {
                let (column, row) = turned(x, y, columns: columns, rows: rows)
                (to + y * toStride + x * step).copyMemory(
                    from: from + row * fromStride + column * step, byteCount: step)
            }
        }
    }

    /// The place in the scaled frame of the sample that belongs at (`x`, `y`) after the rotation.
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
    /// The format that a frame has after a rotation by 90°: the same if chroma is subsampled equally in both
    /// directions, 4:4:0 for 4:2:2 and vice versa, nil if there is none.
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
    /// Creates a black frame.
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
            tw_fill_black(pointer), doing: "making a black frame", "", as: .library)
        return frame
    }

    /// The address of a pixel in a plane, and the distance in bytes to the row below.
    fileprivate func place(
        _ x: Int, _ y: Int, inPlane plane: Int
    ) -> (start: UnsafeMutableRawPointer, stride: Int)? {
        guard let (start, stride) = firstRow(ofPlane: plane) else {
            return nil
        }
        let row = pixelFormat.rows(ofPlane: plane, frameHeight: y)
        let column = pixelFormat.columns(ofPlane: plane, frameWidth: x)
        return (
            start + row * stride + column * pixelFormat.bytesPerSample(ofPlane: plane), stride
        )
    }
}
