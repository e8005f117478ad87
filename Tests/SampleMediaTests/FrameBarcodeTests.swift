import Testing
import TimeMaps

@testable import SampleMedia

/// An 8-bit luma plane.
private struct Plane {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(_ width: Int, _ height: Int, grey: UInt8 = 90) {
        self.width = width
        self.height = height
        pixels = [UInt8](repeating: grey, count: width * height)
    }

    mutating func paint(_ number: Int, range: FrameBarcode.LumaRange = .limited) {
        pixels.withUnsafeMutableBytes {
            FrameBarcode.paint(
                number, intoLuma: $0, width: width, height: height, bytesPerRow: width, range: range
            )
        }
    }

    func read() -> Int? {
        pixels.withUnsafeBytes {
            FrameBarcode.read(luma: $0, width: width, height: height, bytesPerRow: width)
        }
    }

    /// Scaled with linear interpolation, which also blurs the barcode.
    func scaled(to newWidth: Int, _ newHeight: Int) -> Plane {
        var result = Plane(newWidth, newHeight)
        for y in 0..<newHeight {
            let v = (Double(y) + 0.5) * Double(height) / Double(newHeight) - 0.5
            for x in 0..<newWidth {
                let u = (Double(x) + 0.5) * Double(width) / Double(newWidth) - 0.5
                result.pixels[y * newWidth + x] = UInt8(interpolated(max(0, u), max(0, v)))
            }
        }
        return result
    }

    private func interpolated(_ u: Double, _ v: Double) -> Double {
        let (x, y) = (min(Int(u), width - 2), min(Int(v), height - 2))
        let (a, b) = (min(1, u - Double(x)), min(1, v - Double(y)))
        func at(_ x: Int, _ y: Int) -> Double { Double(pixels[y * width + x]) }
        let top = at(x, y) * (1 - a) + at(x + 1, y) * a
        return top * (1 - b) + (at(x, y + 1) * (1 - a) + at(x + 1, y + 1) * a) * b
    }
}

private let sizes = [
    (88, 64), (160, 90), (160, 120), (176, 144), (320, 180), (333, 187), (360, 640), (640, 480),
    (1920, 1080),
]

@Suite("Frame barcode")
struct FrameBarcodeTests {
    @Test("a number written is the number read, at every size", arguments: sizes)
    func roundTrip(width: Int, height: Int) {
        var plane = Plane(width, height)
        var numbers = [0, 1, 2, 3, 255, 256, 65_535, 65_536, (1 << 24) - 1]
        numbers += (0..<24).map { 1 << $0 }
        numbers += stride(from: 7, to: 1 << 24, by: 600_011)
        for number in numbers {
            plane.paint(number)
            #expect(plane.read() == number)
        }
    }

    @Test("no two numbers share their cells, and both references are kept")
    func cells() {
        let all = (0..<5000).map { FrameBarcode.cells(for: $0) }
        #expect(Set(all).count == 5000)
        #expect(all.allSatisfy { $0.count == 44 && $0[0] && !$0[21] && !$0[22] && $0[43] })
    }

    @Test("the checksum is CRC-16 with the polynomial of ITU-T V.41, started at all ones")
    func checksum() {
        // Byte by byte, as the standard's check value is usually computed.
        func crc(_ bytes: [UInt8]) -> UInt16 {
            bytes.reduce(0xffff) { sum, byte in
                (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in
                    sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021
                }
            }
        }
        // The published check value of this CRC for the text "123456789".
        #expect(crc(Array("123456789".utf8)) == 0x29b1)
        #expect(FrameBarcode.checksum(of: 0x31_3233) == crc(Array("123".utf8)))
    }

    @Test("limited and full range, and weak contrast, read alike")
    func ranges() {
        var plane = Plane(160, 120)
        for range in [FrameBarcode.LumaRange.limited, .full] {
            plane.paint(123_456, range: range)
            #expect(plane.read() == 123_456)
        }
        plane.pixels = plane.pixels.map { 100 + $0 / 5 }
        #expect(plane.read() == 123_456)
    }

