import CLibAV

/// Converts between a sample's stored form and the number that it stands for.
///
/// Conversions have no branches and can't trap, so the compiler can vectorise loops over them.
protocol StoredSample {
    associatedtype Stored
    func number(_ stored: Stored) -> Float
    /// The stored form of the nearest possible value; halves are rounded up.
    func stored(_ number: Float) -> Stored
}

/// Rounds to whole numbers of `depth` bits, without a conversion that may trap.
///
/// A number from 0 to 2^depth − 1 to which 2^depth is added has its whole part in the upper `depth` bits of the
/// significand, and 23 − depth bits of fraction below them.
private struct Rounding {
    private let largest: Float
    private let offset: Float
    private let fractionBits: UInt32
    private let half: UInt32

    init(depth: Int) {
        largest = Float((1 << depth) - 1)
        offset = Float(1 << depth)
        fractionBits = UInt32(23 - depth)
        half = 1 << (fractionBits - 1)
    }

    @inline(__always)
    func callAsFunction(_ number: Float) -> UInt32 {
        // Without the limit, the rounding errors of a sum could make white overflow to black.
        let limited = number < largest ? number : largest
        let significand = (limited + offset).bitPattern &- offset.bitPattern
        return (significand &+ half) &>> fractionBits
    }
}

struct ByteSample: StoredSample {
    private let rounded = Rounding(depth: 8)

    @inline(__always)
    func number(_ stored: UInt8) -> Float { Float(stored) }

    @inline(__always)
    func stored(_ number: Float) -> UInt8 { UInt8(truncatingIfNeeded: rounded(number)) }
}

/// 9 to 16 bits in a word; the bits below `shift` are unused and written as 0.
struct WordSample: StoredSample {
    private let shift: UInt16
    private let rounded: Rounding

    init(depth: Int, shift: Int) {
        self.shift = UInt16(shift)
        rounded = Rounding(depth: depth)
    }

    @inline(__always)
    func number(_ stored: UInt16) -> Float { Float(stored &>> shift) }

    @inline(__always)
    func stored(_ number: Float) -> UInt16 {
        UInt16(truncatingIfNeeded: rounded(number)) &<< shift
    }
}

/// A word in the byte order that isn't the machine's.
struct SwappedWordSample: StoredSample {
    let native: WordSample

    @inline(__always)
    func number(_ stored: UInt16) -> Float { native.number(stored.byteSwapped) }

    @inline(__always)
    func stored(_ number: Float) -> UInt16 { native.stored(number).byteSwapped }
}

struct FloatSample: StoredSample {
    @inline(__always)
    func number(_ stored: UInt32) -> Float { Float(bitPattern: stored) }

    @inline(__always)
    func stored(_ number: Float) -> UInt32 { number.bitPattern }
}

/// A 32-bit float in the byte order that isn't the machine's.
struct SwappedFloatSample: StoredSample {
    @inline(__always)
    func number(_ stored: UInt32) -> Float { Float(bitPattern: stored.byteSwapped) }

    @inline(__always)
    func stored(_ number: Float) -> UInt32 { number.bitPattern.byteSwapped }
}

/// The same row of several frames, with the weight of each frame.
struct WeightedRows {
    typealias Row = (start: UnsafeRawPointer, weight: Float)
    /// At least two rows; the weights sum to 1.
    var rows: [Row]

    /// How many sums are computed at a time: few enough to stay in the first-level cache.
    static let samplesAtOnce = 1024

    /// Writes the weighted sums of `count` samples.
    ///
    /// - Parameter sums: scratch memory for ``samplesAtOnce`` numbers.
    func mix<Sample: StoredSample>(
        _ sample: Sample, count: Int, into target: UnsafeMutableRawPointer,
        sums: UnsafeMutablePointer<Float>
    ) {
        let output = target.assumingMemoryBound(to: Sample.Stored.self)
        for first in stride(from: 0, to: count, by: Self.samplesAtOnce) {
            let length = min(Self.samplesAtOnce, count - first)
            sum(sample, from: first, count: length, into: sums)
            let part = output + first
            for i in 0..<length {
                part[i] = sample.stored(sums[i])
            }
        }
    }

