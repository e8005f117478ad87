import Foundation
import Media

/// A place in the longer sound that is similar to a chunk of the shorter one.
struct ChunkMatch {
    /// The number of the chunk.
    let chunk: Int
    /// The middle of the chunk in the shorter sound, in seconds.
    let shorterTime: Double
    /// The matching time in the longer sound, in seconds.
    let longerTime: Double
    /// How far the similarity stands out from that of all places, in standard deviations.
    let strength: Double

    /// The time in the longer sound minus the time in the shorter one, in seconds.
    var lag: Double { longerTime - shorterTime }
}

/// Searches a whole sound for chunks of another, shorter one, by the features of both.
///
/// The part that both have in common must include one end of the shorter sound, or all of it. So the chunks
/// are close together at its ends and further apart in between.
struct ChunkSearch {
    /// The length of a chunk, in frames.
    let chunkLength: Int
    /// Where the chunks start in the shorter sound, in frames.
    let starts: [Int]

    /// The size of the Fourier transforms, in frames.
    private static let size = 4096
    /// The number of places that each chunk may propose.
    private static let candidates = 6
    /// Places that are less than this many frames apart count as one.
    private static let separation = 12

    init(shorterFrames: Int) {
        let seconds = Double(shorterFrames) / SoundFeatures.rate
        let shared = min(20, seconds / 2)
        let length = Int(min(max(shared / 2, 2.5), seconds) * SoundFeatures.rate)
        let last = shorterFrames - length
        let near = (0..<4).map { $0 * length / 2 }
        let count = min(max(2 * last / length, 1), 48)
        let spread = (0...count).map { $0 * last / count }
        let all = (near + near.map { last - $0 } + spread).filter { (0...last).contains($0) }
        var apart: [Int] = []
        for start in all.sorted() where start - (apart.last ?? -length) >= length / 3 {
            apart.append(start)
        }
        chunkLength = length
        starts = apart
    }

    /// The most likely places of each chunk. O(c · n) for c chunks and n frames of the longer sound, times the
    /// logarithm of the transforms' fixed size.
    func matches(
        of shorter: SoundFeatures, in longer: SoundFeatures, checkCancelled: () throws -> Void
    ) throws -> [ChunkMatch] {
        let forward = try FourierTransform(count: Self.size, direction: .forward)
        let inverse = try FourierTransform(count: Self.size, direction: .inverse)
        var peaks = starts.map { _ in PeakList(limit: Self.candidates, gap: Self.separation) }
        let filters = stride(from: 0, to: starts.count, by: 2).map { first in
            ChunkPair(first, of: self, features: shorter, transform: forward)
        }
        let block = BlockSpectrum(size: Self.size, chunkLength: chunkLength)
        // A chunk may reach up to half its length beyond the ends of the longer sound.
        var start = -chunkLength / 2
        while start < longer.frameCount - chunkLength / 2 {
            try checkCancelled()
            block.load(longer, from: start, transform: forward)
            for pair in filters {
                pair.correlate(with: block, transform: inverse) { member, values in
                    peaks[pair.first + member].add(values, from: start)
                }
            }
            start += block.places
        }
        return peaks.indices.flatMap { matches(of: peaks[$0], chunk: $0) }
    }

    private func matches(of peaks: PeakList, chunk: Int) -> [ChunkMatch] {
        let middle = Double(chunkLength - 1) / 2
        return peaks.standing.map { place, strength in
            ChunkMatch(
                chunk: chunk,
                shorterTime: SoundFeatures.time(ofFrame: Double(starts[chunk]) + middle),
                longerTime: SoundFeatures.time(ofFrame: place + middle), strength: strength)
        }
    }
}

/// The spectra of the features of a block of the longer sound, band by band.
private final class BlockSpectrum {
    let size: Int
    /// The number of places at which a chunk lies completely within the block.
    let places: Int
    fileprivate let spectra: UnsafeMutablePointer<Float>
    /// For each place, 1 divided by the square root of the energy under a chunk there.
    fileprivate let scales: UnsafeMutablePointer<Float>
    private let chunkLength: Int
    private let values: UnsafeMutablePointer<Float>
    private let energies: UnsafeMutablePointer<Float>

    init(size: Int, chunkLength: Int) {
        self.size = size
        self.chunkLength = chunkLength
        places = size - chunkLength + 1
        spectra = .allocate(capacity: 2 * size * SoundFeatures.bandCount)
        scales = .allocate(capacity: size)
        values = .allocate(capacity: size * SoundFeatures.bandCount)
        energies = .allocate(capacity: size)
        spectra.initialize(repeating: 0, count: 2 * size * SoundFeatures.bandCount)
        scales.initialize(repeating: 0, count: size)
        values.initialize(repeating: 0, count: size * SoundFeatures.bandCount)
        energies.initialize(repeating: 0, count: size)
    }

    deinit {
        spectra.deallocate()
        scales.deallocate()
        values.deallocate()
        energies.deallocate()
    }

    func load(_ features: SoundFeatures, from start: Int, transform: FourierTransform) {
        energies.update(repeating: 0, count: size)
        features.write(from: start, count: size, into: values)
        for band in 0..<SoundFeatures.bandCount {
            let row = values + band * size
            transform.transform { input in
                for index in 0..<size {
                    let value = row[index]
                    input[2 * index] = value
                    input[2 * index + 1] = 0
                    energies[index] += value * value
                }
            } reading: { output in
                (spectra + 2 * size * band).update(from: output, count: 2 * size)
            }
        }
        measureScales()
    }