    @Test("samples of 10, 12 and 16 bits are two bytes, low byte first", arguments: [10, 12, 16])
    func deep(bitDepth: Int) {
        let (width, height, bytesPerRow) = (320, 180, 704)
        for range in [FrameBarcode.LumaRange.limited, .full] {
            var bytes = [UInt8](repeating: 1, count: bytesPerRow * height)
            bytes.withUnsafeMutableBytes {
                FrameBarcode.paint(
                    8_765_432, intoLuma: $0, width: width, height: height, bytesPerRow: bytesPerRow,
                    bitDepth: bitDepth, range: range)
            }
            let first = FrameBarcode.top(height: height) * bytesPerRow
            let white = Int(bytes[first]) | Int(bytes[first + 1]) << 8
            #expect(white == (range == .full ? (1 << bitDepth) - 1 : 235 << (bitDepth - 8)))
            let number = bytes.withUnsafeBytes {
                FrameBarcode.read(
                    luma: $0, width: width, height: height, bytesPerRow: bytesPerRow,
                    bitDepth: bitDepth)
            }
            #expect(number == 8_765_432)
            #expect(bytes[bytesPerRow - 1] == 1 && bytes[bytes.count - 1] == 1, "padding is kept")
        }
    }

    @Test("only the strip is painted")
    func leavesTheFrame() {
        var plane = Plane(320, 180)
        plane.paint(42)
        let top = FrameBarcode.top(height: 180)
        #expect(top == 162)
        #expect(plane.pixels[..<(top * 320)].allSatisfy { $0 == 90 })
        #expect(plane.pixels[(top * 320)...].allSatisfy { $0 == 16 || $0 == 235 })
    }

    @Test("strong noise is read through")
    func noise() {
        var random = SplitMix64(seed: 11)
        for number in [0, 77, 4_000_000] {
            var plane = Plane(160, 120)
            plane.paint(number)
            plane.pixels = plane.pixels.map {
                UInt8(min(255, max(0, Int($0) + Int.random(in: -50...50, using: &random))))
            }
            #expect(plane.read() == number, "seed 11")
        }
    }

    @Test("scaling up and down and its blur are read through")
    func scaling() {
        var plane = Plane(640, 360)
        plane.paint(1_234_567)
        for (width, height) in [(427, 240), (320, 180), (500, 300), (1280, 720), (853, 481)] {
            #expect(plane.scaled(to: width, height).read() == 1_234_567, "\(width)x\(height)")
        }
        var small = Plane(160, 120)
        small.paint(99)
        #expect(small.scaled(to: 120, 90).scaled(to: 200, 150).read() == 99)
    }

    @Test("a frame without a strip has no number")
    func noStrip() {
        for grey: UInt8 in [0, 16, 128, 235, 255] {
            #expect(Plane(160, 120, grey: grey).read() == nil)
        }
        #expect(Plane(87, 64).read() == nil, "too small")
        var random = SplitMix64(seed: 5)
        for _ in 0..<300 {
            var plane = Plane(160, 120)
            plane.pixels = plane.pixels.map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(plane.read() == nil, "seed 5")
        }
    }

    @Test("a damaged strip has no number rather than a wrong one")
    func damage() {
        var random = SplitMix64(seed: 2024)
        var refusals = 0
        for _ in 0..<1500 {
            let number = Int.random(in: FrameBarcode.numbers, using: &random)
            var plane = Plane(160, 120)
            plane.paint(number)
            let x = Int.random(in: 0..<150, using: &random)
            let width = Int.random(in: 4...60, using: &random)
            let grey = UInt8.random(in: 0...255, using: &random)
            for y in Int.random(in: 104..<115, using: &random)..<120 {
                for x in x..<min(160, x + width) { plane.pixels[y * 160 + x] = grey }
            }
            let read = plane.read()
            #expect(read == nil || read == number, "seed 2024")
            if read == nil { refusals += 1 }
        }
        #expect(refusals > 500)
    }

    @Test("two rows from different frames are no number")
    func torn() {
        for number in 0..<200 {
            var (plane, next) = (Plane(160, 120), Plane(160, 120))
            plane.paint(number)
            next.paint(number + 1)
            plane.pixels[(114 * 160)...] = next.pixels[(114 * 160)...]
            #expect(plane.read() == nil)
        }
    }

    @Test("an even blend of two frames has no number; a faint one has the stronger frame's")
    func blend() {
        var (plane, next) = (Plane(160, 120), Plane(160, 120))
        plane.paint(500)
        next.paint(501)
        func mix(_ share: Double) -> Int? {
            var mixed = plane
            for (index, value) in next.pixels.enumerated() {
                let sum = Double(plane.pixels[index]) * (1 - share) + Double(value) * share
                mixed.pixels[index] = UInt8(sum.rounded())
            }
            return mixed.read()
        }
        #expect(mix(0.5) == nil)
        #expect(mix(0.2) == 500)
        #expect(mix(0.8) == 501)
    }
}
