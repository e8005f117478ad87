import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Packets that get new times")
struct RestampedPacketsTests {
    @discardableResult
    private func move(
        _ clip: Clip, to output: String, _ change: (inout RenderSettings) -> Void = { _ in }
    ) async throws -> RenderReport {
        let settings = RenderSettings {
            $0.output.existing = .overwrite
            $0.video.mode = .restamped
            $0.video.rate = .any
            change(&$0)
        }
        return try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
    }

    /// The PTS and DTS of all packets, in the order in which they are stored.
    private func packets(_ path: String) throws -> [(shown: Double, decoded: Double?)] {
        try ReferenceTools.ffprobe([
            "-select_streams", "v:0", "-show_entries", "packet=pts_time,dts_time", path,
        ]).compactMap { line in
            let fields = line.split(separator: ",")
            return Double(fields[0]).map { ($0, Double(fields[1])) }
        }
    }

    /// Checks that the frames are the same, and that each is shown when the map says.
    private func check(
        _ output: String, shows before: [Finding.DecodedFrame], by map: TimeMap,
        within tolerance: Double
    ) throws {
        let after = try Finding.decodedFrames(in: output)
        #expect(after.map(\.checksum) == before.map(\.checksum))
        let start = try #require(before.first?.seconds)
        for (old, new) in zip(before.map(\.seconds), after.map(\.seconds)) {
            let due = map.outputTime(of: old - start)
            #expect(abs(new - due) < tolerance, "\(old) s comes at \(new) s, is due at \(due) s")
        }
        let order = try packets(output)
        for (packet, next) in zip(order, order.dropFirst()) {
            if let decoded = packet.decoded, let later = next.decoded {
                #expect(decoded < later)
            }
        }
        #expect(order.allSatisfy { $0.decoded.map { [shown = $0.shown] in $0 <= shown } ?? true })
    }

    static let pairs: [(clip: HardClip, ending: String)] = HardClip.all.flatMap { clip in
        let isWeb = clip.name.hasSuffix("webm")
        return (isWeb ? ["mkv", "webm"] : ["mp4", "mov", "mkv"]).map { (clip, $0) }
    }

