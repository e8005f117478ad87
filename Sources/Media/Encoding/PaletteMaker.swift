import CLibAV

/// Gives frames a palette of their own: at most 256 colours, one of which may be transparent.
///
/// Frames of few colours keep them exactly. For others the cube of colours is cut where it varies most (median cut, after
/// Heckbert 1982, but at means of the largest variance, after Wan, Wong and Prusinkiewicz 1990), and a pattern that is the
/// same in every frame mixes the colours: what stands still stays as it is.
struct PaletteMaker {
    private static let mostColors = 256
    /// Colours are told apart by six bits of each component.
    private static let cellCount = 1 << 18

    /// The output that errors name.
    let path: String

    /// - Parameter frame: in BGRA.
    /// - Returns: the frame in PAL8, with the same properties.
    func indexed(_ frame: Frame) throws -> Frame {
        let result = try Frame(
            format: PixelFormat(AV_PIX_FMT_PAL8), width: frame.width, height: frame.height)
        try check(
            av_frame_copy_props(result.pointer, frame.pointer), doing: "making a palette", path,
            as: .library)
        guard let (pixels, stride) = frame.firstRow(ofPlane: 0),
            let (indices, step) = result.firstRow(ofPlane: 0),
            let (table, _) = result.firstRow(ofPlane: 1)
        else {
            return result
        }
        let rows = (0..<frame.height).map { row in
            UnsafeBufferPointer(
                start: (pixels + row * stride).assumingMemoryBound(to: UInt32.self),
                count: frame.width)
        }
        var palette = Self.exact(rows) ?? Self.cut(rows)
        let entries = table.assumingMemoryBound(to: UInt32.self)
        for index in 0..<Self.mostColors {
            entries[index] =
                index < palette.colors.count ? palette.colors[index].packed : 0xFF00_0000
        }
        for (y, row) in rows.enumerated() {
            let target = (indices + y * step).assumingMemoryBound(to: UInt8.self)
            for (x, pixel) in row.enumerated() {
                target[x] = palette.place(of: Color(pixel), Self.pattern[(y & 7) * 8 + (x & 7)])
            }
        }
        return result
    }

    // MARK: - Palettes

    private struct Palette {
        let colors: [Color]
        /// The place of the transparent colour, if there is one: after the others.
        private let transparent: UInt8?
        /// The places of all colours by what they are; nil if there are others in the frame.
        private let exact: [UInt32: UInt8]?
        /// How far colours are from those of the palette, as the root of the mean square of a component.
        private let spread: Float
        /// The places of the colours nearest to those of a cell; -1 where they aren't known yet.
        private var nearest: [Int16] = []

        /// - Parameter spread: nil if the frame has no other colours.
        init(_ colors: [Color], hasTransparent: Bool, spread: Float?) {
            self.colors = colors + (hasTransparent ? [Color(0)] : [])
            transparent = hasTransparent ? UInt8(colors.count) : nil
            self.spread = spread ?? 0
            if spread == nil {
                let places = colors.enumerated().map { ($1.packed, UInt8($0)) }
                exact = Dictionary(uniqueKeysWithValues: places)
            } else {
                exact = nil
                nearest = [Int16](repeating: -1, count: PaletteMaker.cellCount)
            }
        }

        /// The place of a colour that is moved by this many spreads.
        mutating func place(of color: Color, _ threshold: Float) -> UInt8 {
            if color.isTransparent {
                return transparent ?? 0
            }
            if let exact {
                return exact[color.packed] ?? 0
            }
            let mixed = color.moved(by: threshold * spread)
            if nearest[mixed.cell] < 0 {
                nearest[mixed.cell] = Int16(search(mixed))
            }
            return UInt8(nearest[mixed.cell])
        }

        private func search(_ color: Color) -> Int {
            let places = 0..<(transparent.map(Int.init) ?? colors.count)
            let best = places.min {
                colors[$0].distance(to: color) < colors[$1].distance(to: color)
            }
            return best ?? 0
        }
    }

    /// All colours; nil if there are too many.
    private static func exact(_ rows: [UnsafeBufferPointer<UInt32>]) -> Palette? {
        var colors = Set<UInt32>()
        var (last, hasTransparent): (UInt32?, Bool) = (nil, false)
        for row in rows {
            for pixel in row where pixel != last {
                last = pixel
                if Color(pixel).isTransparent {
                    hasTransparent = true
                } else if colors.insert(pixel).inserted,
                    colors.count + (hasTransparent ? 1 : 0) > mostColors
                {
                    return nil
                }
            }
        }
        guard colors.count + (hasTransparent ? 1 : 0) <= mostColors else {
            return nil
        }
        return Palette(
            colors.sorted().map(Color.init), hasTransparent: hasTransparent, spread: nil)
    }