    private func sum<Sample: StoredSample>(
        _ sample: Sample, from first: Int, count: Int, into sums: UnsafeMutablePointer<Float>
    ) {
        func part(_ row: Row) -> UnsafePointer<Sample.Stored> {
            row.start.assumingMemoryBound(to: Sample.Stored.self) + first
        }
        let (a, b) = (part(rows[0]), part(rows[1]))
        let (weightA, weightB) = (rows[0].weight, rows[1].weight)
        for i in 0..<count {
            sums[i] = sample.number(a[i]) * weightA + sample.number(b[i]) * weightB
        }
        // Four rows at a time: that takes fewer passes over the sums and rounds each sum less often.
        var next = 2
        while next + 4 <= rows.count {
            let (a, b) = (part(rows[next]), part(rows[next + 1]))
            let (c, d) = (part(rows[next + 2]), part(rows[next + 3]))
            let (weightA, weightB) = (rows[next].weight, rows[next + 1].weight)
            let (weightC, weightD) = (rows[next + 2].weight, rows[next + 3].weight)
            for i in 0..<count {
                let ab = sample.number(a[i]) * weightA + sample.number(b[i]) * weightB
                let cd = sample.number(c[i]) * weightC + sample.number(d[i]) * weightD
                sums[i] += ab + cd
            }
            next += 4
        }
        for row in rows[next...] {
            let (a, weight) = (part(row), row.weight)
            for i in 0..<count {
                sums[i] += sample.number(a[i]) * weight
            }
        }
    }
}

/// Blends two rows of bytes in 16-bit arithmetic only. This is the most common case, and faster than the general
/// one.
///
/// Weights are in 65536ths and split into 256·high + low. The sums for the high halves and for the low halves each
/// fit into 16 bits, because the high halves of both weights sum to at most 256, and so do the low halves. The
/// result is exactly ⌊(weight₁·a + weight₂·b + 32768) / 65536⌋.
struct BytePair {
    private let high: (UInt16, UInt16)
    private let low: (UInt16, UInt16)

    /// - Parameter share: the weight of the second row, between 0 and 1.
    init(secondShare share: Double) {
        // Both weights sum to exactly 65536, so that equal samples stay unchanged.
        let second = Int(min(max((share * 65536).rounded(), 1), 65535))
        let first = 65536 - second
        high = (UInt16(first >> 8), UInt16(second >> 8))
        low = (UInt16(first & 255), UInt16(second & 255))
    }

    func mix(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, count: Int,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        let (highA, highB) = high
        let (lowA, lowB) = low
        for i in 0..<count {
            let (a, b) = (UInt16(first[i]), UInt16(second[i]))
            let fraction = (a &* lowA &+ b &* lowB) &>> 8
            let sum = a &* highA &+ b &* highB &+ fraction &+ 128
            target[i] = UInt8(truncatingIfNeeded: sum &>> 8)
        }
    }
}

/// The addresses of a plane's rows. In frames that are stored bottom row first, the stride is negative.
struct PlaneMemory {
    private let start: UnsafeMutableRawPointer
    private let stride: Int

    init?(_ frame: Frame, _ plane: Int) {
        guard let (start, stride) = frame.firstRow(ofPlane: plane) else {
            return nil
        }
        self.start = start
        self.stride = stride
    }

    func row(_ y: Int) -> UnsafeMutableRawPointer {
        start + y * stride
    }
}

// It is in one file with the loops, because they are fast only if they are specialised for each kind of sample.
/// Blends the same plane of several frames.
struct PlaneMixing {
    let sources: [PlaneMemory]
    let weights: [Double]
    let target: PlaneMemory
    let rows: Int
    let samplesPerRow: Int

    func run(_ layout: SampleLayout) {
        switch layout {
        case .bytes where sources.count == 2:
            runBytePair()
        case .bytes:
            run(ByteSample())
        case .words(let depth, let shift, .native):
            run(WordSample(depth: depth, shift: shift))
        case .words(let depth, let shift, .swapped):
            run(SwappedWordSample(native: WordSample(depth: depth, shift: shift)))
        case .floats(.native):
            run(FloatSample())
        case .floats(.swapped):
            run(SwappedFloatSample())
        }
    }

    private func runBytePair() {
        let pair = BytePair(secondShare: weights[1])
        for y in 0..<rows {
            pair.mix(
                sources[0].row(y).assumingMemoryBound(to: UInt8.self),
                sources[1].row(y).assumingMemoryBound(to: UInt8.self), count: samplesPerRow,
                into: target.row(y).assumingMemoryBound(to: UInt8.self))
        }
    }

    private func run<Sample: StoredSample>(_ sample: Sample) {
        let single = weights.map { Float($0) }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: WeightedRows.samplesAtOnce) {
            guard let sums = $0.baseAddress else {
                return
            }
            var mixed = WeightedRows(rows: zip(sources, single).map { (.init($0.row(0)), $1) })
            for y in 0..<rows {
                for (index, source) in sources.enumerated() {
                    mixed.rows[index].start = UnsafeRawPointer(source.row(y))
                }
                mixed.mix(sample, count: samplesPerRow, into: target.row(y), sums: sums)
            }
        }
    }
}
