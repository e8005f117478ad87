import TestSupport

@testable import TimeWarp

extension TestPlane {
    init(_ plane: PaddedPlane<UInt8>) {
        let rows = (0..<plane.height).map { y in
            UnsafeBufferPointer(start: plane.row(y), count: plane.width)
        }
        self.init(plane.width, plane.height, samples: Array(rows.joined()))
    }

    var padded: PaddedPlane<UInt8> {
        let plane = PaddedPlane<UInt8>(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                plane.row(y)[x] = samples[y * width + x]
            }
            plane.extend(row: y)
        }
        return plane
    }
}

/// Two planes and the motion between them.
struct PlanePair {
    let relation: PairRelation
    private let pair: MotionPair
    private let earlier: PaddedPlane<UInt8>
    private let later: PaddedPlane<UInt8>
    private let bands: Bands

    init(_ a: TestPlane, _ b: TestPlane, threads: Int = 1) {
        bands = Bands(threads: threads)
        (earlier, later) = (a.padded, b.padded)
        let pyramids = [earlier, later].map { plane in
            let pyramid = LumaPyramid(width: plane.width, height: plane.height)
            pyramid.fill(from: plane, depth: 8, in: Bands(threads: threads))
            return pyramid
        }
        pair = MotionPair(pyramids[0], pyramids[1], in: bands)
        relation = pair.relation
    }

    var objectCount: Int { pair.objects.count }

    /// What is made for an instant.
    func plane(at u: Double) -> TestPlane {
        let vectors = VectorChoice.field(at: Float(u), of: pair, in: bands)
        let target = PaddedPlane<UInt8>(width: earlier.width, height: earlier.height)
        pair.render(
            NarrowArithmetic(), between: earlier, and: later, along: vectors,
            pair.cutObjects(from: earlier, to: later, depth: 8), coverage: SIMD2(1, 1), depth: 8,
            at: Float(u), into: target, in: bands)
        return TestPlane(target)
    }
}