    /// Pixels whose colours share a cell of the cube, or cells together: their number, and the sums of their components and
    /// of the squares of these.
    private struct Sums {
        var count: Double = 0
        var sum = SIMD3<Double>()
        var squares = SIMD3<Double>()

        mutating func add(_ other: Sums) {
            count += other.count
            sum += other.sum
            squares += other.squares
        }

        var mean: SIMD3<Double> { sum / max(count, 1) }
        /// The sum of the squares of what each component is off the mean.
        var variance: SIMD3<Double> { squares - sum * mean }
    }

    private static func cut(_ rows: [UnsafeBufferPointer<UInt32>]) -> Palette {
        var cells = [Sums](repeating: Sums(), count: cellCount)
        var hasTransparent = false
        for row in rows {
            for pixel in row {
                let color = Color(pixel)
                guard !color.isTransparent else {
                    hasTransparent = true
                    continue
                }
                let value = SIMD3<Double>(color.components)
                cells[color.cell].add(Sums(count: 1, sum: value, squares: value * value))
            }
        }
        let wanted = mostColors - (hasTransparent ? 1 : 0)
        var boxes = [box(of: cells.filter { $0.count > 0 })]
        while boxes.count < wanted,
            let place = boxes.indices.max(by: { boxes[$0].worth < boxes[$1].worth }),
            boxes[place].cells.count > 1
        {
            let (all, axis) = (boxes[place], boxes[place].axis)
            let middle = all.total.mean[axis]
            let low = all.cells.filter { $0.mean[axis] <= middle }
            let high = all.cells.filter { $0.mean[axis] > middle }
            guard !low.isEmpty, !high.isEmpty else {
                boxes[place].worth = 0
                continue
            }
            boxes[place] = box(of: low)
            boxes.append(box(of: high))
        }
        let off = boxes.reduce(0) { $0 + $1.total.variance.sum() }
        let count = boxes.reduce(0) { $0 + $1.total.count }
        return Palette(
            boxes.map { Color(SIMD3<Float>($0.total.mean)) }, hasTransparent: hasTransparent,
            spread: Float((max(0, off) / max(1, 3 * count)).squareRoot()))
    }

    private struct Box {
        let cells: [Sums]
        let total: Sums
        /// The component that varies most.
        let axis: Int
        /// How much is won by cutting it.
        var worth: Double
    }

    private static func box(of cells: [Sums]) -> Box {
        let total = cells.reduce(into: Sums()) { $0.add($1) }
        let variance = total.variance
        let axis = (0..<3).max { variance[$0] < variance[$1] } ?? 0
        return Box(
            cells: cells, total: total, axis: axis, worth: cells.count > 1 ? variance[axis] : 0)
    }

    /// Bayer's matrix of 64 thresholds, from −1.7 to 1.7, so that their root mean square is 1.
    private static let pattern: [Float] = (0..<64).map { place in
        let (x, y) = (place & 7, place >> 3)
        var rank = 0
        for bit in 0..<3 {
            let (a, b) = (x >> bit & 1, y >> bit & 1)
            rank |= (a ^ b) << (5 - 2 * bit) | b << (4 - 2 * bit)
        }
        return (Float(rank) - 31.5) / 18.47
    }
}

/// A colour as libav packs it: alpha, red, green and blue, the highest byte first.
private struct Color {
    let packed: UInt32

    init(_ packed: UInt32) {
        self.packed = packed
    }

    init(_ components: SIMD3<Float>) {
        let bytes = components.rounded(.toNearestOrEven).clamped(
            lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
        packed = 0xFF00_0000 | UInt32(bytes.x) << 16 | UInt32(bytes.y) << 8 | UInt32(bytes.z)
    }

    /// Pixels that are mostly transparent are all so: GIF knows nothing between.
    var isTransparent: Bool { packed >> 24 < 128 }

    var components: SIMD3<Float> {
        SIMD3(Float(packed >> 16 & 255), Float(packed >> 8 & 255), Float(packed & 255))
    }

    var cell: Int {
        Int(packed >> 18 & 63) << 12 | Int(packed >> 10 & 63) << 6 | Int(packed >> 2 & 63)
    }

    func moved(by step: Float) -> Color { Color(components + step) }

    func distance(to other: Color) -> Float {
        let difference = components - other.components
        return (difference * difference).sum()
    }
}
