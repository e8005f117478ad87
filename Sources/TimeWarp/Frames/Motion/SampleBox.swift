/// A box of whole samples, or of cells.
struct SampleBox: Sendable {
    let left: Int
    let top: Int
    let width: Int
    let height: Int

    var count: Int { width * height }

    /// All places in the box, row by row.
    var places: some Collection<SIMD2<Int>> {
        (0..<count).lazy.map { SIMD2(left + $0 % width, top + $0 / width) }
    }

    func contains(_ x: Int, _ y: Int) -> Bool {
        x >= left && y >= top && x < left + width && y < top + height
    }

    func contains(_ place: SIMD2<Float>) -> Bool { contains(Int(place.x), Int(place.y)) }

    /// The place of a sample in an array of the box's rows.
    func index(_ x: Int, _ y: Int) -> Int { (y - top) * width + x - left }

    func expanded(by margin: Int) -> SampleBox {
        SampleBox(
            left: left - margin, top: top - margin, width: width + 2 * margin,
            height: height + 2 * margin)
    }

    func times(_ factor: Int) -> SampleBox {
        SampleBox(
            left: left * factor, top: top * factor, width: width * factor, height: height * factor)
    }

    /// The smallest box of whole samples around this one where it is moved to.
    func movedBy(_ vector: SIMD2<Float>) -> SampleBox {
        let isWhole = vector.rounded(.down) .== vector
        return SampleBox(
            left: left + Int(vector.x.rounded(.down)), top: top + Int(vector.y.rounded(.down)),
            width: width + (isWhole[0] ? 0 : 1), height: height + (isWhole[1] ? 0 : 1))
    }

    func union(_ other: SampleBox) -> SampleBox {
        SampleBox(
            from: (min(left, other.left), min(top, other.top)),
            to: (
                max(left + width, other.left + other.width),
                max(top + height, other.top + other.height)
            ))
    }

    /// How far inside a place is; negative outside.
    func depth(of place: SIMD2<Float>) -> Float {
        min(
            min(place.x - Float(left), Float(left + width - 1) - place.x),
            min(place.y - Float(top), Float(top + height - 1) - place.y))
    }

    /// Closes all that is open and touches a place.
    ///
    /// - Parameters:
    ///   - isOpen: for each place of the box, row by row.
    ///   - start: the index of an open place.
    /// - Returns: the box around what was closed, and the indices of its places.
    func flood(
        _ isOpen: inout [Bool], from start: Int, diagonally: Bool
    ) -> (box: SampleBox, places: [Int]) {
        var found = [start]
        var next = 0
        isOpen[start] = false
        var (low, high) = (SIMD2(Int.max, Int.max), SIMD2(Int.min, Int.min))
        while next < found.count {
            let place = SIMD2(left + found[next] % width, top + found[next] / width)
            next += 1
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
            for y in place.y - 1...place.y + 1 {
                for x in place.x - 1...place.x + 1
                where contains(x, y) && (diagonally || x == place.x || y == place.y)
                    && isOpen[index(x, y)]
                {
                    isOpen[index(x, y)] = false
                    found.append(index(x, y))
                }
            }
        }
        return (SampleBox(from: (low.x, low.y), to: (high.x + 1, high.y + 1)), found)
    }
}

extension SampleBox {
    /// The box from its first place to behind its last one.
    private init(from low: (x: Int, y: Int), to high: (x: Int, y: Int)) {
        self.init(left: low.x, top: low.y, width: high.x - low.x, height: high.y - low.y)
    }
}
