import Media

/// Makes frames between two others from the motion between them.
///
/// The motion between two frames is searched once and serves all instants between them. Frames depend on nothing but
/// the two others and the instant: not on what was made before, nor on the number of threads. Used on one thread,
/// which starts others for a while.
///
/// - Complexity: per frame about 15 ns a pixel of one core; memory for about 2.5 frames in all.
final class MotionSynthesiser {
    /// What is shown at an instant between two frames.
    enum Outcome {
        case made(Frame)
        /// The frames have nothing in common, or nothing moves: one of the two is shown as it is.
        case earlier, later
    }

    private let bands: Bands
    private var engine: Engine?
    private var form: Form?

    /// Both kinds are named here, because the compiler makes fast code only where it sees which one is called: through
    /// a protocol it would be ten times as slow.
    private enum Engine {
        case narrow(ComponentEngine<NarrowArithmetic>)
        case wide(ComponentEngine<WideArithmetic>)
    }

    /// What must be the same in two frames, and in the frames that an engine has memory for.
    private struct Form: Equatable {
        let format: PixelFormat
        let width: Int
        let height: Int
        let isInterlaced: Bool

        init(_ frame: Frame) {
            format = frame.pixelFormat
            width = frame.width
            height = frame.height
            isInterlaced = frame.isInterlaced
        }
    }

    /// - Parameter threads: how many threads may compute at a time.
    init(threads: Int) {
        bands = Bands(threads: threads)
    }

    /// Whether frames can be made between two others: they have the same size and a pixel format of 8 to 16 bits per
    /// sample. The two may be interlaced; both or none.
    static func canSynthesise(_ earlier: Frame, _ later: Frame) -> Bool {
        Form(earlier) == Form(later) && FrameComponents(earlier.pixelFormat) != nil
    }

    /// The frame at an instant between two others, for which ``canSynthesise(_:_:)`` is true.
    ///
    /// - Parameters:
    ///   - earlier: the one that comes earlier in the source.
    ///   - u: above 0, where the earlier frame is, and below 1, where the later one is.
    /// - Throws: ``MediaError`` when memory has run out.
    func frame(at u: Double, from earlier: Frame, to later: Frame) throws -> Outcome {
        switch engine(for: earlier) {
        case .narrow(let engine): try engine.frame(at: Float(u), from: earlier, to: later)
        case .wide(let engine): try engine.frame(at: Float(u), from: earlier, to: later)
        }
    }

    private func engine(for frame: Frame) -> Engine {
        let needed = Form(frame)
        if let engine, form == needed {
            return engine
        }
        guard let components = FrameComponents(frame.pixelFormat) else {
            preconditionFailure("frames of a format that can't be synthesised")
        }
        let fields = frame.isInterlaced ? 2 : 1
        let made: Engine =
            components.depth > 8
            ? .wide(
                ComponentEngine(
                    WideArithmetic(depth: components.depth), components, fields: fields, bands))
            : .narrow(ComponentEngine(NarrowArithmetic(), components, fields: fields, bands))
        (engine, form) = (made, needed)
        return made
    }
}

/// Makes frames of one form. The two fields of an interlaced frame were taken one
/// after the other, so each is treated as a frame of its own.
private final class ComponentEngine<Arithmetic: SampleArithmetic> {
    typealias Sample = Arithmetic.Sample

    private let arithmetic: Arithmetic
    private let components: FrameComponents
    private let fieldCount: Int
    private let bands: Bands
    /// The frames prepared last, two at most.
    private var prepared: [(frame: Frame, fields: [FieldPlanes<Sample>])] = []
    /// Where components are rendered, for each field.
    private var rendered: [[PaddedPlane<Sample>]] = []
    private var pairs: [MotionPair] = []
    /// The small objects of each pair.
    private var objects: [[CutObject]] = []
    private var pairedFrames: (earlier: Frame, later: Frame)?

    init(
        _ arithmetic: Arithmetic, _ components: FrameComponents, fields: Int, _ bands: Bands
    ) {
        self.arithmetic = arithmetic
        self.components = components
        fieldCount = fields
        self.bands = bands
    }

    func frame(
        at u: Float, from earlier: Frame, to later: Frame
    ) throws -> MotionSynthesiser.Outcome {
        let from = prepare(earlier, keeping: later)
        let to = prepare(later, keeping: earlier)
        if pairedFrames?.earlier !== earlier || pairedFrames?.later !== later {
            pairs = zip(from, to).map { MotionPair($0.pyramid, $1.pyramid, in: bands) }
            objects = pairs.indices.map {
                pairs[$0].cutObjects(
                    from: from[$0].luma, to: to[$0].luma, depth: components.depth)
            }
            pairedFrames = (earlier, later)
        }
        guard pairs.contains(where: { $0.relation == .moving }),
            pairs.allSatisfy({ $0.relation != .unrelated })
        else {
            return u <= 0.5 ? .earlier : .later
        }
        return .made(try render(from, to, like: u <= 0.5 ? earlier : later, at: u))
    }

