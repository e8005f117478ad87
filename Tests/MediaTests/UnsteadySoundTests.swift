import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

/// Sound whose timestamps aren't where its samples are: they jitter, its clock is off, or a part is missing.
@Suite("Unsteady sound")
struct UnsteadySoundTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let ending: String
        let codec: [String]
        /// Timestamps in seconds as a formula of ffmpeg's, from `T`, those that are right.
        let times: String
        var testDescription: String { "\(codec[0]) in \(ending), \(times)" }
    }

    private static let aac = ["aac", "-b:a", "128k"]
    private static let opus = ["libopus"]
    private static let pcm = ["pcm_s16le"]

    /// Ten seconds of a tone; the timestamps are those of the samples and a change of them.
    private static func write(_ test: Case, to path: String) throws {
        let even = path + ".nut"
        try ReferenceTools.ffmpeg(
            ["-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*441*t):s=48000:d=10", "-c:a"]
                + test.codec + [even])
        // In the container's ticks, which setts doesn't tell.
        let ticks = ["ts": 90_000, "mp4": 48_000][test.ending] ?? 1000
        let times = test.times.replacing("T", with: "(PTS/\(ticks))")
        try ReferenceTools.ffmpeg([
            "-i", even, "-c", "copy", "-bsf:a", "setts=ts='(\(times))*\(ticks)'", path,
        ])
    }

    private static func blocks(of path: String, from start: RationalTime = .zero) throws -> (
        blocks: [SampleBlock], damage: StreamDamage
    ) {
        let asset = try Asset(at: path)
        let reader = try SampleReader(of: asset, stream: asset.audioStreams[0], from: start)
        var blocks: [SampleBlock] = []
        while let block = try reader.next() {
            blocks.append(block)
        }
        #expect(reader.sampleRate == 48_000)
        return (blocks, reader.damage)
    }

    /// Writes a case, and checks that each block follows the one before it.
    private static func unbrokenBlocks(of test: Case, at path: String) throws -> [SampleBlock] {
        try write(test, to: path)
        let (blocks, damage) = try blocks(of: path)
        for (one, next) in zip(blocks, blocks.dropFirst()) {
            #expect(one.end == next.start, "at \(one.end)")
        }
        #expect(damage.isEmpty)
        return blocks
    }

    /// How often the sound isn't a tone that goes on: where a sample isn't 2·cos(ω) times the one before less the one before
    /// that, by more than noise.
    private static func breaks(_ samples: [Float], _ hertz: Double) -> Int {
        let turn = Float(2 * cos(2 * Double.pi * hertz / 48_000))
        let middle = samples.dropFirst(4800).dropLast(4800)
        var count = 0
        var last = Int.min
        for at in middle.indices.dropFirst(2)
        where abs(samples[at] - turn * samples[at - 1] + samples[at - 2]) > 0.004 {
            count += at > last + 480 ? 1 : 0
            last = at
        }
        return count
    }

    static let jittering = [
        Case(ending: "mka", codec: aac, times: "T+(random(0)-0.5)*0.01"),
        Case(ending: "mka", codec: aac, times: "T+(random(0)-0.5)*0.016"),
        Case(ending: "mka", codec: pcm, times: "T+(random(0)-0.5)*0.03"),
        Case(ending: "ts", codec: aac, times: "T+(random(0)-0.5)*0.016"),
        Case(ending: "flv", codec: aac, times: "T+(random(0)-0.5)*0.025"),
        Case(ending: "mka", codec: opus, times: "T+mod(N\\,2)*0.0125"),
    ]

    @Test("jitter of its timestamps breaks nothing", arguments: jittering)
    func jitter(test: Case) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a." + test.ending)
        let blocks = try Self.unbrokenBlocks(of: test, at: path)
        #expect(Self.breaks(blocks.flatMap { $0.channels[0] }, 441) == 0)
        // After a seek it is where it is without, but for what the timestamps leave open.
        let late = try Self.blocks(of: path, from: RationalTime(6, over: 1)).blocks
        let first = try #require(late.first)
        #expect(first.start < 6 * 48_000)
        #expect(abs((late.last?.end ?? 0) - (blocks.last?.end ?? 0)) < 480)
    }

    static let drifting = [
        Case(ending: "mka", codec: aac, times: "T*1.0003"),
        Case(ending: "mp4", codec: aac, times: "T*0.9997"),
        Case(ending: "flv", codec: aac, times: "T*1.04"),
        Case(ending: "mka", codec: pcm, times: "T*0.96"),
        Case(ending: "mka", codec: opus, times: "T*1.01+(random(0)-0.5)*0.01"),
    ]

    @Test("a clock that is off is followed without a break", arguments: drifting)
    func drift(test: Case) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a." + test.ending)
        let blocks = try Self.unbrokenBlocks(of: test, at: path)
        let samples = blocks.flatMap { $0.channels[0] }
        let factor = Double(test.times.split(whereSeparator: "*+".contains)[1]) ?? 1
        // A tone that is slower by 4 % isn't one of 441 Hz, but goes on all the same.
        #expect(Self.breaks(samples, 441 / factor) == 0)
        // The tone ends after ten seconds of its clock.
        let end = Double(blocks.last?.end ?? 0) / 48_000
        #expect(abs(end - 10 * factor) < 0.03, "\(end)")
    }

    @Test(
        "where times are rounded to a millisecond, samples are where they were, wherever reading begins",
        arguments: [44_100, 48_000], [0, 500])
    func roundedTimes(rate: Int, milliseconds: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("sweep.mkv")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*(300+50*t)*t):s=\(rate):d=10", "-f",
            "lavfi",
            "-i", "color=size=16x16:duration=1", "-map", "1", "-map", "0", "-af",
            "adelay=\(milliseconds)", "-c:a", "aac", path,
        ])
        let asset = try Asset(at: path)
        func samples(from start: RationalTime) throws -> (start: Int, samples: [Float]) {
            let reader = try SampleReader(of: asset, stream: asset.audioStreams[0], from: start)
            var (first, samples): (Int?, [Float]) = (nil, [])
            while let block = try reader.next() {
                first = first ?? Int(block.start)
                #expect(Int(block.start) == (first ?? 0) + samples.count)
                samples += block.channels[0]
            }
            return (first ?? 0, samples)
        }
        let whole = try samples(from: .zero)
        for start: Int64 in [2100, 3330, 5017, 7770] {
            let part = try samples(from: .milliseconds(start))
            let moved = (-30...30).filter { shift in
                // Behind the first frames, which lack those before.
                (4096..<5120).allSatisfy {
                    abs(part.samples[$0] - whole.samples[part.start - whole.start + $0 + shift])
                        < 1e-4
                }
            }
            #expect(moved.count == 1 && abs(moved[0]) <= (rate == 48_000 ? 0 : 1), "\(moved)")
        }
    }

    @Test(
        "what is missing stays missing, among jitter too",
        arguments: ["0", "(random(0)-0.5)*0.016"])
    func missing(jitter: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mka")
        let times = "T+gte(T\\,5)*0.05+\(jitter)"
        try Self.write(Case(ending: "mka", codec: Self.aac, times: times), to: path)
        let (blocks, damage) = try Self.blocks(of: path)
        let holes = zip(blocks, blocks.dropFirst()).filter { $0.end != $1.start }
        #expect(holes.count == 1)
        let hole = try #require(holes.first)
        // 50 ms, or what the jitter makes of them.
        #expect(abs(hole.1.start - hole.0.end - 2400) <= (jitter == "0" ? 96 : 480))
        #expect(abs(hole.0.end - 240_000) <= 1024 + 480)
        #expect(!damage.isEmpty)
    }
}