    @Test("any kind of stream keeps every frame, at its new time", arguments: pairs)
    func kinds(clip hard: HardClip, ending: String) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (try hard.write(to: folder), folder.path("out." + ending))
        let clip = try Clip(
            of: MediaSource(at: input), warpedBy: .builtIn(.doubleSmoothstep, factor: 3))
        let stream = clip.source.assets[0].videoStreams[0]
        guard try Container(forFileAt: output).holdsPackets(of: stream) else {
            let error = await #expect(throws: MediaError.self) { try await move(clip, to: output) }
            #expect(error?.remedy?.description.contains(".mkv") == true)
            return
        }
        let report = try await move(clip, to: output)
        // Matroska rounds times to the millisecond, in the source and in the output.
        let isCoarse = ending == "mkv" || ending == "webm" || !input.hasSuffix(".mp4")
        try check(
            output, shows: hard.decodedFrames(), by: clip.map, within: isCoarse ? 0.002 : 2e-5)
        let video = report.video[0]
        #expect(video.framesDecoded == 0)
        #expect(video.framesRead == video.framesWritten)
        #expect(video.largestTimeErrorSeconds <= (isCoarse ? 0.0006 : 1e-6))
        // MP4 files from other programs round their whole length to the millisecond, but not their last frame's time.
        #expect(abs(report.durationErrorSeconds) < 0.002)
    }

    @Test("sound is retimed beside them, exact in length, and clicks stay on their flashes")
    func sound() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try TestClip { $0.frameCount = 150 }.write(to: input)
        for ending in ["mp4", "mov", "mkv"] {
            let output = folder.path("out." + ending)
            let clip = try Clip(
                of: MediaSource(at: input), warpedBy: .builtIn(.triangle, factor: 2.5))
            let report = try await move(clip, to: output)
            #expect(report.audio[0].lengthErrorSamples == 0)
            let flashes = try Finding.shownFrames(in: output).filter(\.isFlash).map(\.seconds)
            let sound = try Finding.sound(in: output, channelCount: 2)[0]
            let clicks = Finding.clicks(in: sound, sampleRate: 48_000)
            #expect(flashes.count == 4)
            for flash in flashes {
                let nearest = clicks.map { abs($0 - flash) }.min() ?? 1
                #expect(nearest < 0.002, "flash at \(flash), clicks at \(clicks)")
            }
        }
    }

    @Test("a start that an edit list cuts is kept, and so is one that comes late")
    func starts() async throws {
        let folder = try TemporaryFolder()
        let (whole, cut, late) = (
            folder.path("whole.mp4"), folder.path("cut.mp4"), folder.path("late.mp4")
        )
        try TestClip { $0.frameCount = 120 }.write(to: whole)
        try ReferenceTools.ffmpeg(["-ss", "1.5", "-i", whole, "-c", "copy", cut])
        try ReferenceTools.ffmpeg([
            "-i", whole, "-itsoffset", "1.4", "-i", whole, "-map", "0:a", "-map", "1:v", "-c",
            "copy",
            late,
        ])
        for (input, start) in [(cut, 0.0), (late, 1.4)] {
            let output = folder.path("out.mp4")
            let clip = try Clip(of: MediaSource(at: input), scaled: .factor(2, over: 1))
            try await move(clip, to: output)
            let before = try Finding.shownFrames(in: input)
            let after = try Finding.shownFrames(in: output)
            #expect(after.map(\.number) == before.map(\.number))
            #expect(abs(after[0].seconds - 2 * start) < 0.001)
            for (old, new) in zip(before, after) {
                #expect(abs(new.seconds - 2 * old.seconds) < 0.001)
            }
        }
    }

    @Test("a range begins and ends where it should; what leads up to it is hidden, or refused")
    func range() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in.mp4"), folder.path("out.mp4"))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=4", "-c:v", "libx264", "-g", "30", "-bf",
            "2", "-pix_fmt", "yuv420p", input,
        ])
        let asset = try Asset(at: input)
        let middle = try Clip(
            of: MediaSource(asset),
            range: try TimeRange(
                start: RationalTime(45, over: 30), end: RationalTime(90, over: 30)),
            scaled: .factor(3, over: 1))
        let report = try await move(middle, to: output)
        let all = try Finding.frameChecksums(in: input)
        let frames = try Finding.decodedFrames(in: output)
        let shown = frames.map(\.checksum)
        #expect(Array(shown.prefix(45)) == Array(all[45..<90]))
        #expect(report.warnings.contains { $0.contains("15 frames before the start") })
        #expect(abs(frames[0].seconds) < 1e-4)
        // No frame after the end is kept: frame 90 is a keyframe, and no frame before it refers to it.
        #expect(shown.count == 45)

        let error = await #expect(throws: MediaError.self) {
            try await move(middle, to: folder.path("out.mkv"))
        }
        #expect(error?.remedy?.description.contains("1.0 s or 2.0 s") == true)
        #expect(try folder.contents == ["in.mp4", "out.mp4"])
        let onKey = try Clip(
            of: MediaSource(asset),
            range: try TimeRange(start: RationalTime(1, over: 1), end: asset.duration),
            scaled: .factor(1, over: 1))
        try await move(onKey, to: folder.path("out.mkv"))
        #expect(try Finding.frameChecksums(in: folder.path("out.mkv")) == Array(all[30...]))
    }

    @Test("what can't be done without decoding is refused, and what to do is said")
    func refusals() async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.mp4")
        try TestClip { $0.frameCount = 30 }.write(to: input)
        let asset = try Asset(at: input)
        let same = try Clip(of: MediaSource(asset), scaled: .factor(1, over: 1))
        let cases: [(Clip, String, String, @Sendable (inout RenderSettings) -> Void)] = [
            (same, "a.mp4", "rate of \"any\"", { $0.video.rate = .source }),
            (
                try Clip(reversing: MediaSource(asset)), "b.mp4", "copying of video packets",
                { _ in }
            ),
            (same, "c.mp4", "quality", { $0.video.quality = 20 }),
            (same, "d.mp4", "shutter", { $0.video.shutterDegrees = 180 }),
            (
                try Clip(of: MediaSource(asset), scaled: .factor(1, over: 60)), "e.mkv", ".mp4",
                { _ in }
            ),
            (same, "f.webm", ".mkv", { _ in }),
        ]
        for (clip, name, remedy, change) in cases {
            let error = await #expect(throws: MediaError.self) {
                try await move(clip, to: folder.path(name), change)
            }
            #expect(
                error?.remedy?.description.contains(remedy) == true,
                "\(name): \(String(describing: error))")
        }
        #expect(try folder.contents == ["in.mp4"])
    }

    @Test("packets without times are refused by the name of the input, the stream and the place")
    func unstated() async throws {
        let folder = try TemporaryFolder()
        let (input, even) = (folder.path("in.avi"), folder.path("even.mp4"))
        try TestClip { ($0.frameCount, $0.audioCodec) = (20, nil) }.write(to: even)
        try ReferenceTools.ffmpeg(["-i", even, "-c:v", "mpeg4", "-bf", "2", input])
        let clip = try Clip(of: MediaSource(at: input), scaled: .factor(1, over: 1))
        let error = await #expect(throws: MediaError.self) {
            try await move(clip, to: folder.path("out.mkv"))
        }
        #expect(error?.file == input)
        #expect(error?.reason.hasPrefix("stream 0 (mpeg4): packet 0 ") == true)
    }

    @Test("a frame is decoded as late as it can be, and never after it is shown")
    func clock() {
        // Stored in the order I0 P3 b1 b2 P6 b4 b5.
        let order = [0, 2, 3, 1, 5, 6, 4]
        let delay = DTSFromPTS.delay(ofOrder: order)
        let clock = DTSFromPTS([0, 2, 5, 9, 11, 13, 15], delay: delay)
        #expect(delay == 1)
        #expect((0..<7).map(clock.time) == [-2, 0, 2, 5, 9, 11, 13])
        var generator = SplitMix64(seed: 7)
        for _ in 0..<200 {
            let shown = (0..<40).reduce(into: [Int64(0)]) { times, _ in
                times.append(times[times.count - 1] + .random(in: 1...50, using: &generator))
            }
            // Runs of up to eight frames, each in random order.
            var order: [Int] = []
            while order.count < shown.count {
                let count = min(Int.random(in: 1...8, using: &generator), shown.count - order.count)
                order += (order.count..<order.count + count).shuffled(using: &generator)
            }
            let clock = DTSFromPTS(shown, delay: DTSFromPTS.delay(ofOrder: order))
            let decoded = shown.indices.map(clock.time)
            #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 })
            #expect(order.indices.allSatisfy { decoded[order[$0]] <= shown[$0] })
        }
        // A damaged stream: the first two times are 2⁵⁹ ticks apart, and the frame decoded first is shown last.
        let far: Int64 = 1 << 59
        let apart = DTSFromPTS([0] + (0..<119_999).map { far + $0 }, delay: 119_999)
        #expect(apart.time(of: 0) < apart.time(of: 1))
    }
}
