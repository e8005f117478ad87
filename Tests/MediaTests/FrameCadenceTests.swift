import Testing

@testable import Media

@Suite("Whether frames are at a constant rate")
struct FrameCadenceTests {
    private func cadence(
        _ stamps: [Int64]?, _ lengths: [Int64] = [], perSecond: Double, nominal: FrameRate? = nil
    ) -> VideoFormat.Cadence {
        let format = VideoFormat(
            width: 16, height: 16, pixelFormat: .yuv420p, frameRate: nil, nominalRate: nominal,
            sampleAspectRatio: nil, color: .highDefinition, fieldOrder: .progressive)
        return FrameCadence.cadence(
            of: stamps, lengths: lengths, tickSeconds: 1 / perSecond, format)
    }

    private func stamps(_ places: some Sequence<Int>, _ rate: Double, _ perSecond: Double)
        -> [Int64]
    {
        places.map { Int64((Double($0) / rate * perSecond).rounded()) }
    }

    static let rates: [(FrameRate, Double)] = [
        (FrameRate(known: 24), 1000), (FrameRate(known: 30_000, over: 1001), 1000),
        (FrameRate(known: 60), 1000),
        (FrameRate(known: 24_000, over: 1001), 90_000), (FrameRate(known: 25), 600),
        (FrameRate(known: 30_000, over: 1001), 600), (FrameRate(known: 15, over: 2), 100),
        (FrameRate(known: 120), 90_000),
    ]

    @Test(
        "film for 60 fields a second is known by its times, or by how long its frames are",
        arguments: [90_000.0, 1000, 1_200_000], [24_000.0 / 1001, 24])
    func telecined(perSecond: Double, rate: Double) {
        let film = rate == 24 ? FrameRate(known: 24) : FrameRate(known: 24_000, over: 1001)
        for first in 0..<2 {
            let fields = (first..<first + 61).map { $0 / 2 * 5 + $0 % 2 * 3 }
            let times = stamps(fields, rate * 2.5, perSecond)
            #expect(cadence(times, perSecond: perSecond) == .telecined(film: film))
            let lengths = zip(times, times.dropFirst()).map { $1 - $0 }
            #expect(cadence(nil, lengths, perSecond: perSecond) == .telecined(film: film))
            // A screen recorder that takes 25 of 60.
            let others = (0..<61).map { $0 * 12 / 5 }
            #expect(cadence(stamps(others, 60, perSecond), perSecond: perSecond) == .variable)
        }
    }

    @Test("a grid is found through the container's rounding", arguments: rates)
    func constant(rate: FrameRate, perSecond: Double) {
        let all = stamps(0..<3000, rate.framesPerSecond, perSecond)
        #expect(cadence(all, perSecond: perSecond) == .constant(rate))
        #expect(cadence(all.shuffled(), perSecond: perSecond) == .constant(rate))
        #expect(cadence(all, perSecond: perSecond, nominal: rate) == .constant(rate))
        // Long and short holes, in which the frame before is shown.
        let places = (0..<3000).filter { $0 % 30 != 3 && !(500..<650).contains($0) }
        let holed = stamps(places, rate.framesPerSecond, perSecond)
        #expect(cadence(holed, perSecond: perSecond) == .constant(rate))
        // Where more than a tenth is missing, what is there is uneven.
        let sparse = stamps(places.filter { $0 % 8 != 0 }, rate.framesPerSecond, perSecond)
        #expect(cadence(sparse, perSecond: perSecond) == .variable)
    }

    /// MJPEG, DV, AVI, MXF and IVF count frames, and MOV may.
    static let coarse: [(FrameRate, ticks: Int64)] = [
        (FrameRate(known: 25), 1), (FrameRate(known: 30_000, over: 1001), 1),
        (FrameRate(known: 15, over: 2), 1),
        (FrameRate(known: 30), 2), (FrameRate(known: 24_000, over: 1001), 5),
    ]

