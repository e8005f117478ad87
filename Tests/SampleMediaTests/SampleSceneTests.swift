import Plotting
import Testing

@testable import SampleMedia

@Suite("Sample scene")
struct SampleSceneTests {
    private func frame(_ index: Int, of scene: SampleScene, padding: Int = 0) throws -> [UInt8] {
        let bytesPerRow = 4 * scene.width + padding
        var pixels = [UInt8](repeating: 7, count: bytesPerRow * scene.height)
        try pixels.withUnsafeMutableBytes {
            try scene.drawFrame(index, into: $0, bytesPerRow: bytesPerRow)
        }
        return pixels
    }

    /// The mean green value of the frame without the barcode.
    private func brightness(_ pixels: [UInt8], of scene: SampleScene) -> Double {
        let count = scene.width * FrameBarcode.top(height: scene.height)
        let sum = (0..<count).reduce(0) { $0 + Int(pixels[4 * $1 + 1]) }
        return Double(sum) / Double(count)
    }

    @Test(
        "every frame shows its number", arguments: [(96, 72), (160, 120), (320, 180), (120, 200)])
    func numbers(width: Int, height: Int) throws {
        let scene = try SampleScene(
            width: width, height: height, frameRate: (30, 1), frameCount: 1 << 20)
        for index in [0, 1, 29, 30, 31, 299, 12_345, (1 << 20) - 1] {
            let number = try frame(index, of: scene).withUnsafeBytes {
                FrameBarcode.read(bgra: $0, width: width, height: height, bytesPerRow: 4 * width)
            }
            #expect(number == index)
        }
    }

    @Test("the frame is light at each whole second from 1 on, and dark between")
    func flashes() throws {
        let scene = try SampleScene(width: 160, height: 120, frameRate: (10, 1), frameCount: 31)
        for index in 0..<31 {
            let isFlash = [10, 20, 30].contains(index)
            #expect(scene.isFlash(frame: index) == isFlash)
            let light = brightness(try frame(index, of: scene), of: scene)
            #expect(isFlash ? light > 200 : light < 80, "frame \(index): \(light)")
        }
    }

    @Test(
        "a flash is the frame that starts nearest to its second, at any rate",
        arguments: [
            (24, 1), (25, 1), (30000, 1001), (24000, 1001), (60, 1), (15, 2), (1, 1), (1, 3),
        ])
    func flashFrames(numerator: Int, denominator: Int) throws {
        let scene = try SampleScene(
            width: 160, height: 120, frameRate: (numerator, denominator), frameCount: 400)
        var flashes: Set<Int> = []
        for second in scene.flashSeconds {
            guard let frame = scene.flashFrame(atSecond: second) else { continue }
            flashes.insert(frame)
            let distance = abs(scene.seconds(atFrame: frame) - Double(second))
            // Half a frame, plus the rounding of the division.
            #expect(distance <= 0.5 * Double(denominator) / Double(numerator) + 1e-9)
        }
        #expect(!flashes.isEmpty)
        for index in 0..<400 {
            #expect(scene.isFlash(frame: index) == flashes.contains(index), "frame \(index)")
        }
        #expect(scene.flashSeconds.lowerBound == 1)
        #expect(Double(scene.flashSeconds.upperBound - 1) < scene.durationInSeconds)
    }

    @Test("frames are opaque, differ from each other, and are the same every time")
    func frames() throws {
        let scene = try SampleScene(width: 160, height: 120, frameRate: (30, 1), frameCount: 10)
        let frames = try (0..<10).map { try frame($0, of: scene) }
        #expect(Set(frames).count == 10)
        for (index, luma) in frames.enumerated().reversed() {
            #expect(try frame(index, of: scene) == luma)
            #expect(stride(from: 3, to: luma.count, by: 4).allSatisfy { luma[$0] == 255 })
        }
    }

    @Test("bytes beyond a row's pixels are left alone")
    func padding() throws {
        let scene = try SampleScene(width: 101, height: 75, frameRate: (30, 1), frameCount: 2)
        let padded = try frame(1, of: scene, padding: 12)
        let bytesPerRow = 4 * 101 + 12
        for row in 0..<75 {
            #expect(
                padded[(row * bytesPerRow + 404)..<((row + 1) * bytesPerRow)].allSatisfy { $0 == 7 }
            )
        }
    }

    @Test("memory that does not fit and frames outside of the clip are refused")
    func refusals() throws {
        let scene = try SampleScene(width: 160, height: 120, frameRate: (30, 1), frameCount: 10)
        var pixels = [UInt8](repeating: 0, count: 160 * 120 * 4)
        pixels.withUnsafeMutableBytes { bytes in
            for index in [-1, 10, .max] {
                let error = #expect(throws: PlotError.self) {
                    try scene.drawFrame(index, into: bytes, bytesPerRow: 640)
                }
                #expect(error?.code == .invalidData)
            }
            for bytesPerRow in [0, 636, 641, 644, -640] {
                let error = #expect(throws: PlotError.self) {
                    try scene.drawFrame(1, into: bytes, bytesPerRow: bytesPerRow)
                }
                #expect(error?.code == .invalidSize)
            }
        }
    }

    @Test("values that make no clip are refused")
    func invalid() {
        let wrong: [(Int, Int, (Int, Int), Int, Int, Int)] = [
            (95, 120, (30, 1), 10, 48000, 2), (160, 71, (30, 1), 10, 48000, 2),
            (20000, 120, (30, 1), 10, 48000, 2), (160, 120, (0, 1), 10, 48000, 2),
            (160, 120, (30, 0), 10, 48000, 2), (160, 120, (30, -1), 10, 48000, 2),
            (160, 120, (1001, 1), 10, 48000, 2), (160, 120, (30, 1), 0, 48000, 2),
            (160, 120, (30, 1), .max, 48000, 2), (160, 120, (30, 1), 10, 0, 2),
            (160, 120, (30, 1), 10, 48000, 0), (160, 120, (30, 1), 10, 48000, 9),
        ]
        for (width, height, rate, frames, sampleRate, channels) in wrong {
            #expect(throws: PlotError.self) {
                try SampleScene(
                    width: width, height: height, frameRate: rate, frameCount: frames,
                    sampleRate: sampleRate, channelCount: channels)
            }
        }
    }
}
