import CLibAV
import Foundation
import Testing
import TimeMaps

@testable import Media

/// One component of a frame, read and written a sample at a time: slow and simple.
private struct Component {
    let frame: Frame
    let place: AVComponentDescriptor
    let isBigEndian: Bool
    let isFloat: Bool
    let width: Int
    let height: Int

    static func all(of frame: Frame) -> [Component] {
        guard let descriptor = av_pix_fmt_desc_get(frame.pixelFormat.raw)?.pointee else {
            return []
        }
        let four = [
            descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3,
        ]
        return four.prefix(Int(descriptor.nb_components)).enumerated().map { index, place in
            let isChroma = (index == 1 || index == 2) && !frame.pixelFormat.isRGB
            let shift = isChroma ? frame.pixelFormat.chromaShift : (0, 0)
            return Component(
                frame: frame, place: place,
                isBigEndian: descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0,
                isFloat: descriptor.flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0,
                width: -((-frame.width) >> shift.0), height: -((-frame.height) >> shift.1))
        }
    }

    var largest: Double { isFloat ? 1 : Double((1 << place.depth) - 1) }
    private var size: Int { place.depth == 8 ? 1 : place.depth == 32 ? 4 : 2 }

    private func address(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8>? {
        let raw = frame.pointer.pointee
        let data = [raw.data.0, raw.data.1, raw.data.2, raw.data.3][Int(place.plane)]
        let strides = [raw.linesize.0, raw.linesize.1, raw.linesize.2, raw.linesize.3]
        let stride = Int(strides[Int(place.plane)])
        return data.map { $0 + y * stride + x * Int(place.step) + Int(place.offset) }
    }

    func word(_ x: Int, _ y: Int) -> UInt32 {
        guard let bytes = address(x, y) else {
            return 0
        }
        return (0..<size).reduce(0) { sum, i in
            sum | UInt32(bytes[i]) << UInt32(8 * (isBigEndian ? size - 1 - i : i))
        }
    }

    func setWord(_ word: UInt32, _ x: Int, _ y: Int) {
        for i in 0..<size {
            let shift = UInt32(8 * (isBigEndian ? size - 1 - i : i))
            address(x, y)?[i] = UInt8(truncatingIfNeeded: word >> shift)
        }
    }

    func value(_ x: Int, _ y: Int) -> Double {
        isFloat
            ? Double(Float(bitPattern: word(x, y))) : Double(word(x, y) >> UInt32(place.shift))
    }

    /// The unused bits below the component are filled with `junk`.
    func set(_ value: Double, junk: UInt32, _ x: Int, _ y: Int) {
        guard !isFloat else {
            return setWord(Float(value).bitPattern, x, y)
        }
        let low = junk & ((1 << UInt32(place.shift)) - 1)
        setWord(UInt32(value) << UInt32(place.shift) | low, x, y)
    }
}

private let mixable: [PixelFormat] = {
    var formats: [PixelFormat] = []
    var descriptor = av_pix_fmt_desc_next(nil)
    while let known = descriptor {
        let format = PixelFormat(av_pix_fmt_desc_get_id(known))
        if FrameMixer.canMix(format) {
            formats.append(format)
        }
        descriptor = av_pix_fmt_desc_next(known)
    }
    return formats
}()

/// A frame of random samples, many of them extreme, with padded rows.
private func noise(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ random: inout SplitMix64
) throws -> Frame {
    let padding = Int.random(in: 0...40, using: &random)
    let frame = try Frame(format: format, width: width + padding, height: height)
    frame.pointer.pointee.width = CInt(width)
    for component in Component.all(of: frame) {
        for y in 0..<component.height {
            for x in 0..<component.width {
                let kind = Int.random(in: 0..<4, using: &random)
                let share = Double.random(in: 0...1, using: &random)
                let value = [0, component.largest, share * component.largest][min(kind, 2)]
                let whole = component.isFloat ? value : value.rounded()
                component.set(whole, junk: UInt32(random.next() & 0xFFFF), x, y)
            }
        }
    }
    return frame
}

/// The largest difference between a mix and the weighted mean in Double, with halves rounded up.
private func largestError(of mixed: Frame, _ frames: [(frame: Frame, weight: Double)]) -> Double {
    let sources = frames.map { Component.all(of: $0.frame) }
    let sum = frames.reduce(0) { $0 + $1.weight }
    var largest = 0.0
    for (index, component) in Component.all(of: mixed).enumerated() {
        for y in 0..<component.height {
            for x in 0..<component.width {
                let mean = zip(sources, frames).reduce(0) {
                    $0 + $1.0[index].value(x, y) * $1.1.weight / sum
                }
                let expected = component.isFloat ? mean : (mean + 0.5).rounded(.down)
                largest = max(largest, abs(component.value(x, y) - expected))
            }
        }
    }
    return largest
}

@Suite("Mixing frames")
struct FrameMixerTests {
    @Test("formats whose samples have bytes of their own can be mixed, others cannot")
    func formats() throws {
        let can = [
            "yuv420p", "yuvj420p", "yuv410p", "nv12", "nv21", "p010le", "p010be", "p016le",
            "yuyv422", "uyvy422", "uyyvyy411", "rgb24", "bgra", "bgr0", "rgba64le", "rgb48be",
            "y210le", "gray", "gray10le", "gray16be", "ya8", "gbrp", "gbrap12le", "yuva420p",
            "yuva444p10le", "yuv422p10le", "yuv444p16be", "xyz12le", "gbrpf32le", "grayf32be",
        ]
        let cannot = [
            "rgb565le", "rgb555be", "bgr444le", "x2rgb10le", "x2bgr10be", "monow", "monob", "pal8",
            "rgb8", "rgb4", "bgr4_byte", "bayer_bggr8", "bayer_rggb16le", "vaapi", "cuda",
        ]
        for name in can {
            #expect(FrameMixer.canMix(try #require(PixelFormat(named: name))), "\(name)")
        }
        for name in cannot {
            #expect(!FrameMixer.canMix(try #require(PixelFormat(named: name))), "\(name)")
        }
        #expect(!FrameMixer.canMix(PixelFormat(AV_PIX_FMT_NONE)))
    }