    @Test("a frame may be a tick, or a few of them exactly", arguments: coarse)
    func ticks(rate: FrameRate, ticks: Int64) {
        let perSecond = rate.framesPerSecond * Double(ticks)
        let all = (0..<200).map { ticks * Int64($0) }
        #expect(cadence(all, perSecond: perSecond) == .constant(rate))
        #expect(cadence(all, perSecond: perSecond, nominal: rate) == .constant(rate))
        #expect(
            cadence(all, perSecond: perSecond, nominal: FrameRate(known: 29)) == .constant(rate))
        #expect(FrameCadence.rounding(of: all, tickSeconds: 1 / perSecond) == 0)
        let holed = all.filter { $0 / ticks % 15 != 7 }
        #expect(cadence(holed, perSecond: perSecond) == .constant(rate))
        let sparse = all.filter { $0 / ticks % 7 != 3 }
        #expect(cadence(sparse, perSecond: perSecond) == .variable)
        if ticks > 1 {
            let uneven = all.enumerated().map { $0 % 3 == 1 ? $1 + 1 : $1 }
            #expect(cadence(uneven, perSecond: perSecond) == .variable)
        }
    }

    @Test("milliseconds in a file with finer ticks are rounding, too")
    func milliseconds() {
        let all = stamps(0..<500, 30, 1000).map { $0 * 16 }
        #expect(cadence(all, perSecond: 16_000) == .constant(FrameRate(known: 30)))
    }

    @Test(
        "intervals of a few whole milliseconds are no rounding",
        arguments: [125, 200, 250, 500, 1000])
    func wholeMilliseconds(rate: Int32) {
        let all = stamps(0..<500, Double(rate), 16_000)
        #expect(cadence(all, perSecond: 16_000) == .constant(FrameRate(known: rate)))
        #expect(FrameCadence.rounding(of: all, tickSeconds: 1.0 / 16_000) == 1.0 / 16_000)
        let slow = stamps(0..<500, 25, 12_800)
        #expect(FrameCadence.rounding(of: slow, tickSeconds: 1.0 / 12_800) == 1.0 / 12_800)
        let rounded = stamps(0..<500, 30, 1000).map { $0 * 16 }
        #expect(FrameCadence.rounding(of: rounded, tickSeconds: 1.0 / 16_000) == 0.001)
    }

    @Test("what isn't rounded is uneven if it is only near a grid, as GIF's delays")
    func exact() {
        let all = stamps(0..<300, 30, 100)
        let format = VideoFormat(
            width: 16, height: 16, pixelFormat: .yuv420p, frameRate: nil, nominalRate: nil,
            sampleAspectRatio: nil, color: .highDefinition, fieldOrder: .progressive)
        func cadence(_ stamps: [Int64]) -> VideoFormat.Cadence {
            FrameCadence.cadence(of: stamps, lengths: [], tickSeconds: 0.01, format, areExact: true)
        }
        #expect(cadence(all) == .variable)
        #expect(cadence((0..<300).map { 4 * $0 }) == .constant(FrameRate(known: 25)))
        #expect(FrameCadence.rounding(of: all, tickSeconds: 0.01, areExact: true) == 0)
    }

    @Test("uneven times are on no grid, though ticks are one")
    func variable() {
        // A phone: 30 frames a second, give or take half a millisecond.
        let phone = (0..<300).map { (frame: Int64) -> Int64 in
            let jitter = (frame * 7919) % 91
            return 3000 * frame + jitter - 45
        }
        #expect(cadence(phone, perSecond: 90_000) == .variable)
        #expect(
            cadence(phone, perSecond: 90_000, nominal: FrameRate(known: 90_000)) == .variable)
        // A screen: frames come when something changes.
        let screen = (0..<200).map { (frame: Int64) -> Int64 in frame * frame * 13 + frame * 17 }
        #expect(cadence(screen, perSecond: 1000) == .variable)
        // One frame of many is late.
        var late = stamps(0..<1000, 25, 90_000)
        late[500] += 900
        #expect(cadence(late, perSecond: 90_000) == .variable)
        // Two frames at one time.
        #expect(cadence([0, 3600, 3600, 7200, 10_800], perSecond: 90_000) == .variable)
    }

    @Test("hardly any frames, or no times, tell nothing")
    func unknown() {
        #expect(cadence([], perSecond: 1000) == .unknown)
        #expect(cadence([5], perSecond: 1000) == .unknown)
        #expect(cadence([0, 40], perSecond: 1000) == .unknown)
        #expect(cadence([7, 7, 7], perSecond: 1000) == .unknown)
        #expect(cadence([.min, 0, .max], perSecond: 1000) == .unknown)
    }
}