    private func measureScales() {
        var sum = 0.0
        for index in 0..<chunkLength { sum += Double(energies[index]) }
        // The floor, half a decibel per value, keeps near-silence from being similar to everything.
        let floor = Double(chunkLength * SoundFeatures.bandCount) * 0.015
        for place in 0..<places {
            scales[place] = Float(1 / (max(sum, 0) + floor).squareRoot())
            guard place + chunkLength < size else { break }
            sum += Double(energies[place + chunkLength]) - Double(energies[place])
        }
    }
}

/// Two chunks as one complex filter, reversed in time. The product with a block's spectrum gives the
/// correlation with the first chunk in the real part and that with the second in the imaginary part.
private final class ChunkPair {
    let first: Int
    private let members: Int
    private let size: Int
    private let spectra: UnsafeMutablePointer<Float>
    private let products: UnsafeMutablePointer<Float>
    private let chunkLength: Int

    init(
        _ first: Int, of search: ChunkSearch, features: SoundFeatures, transform: FourierTransform
    ) {
        self.first = first
        size = transform.count
        members = min(2, search.starts.count - first)
        chunkLength = search.chunkLength
        spectra = .allocate(capacity: 2 * size * SoundFeatures.bandCount)
        products = .allocate(capacity: size)
        products.initialize(repeating: 0, count: size)
        let room = chunkLength * SoundFeatures.bandCount
        let rows = UnsafeMutablePointer<Float>.allocate(capacity: room * members)
        defer { rows.deallocate() }
        for member in 0..<members {
            let start = search.starts[first + member]
            features.write(from: start, count: chunkLength, into: rows + member * room)
        }
        for band in 0..<SoundFeatures.bandCount {
            transform.transform { input in
                input.update(repeating: 0, count: 2 * size)
                for member in 0..<members {
                    let row = rows + member * room + band * chunkLength
                    for index in 0..<chunkLength {
                        input[2 * ((size - index) % size) + member] = row[index]
                    }
                }
            } reading: { output in
                (spectra + 2 * size * band).initialize(from: output, count: 2 * size)
            }
        }
    }

    deinit {
        spectra.deallocate()
        products.deallocate()
    }

    /// Calls `body` for each chunk with its similarity at each place of `block`.
    func correlate(
        with block: BlockSpectrum, transform: FourierTransform,
        _ body: (_ member: Int, _ values: UnsafeBufferPointer<Float>) -> Void
    ) {
        transform.transform { sums in
            multiply(block.spectra, into: sums)
        } reading: { output in
            for member in 0..<members {
                for place in 0..<block.places {
                    products[place] = output[2 * place + member] * block.scales[place]
                }
                body(member, UnsafeBufferPointer(start: products, count: block.places))
            }
        }
    }

    private func multiply(
        _ other: UnsafeMutablePointer<Float>, into sums: UnsafeMutablePointer<Float>
    ) {
        sums.update(repeating: 0, count: 2 * size)
        for band in 0..<SoundFeatures.bandCount {
            let a = spectra + 2 * size * band
            let b = other + 2 * size * band
            for bin in 0..<size {
                let (ar, ai) = (a[2 * bin], a[2 * bin + 1])
                let (br, bi) = (b[2 * bin], b[2 * bin + 1])
                sums[2 * bin] += ar * br - ai * bi
                sums[2 * bin + 1] += ar * bi + ai * br
            }
        }
    }
}

/// The highest peaks of a long sequence of values that is added block by block.
private struct PeakList {
    let limit: Int
    let gap: Int
    private var peaks: [(place: Double, value: Float)] = []
    private var squares = 0.0
    private var count = 0

    init(limit: Int, gap: Int) {
        self.limit = limit
        self.gap = gap
    }

    /// The peaks, and how many standard deviations they stand out.
    var standing: [(place: Double, strength: Double)] {
        let deviation = (squares / Double(max(count, 1))).squareRoot()
        guard deviation > 0 else { return [] }
        return peaks.map { ($0.place, Double($0.value) / deviation) }
    }

    mutating func add(_ values: UnsafeBufferPointer<Float>, from start: Int) {
        guard let base = values.baseAddress else { return }
        var sum: Float = 0
        var bar = peaks.count < limit ? 0 : peaks[limit - 1].value
        let last = values.count - 1
        for index in 0...last {
            let value = base[index]
            sum += value * value
            guard value > bar, index == 0 || value >= base[index - 1],
                index == last || value > base[index + 1]
            else { continue }
            let bend =
                index > 0 && index < last
                ? Self.vertex(base[index - 1], value, base[index + 1]) : 0
            insert(Double(start + index) + bend, value)
            bar = peaks.count < limit ? 0 : peaks[limit - 1].value
        }
        squares += Double(sum)
        count += values.count
    }

    private mutating func insert(_ place: Double, _ value: Float) {
        let reach = Double(gap)
        let isBeaten = peaks.contains { abs($0.place - place) < reach && $0.value >= value }
        guard !isBeaten else { return }
        peaks.removeAll { abs($0.place - place) < reach }
        let index = peaks.firstIndex { $0.value < value } ?? peaks.count
        peaks.insert((place, value), at: index)
        if peaks.count > limit { peaks.removeLast() }
    }

    /// The offset of the vertex of the parabola through three neighbours, from the middle one.
    private static func vertex(_ left: Float, _ middle: Float, _ right: Float) -> Double {
        let bend = Double(left - 2 * middle + right)
        guard bend < 0 else { return 0 }
        return 0.5 * Double(left - right) / bend
    }
}