    private func render(
        _ earlier: [FieldPlanes<Sample>], _ later: [FieldPlanes<Sample>], like model: Frame,
        at u: Float
    ) throws -> Frame {
        if rendered.isEmpty {
            rendered = earlier.map { $0.planes.map { .init(width: $0.width, height: $0.height) } }
        }
        let chosen = pairs.map { VectorChoice.field(at: u, of: $0, in: bands) }
        return try components.frame(like: model) { write in
            for field in 0..<fieldCount {
                for component in 0..<components.count {
                    let plane = rendered[field][component]
                    let (x, y) = components.coverage(component)
                    pairs[field].render(
                        arithmetic, between: earlier[field].planes[component],
                        and: later[field].planes[component], along: chosen[field],
                        objects[field], coverage: SIMD2(Float(x), Float(y)),
                        depth: components.depth, at: u, into: plane, in: bands)
                    for row in 0..<plane.height {
                        write(
                            component, row * fieldCount + field, UnsafeRawPointer(plane.row(row)),
                            plane.width)
                    }
                }
            }
        }
    }

    /// The planes of a frame's fields, in the memory of a frame that isn't needed any more.
    private func prepare(_ frame: Frame, keeping other: Frame) -> [FieldPlanes<Sample>] {
        if let known = prepared.first(where: { $0.frame === frame }) {
            return known.fields
        }
        let unneeded = prepared.firstIndex { $0.frame !== other }
        let isFull = prepared.count == 2
        let fields =
            isFull ? unneeded.map { prepared.remove(at: $0).fields } ?? [] : []
        let filled =
            fields.isEmpty
            ? (0..<fieldCount).map { FieldPlanes(frame, components, field: $0, of: fieldCount) }
            : fields
        for (number, field) in filled.enumerated() {
            field.fill(from: frame, components, field: number, of: fieldCount, bands)
        }
        prepared.append((frame, filled))
        return filled
    }
}

/// The components of a frame or of one field, and its luma at falling sizes.
private struct FieldPlanes<Sample: FixedWidthInteger & Sendable> {
    let planes: [PaddedPlane<Sample>]
    /// What motion is searched in: the first component, or a brightness computed from red, green and blue.
    let luma: PaddedPlane<Sample>
    let pyramid: LumaPyramid

    /// Makes room for frames like this one.
    init(_ frame: Frame, _ components: FrameComponents, field: Int, of fieldCount: Int) {
        planes = (0..<components.count).map { component in
            let size = components.size(component, ofWidth: frame.width, height: frame.height)
            return PaddedPlane(
                width: size.width, height: (size.height + fieldCount - 1 - field) / fieldCount)
        }
        luma =
            components.isRGB
            ? PaddedPlane(width: planes[0].width, height: planes[0].height) : planes[0]
        pyramid = LumaPyramid(width: luma.width, height: luma.height)
    }

    func fill(
        from frame: Frame, _ components: FrameComponents, field: Int, of fieldCount: Int,
        _ bands: Bands
    ) {
        for (component, plane) in planes.enumerated() {
            bands.run(rows: plane.height, of: 64) { rows in
                for row in rows {
                    components.read(
                        component, row: row * fieldCount + field, of: frame, count: plane.width,
                        into: plane.row(row))
                    plane.extend(row: row)
                }
            }
        }
        if components.isRGB {
            computeLuma(bands)
        }
        pyramid.fill(from: luma, depth: components.depth, in: bands)
    }

    /// A brightness that is good enough to find motion: a quarter of red, half of green, a quarter of blue.
    private func computeLuma(_ bands: Bands) {
        bands.run(rows: luma.height, of: 64) { rows in
            for row in rows {
                let (red, green, blue) = (
                    planes[0].row(row), planes[1].row(row), planes[2].row(row)
                )
                let target = luma.row(row)
                for x in 0..<luma.width {
                    let sum =
                        UInt32(truncatingIfNeeded: red[x])
                        &+ 2 &* UInt32(truncatingIfNeeded: green[x])
                        &+ UInt32(truncatingIfNeeded: blue[x])
                    target[x] = Sample(truncatingIfNeeded: sum >> 2)
                }
                luma.extend(row: row)
            }
        }
    }
}