    // libav describes the luma of this format as every fourth byte, so its components can't be told apart.
    @Test(
        "fast kernels agree with plain ones on every format",
        arguments: mixable.filter { $0.description != "uyyvyy411" })
    func agreesWithReference(format: PixelFormat) throws {
        let seed = UInt64(
            truncatingIfNeeded: format.description.utf8.reduce(7) { $0 &* 31 &+ Int($1) })
        var random = SplitMix64(seed: seed)
        for (size, counts) in [
            ((1, 1), [3]), ((3, 5), [7]), ((35, 2), [2, 3, 7]),
            ((Int.random(in: 1...90, using: &random), 3), [2]),
        ] {
            for count in counts {
                let frames = try (0..<count).map { _ in
                    let frame = try noise(format, size.0, size.1, &random)
                    return (frame, Double.random(in: 0.01...3, using: &random))
                }
                let mixed = try FrameMixer().mix(frames)
                let error = largestError(of: mixed, frames)
                // Integer samples: weights in 65536ths, or sums in Float, may round a value near a half the other way.
                // Float samples up to 1: a few roundings of 2⁻²⁴ each.
                let isFloat = Component.all(of: mixed).contains { $0.isFloat }
                #expect(error <= (isFloat ? 2e-6 : 1), "\(format) \(size) seed \(seed)")
                #expect(mixed !== frames[0].0)
            }
        }
    }

    @Test("rows longer than the sums' scratch are mixed whole, however they are split")
    func longRows() throws {
        var random = SplitMix64(seed: 11)
        for (name, width) in [("yuv420p", 2049), ("gray10le", 1024), ("rgb24", 1367)] {
            let format = try #require(PixelFormat(named: name))
            let frames = try [0.2, 0.5, 0.3].map { (try noise(format, width, 2, &random), $0) }
            #expect(largestError(of: try FrameMixer().mix(frames), frames) <= 1, "\(name)")
        }
    }

