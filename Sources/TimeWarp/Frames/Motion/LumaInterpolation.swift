/// Motion interpolation of small grey pictures without files or frames, for measuring what a render made.
package struct LumaInterpolation {
    private let pair: MotionPair
    private let objects: [CutObject]
    private let planes: (earlier: PaddedPlane<UInt8>, later: PaddedPlane<UInt8>)
    private static let bands = Bands(threads: 1)

    /// Searches the motion between two pictures, as rendering does.
    ///
    /// - Parameters:
    ///   - earlier: 8-bit samples, top row first, without gaps.
    ///   - later: as many.
    ///   - width: of both, in samples.
    package init(from earlier: [UInt8], to later: [UInt8], width: Int) {
        precondition(width > 0 && earlier.count == later.count && earlier.count % width == 0)
        func plane(_ samples: [UInt8]) -> PaddedPlane<UInt8> {
            let plane = PaddedPlane<UInt8>(width: width, height: samples.count / width)
            for row in 0..<plane.height {
                for x in 0..<width {
                    plane.row(row)[x] = samples[row * width + x]
                }
                plane.extend(row: row)
            }
            return plane
        }
        func pyramid(_ plane: PaddedPlane<UInt8>) -> LumaPyramid {
            let pyramid = LumaPyramid(width: plane.width, height: plane.height)
            pyramid.fill(from: plane, depth: 8, in: Self.bands)
            return pyramid
        }
        planes = (plane(earlier), plane(later))
        pair = MotionPair(pyramid(planes.earlier), pyramid(planes.later), in: Self.bands)
        objects = pair.cutObjects(from: planes.earlier, to: planes.later, depth: 8)
    }

    /// The picture at an instant.
    ///
    /// - Parameter u: above 0, where the earlier picture is, and below 1, where the later one is.
    /// - Returns: as many samples as the pictures have. Those of the nearer picture if nothing moves. Nil if the two have
    ///   nothing in common, so that the nearer one is shown although the other differs.
    package func samples(at u: Double) -> [UInt8]? {
        switch pair.relation {
        case .moving: break
        case .still: return Self.samples(of: u <= 0.5 ? planes.earlier : planes.later)
        case .unrelated: return nil
        }
        let result = PaddedPlane<UInt8>(width: planes.earlier.width, height: planes.earlier.height)
        pair.render(
            NarrowArithmetic(), between: planes.earlier, and: planes.later,
            along: VectorChoice.field(at: Float(u), of: pair, in: Self.bands), objects,
            coverage: SIMD2(1, 1), depth: 8, at: Float(u), into: result, in: Self.bands)
        return Self.samples(of: result)
    }

    private static func samples(of plane: PaddedPlane<UInt8>) -> [UInt8] {
        (0..<plane.height).flatMap { row in
            UnsafeBufferPointer(start: plane.row(row), count: plane.width)
        }
    }
}