    @Test(
        "samples that agree stay exactly as they are", arguments: ["gray", "gray10le", "gray16le"])
    func constants(name: String) throws {
        let format = try #require(PixelFormat(named: name))
        var random = SplitMix64(seed: 5)
        for count in [2, 3, 10, 61] {
            let frame = try noise(format, 400, 2, &random)
            let frames = (0..<count).map { _ in
                (frame, Double.random(in: 0.001...9, using: &random))
            }
            let error = largestError(of: try FrameMixer().mix(frames), [(frame, 1)])
            #expect(error == 0, "\(name), \(count) frames")
        }
    }

    @Test("halves round up")
    func halves() throws {
        let format = try #require(PixelFormat(named: "gray"))
        var random = SplitMix64(seed: 3)
        let frames = try (0..<2).map { _ in (try noise(format, 300, 4, &random), 0.25) }
        #expect(largestError(of: try FrameMixer().mix(frames), frames) == 0)
    }

    @Test("hundreds of frames are averaged to within one")
    func manyFrames() throws {
        for name in ["gray", "gray12le", "gray16le"] {
            let format = try #require(PixelFormat(named: name))
            var random = SplitMix64(seed: 17)
            let frames = try (0..<400).map { _ in (try noise(format, 19, 2, &random), 1.0) }
            #expect(largestError(of: try FrameMixer().mix(frames), frames) <= 1, "\(name)")
        }
    }

    @Test("bits below a sample come out zero, whatever they were")
    func unusedBits() throws {
        for name in ["p010le", "p010be", "y210le", "xyz12le"] {
            let format = try #require(PixelFormat(named: name))
            var random = SplitMix64(seed: 23)
            let frames = try [1.0, 2].map { (try noise(format, 33, 4, &random), $0) }
            for component in Component.all(of: try FrameMixer().mix(frames)) {
                let unused = UInt32(1 << component.place.shift) - 1
                let words = (0..<component.width).map { component.word($0, 1) }
                #expect(words.allSatisfy { $0 & unused == 0 }, "\(name)")
            }
        }
    }

    @Test("a lone frame, or one that outweighs all others, comes back itself")
    func alone() throws {
        var random = SplitMix64(seed: 2)
        let a = try noise(.yuv420p, 8, 8, &random)
        let b = try noise(.yuv420p, 8, 8, &random)
        let mixer = FrameMixer()
        #expect(try mixer.mix([(a, 0.3)]) === a)
        #expect(try mixer.mix([(a, 1), (b, 1e-9)]) === a)
        #expect(try mixer.mix([(a, 1e-9), (b, 1)]) === b)
        #expect(try mixer.mix([(a, 1e308), (b, 1e308)]) !== a)
    }

    @Test("the result has the first frame's time, colour and aspect")
    func properties() throws {
        var random = SplitMix64(seed: 4)
        let a = try noise(.yuv420p, 8, 8, &random)
        let b = try noise(.yuv420p, 8, 8, &random)
        a.pointer.pointee.pts = 42
        a.pointer.pointee.color_trc = AVCOL_TRC_SMPTE2084
        a.pointer.pointee.sample_aspect_ratio = AVRational(num: 4, den: 3)
        let mixed = try FrameMixer().mix([(a, 1), (b, 3)])
        #expect(mixed.pointer.pointee.pts == 42)
        #expect(mixed.color == a.color)
        #expect(mixed.pointer.pointee.sample_aspect_ratio.num == 4)
    }

    @Test("mixing stored values differs from mixing light by at most 52 of 255, at black and white")
    func linearLight() {
        // ITU-R BT.709-6, item 1.2, and its inverse.
        func light(_ v: Double) -> Double {
            v < 0.081 ? v / 4.5 : pow((v + 0.099) / 1.099, 1 / 0.45)
        }
        func stored(_ l: Double) -> Double { l < 0.018 ? 4.5 * l : 1.099 * pow(l, 0.45) - 0.099 }
        func difference(_ a: Int, _ b: Int) -> Int {
            let inLight = stored((light(Double(a) / 255) + light(Double(b) / 255)) / 2)
            return Int((inLight * 255).rounded()) - (a + b + 1) / 2
        }
        #expect(difference(0, 255) == 52)
        #expect(difference(64, 192) == 15)
        #expect(difference(96, 160) == 4)
        let all = (0...255).flatMap { a in (a...255).map { difference(a, $0) } }
        #expect(all.max() == 52)
    }
}
