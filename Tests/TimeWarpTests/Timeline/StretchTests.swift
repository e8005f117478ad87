import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Stretched sound")
struct StretchTests {
    /// An audio clip with a click each second.
    private func recording(
        _ folder: TemporaryFolder, _ name: String, frames: Int = 120,
        codec: AudioCodec = .pcm
    ) throws -> String {
        let path = folder.path(name)
        try TestClip {
            $0.videoCodec = nil
            $0.audioCodec = codec
            $0.frameCount = frames
        }.write(to: path)
        return path
    }

    @Test(
        "every container states exactly the samples asked for",
        arguments: Container.allCases.filter { !$0.audioCodecs.isEmpty })
    func exactLengths(container: Container) async throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: recording(folder, "in.wav"))
        // Not a whole number of frames of any codec.
        let duration = RationalTime(4_011_117, over: 1_000_000)
        let stretch = try Stretch(MediaSource(asset), lasting: duration)
        let settings = RenderSettings { $0.video.mode = .dropped }
        let plan = try RenderPlan(
            stretch.clip, to: folder.path("out.\(container.rawValue)"), settings: settings)
        let report = try await Renderer().render(plan)
        let rate = plan.audio[0].sampleRate
        let expected = Int64((4.011117 * Double(rate)).rounded())
        #expect(report.audio[0].samplesOut == expected)
        let tolerance = Int64(container.tickSeconds * Double(rate))
        #expect(abs(report.audio[0].lengthErrorSamples) <= tolerance)
        let heard = try Finding.sound(in: plan.destination, channelCount: 2)[0]
        let isEdited = [.m4a, .mp4, .mov].contains(container) && plan.audio[0].codec == .aac
        if isEdited {
            // The edit list ends within the last frame, but the ffmpeg program plays that frame to its end.
            #expect(heard.count >= Int(expected) && heard.count < Int(expected) + 1024)
        } else {
            #expect(heard.count == Int(expected))
        }
        let clicks = Finding.clicks(in: heard, sampleRate: rate)
        for (click, second) in zip(clicks, [1.0, 2, 3]) {
            #expect(abs(click - second * 4.011117 / 4) < 0.0005, "\(click)")
        }
    }

    @Test("drift is told in every unit")
    func figures() {
        let drift = ClockDrift(ratio: 3601.0 / 3600)
        #expect(abs(drift.partsPerMillion - 277.78) < 0.01)
        #expect(abs(drift.millisecondsPerHour - 1000) < 1e-6)
        #expect(abs(drift.cents + 0.4808) < 0.001)
        #expect(ClockDrift(ratio: 1.001).knownMistake != nil)
        #expect(ClockDrift(ratio: 24.0 / 25).knownMistake != nil)
        #expect(ClockDrift(ratio: 1.002).knownMistake == nil)
    }

    @Test("a longer tail is no drift")
    func longerTail() async throws {
        let folder = try TemporaryFolder()
        let short = try Asset(at: recording(folder, "short.wav", frames: 120))
        let long = try Asset(at: recording(folder, "long.wav", frames: 150))
        await #expect(throws: MediaError.self) { try await Stretch.of(short, like: long) }
    }

    @Test("a second recording is laid onto the first, and clicks meet")
    func matching() async throws {
        let folder = try TemporaryFolder()
        let pair = try TwoRecordings(in: folder)
        let (reference, recording) = (pair.reference, pair.recording)
        let stretch = try await Stretch.of(
            Asset(at: recording), matching: Asset(at: reference))
        #expect(abs(stretch.drift.partsPerMillion - 200) < 1)
        #expect(abs((stretch.alignment?.offsetSeconds ?? 0) - 1.5) < 0.0002)
        let plan = try RenderPlan(stretch.clip, to: folder.path("out.wav"))
        try await Renderer().render(plan)
        let laid = try Finding.sound(in: plan.destination, channelCount: 1)[0]
        let ideal = try Finding.sound(in: reference, channelCount: 1)[0]
        #expect(laid.count == ideal.count)
        // The notes' attacks reach above the Nyquist frequency, where no interpolation can be exact.
        let part = 30_000..<480_000
        let power = part.reduce(0.0) { $0 + Double(ideal[$1] * ideal[$1]) }
        let rest = part.reduce(0.0) {
            $0 + Double((laid[$1] - ideal[$1]) * (laid[$1] - ideal[$1]))
        }
        #expect(10 * log10(power / rest) > 40)
        // Before the recording starts there is silence.
        #expect(laid[0..<23_000].allSatisfy { abs($0) < 0.02 })
    }

    @Test("a recording with another start isn't stretched to the reference's length")
    func anotherStart() async throws {
        let folder = try TemporaryFolder()
        let pair = try TwoRecordings(in: folder, recordingSeconds: 40.002)
        let (reference, recording) = (pair.reference, pair.recording)
        await #expect(throws: MediaError.self) {
            try await Stretch.of(Asset(at: recording), like: Asset(at: reference))
        }
    }

    @Test("a film's video goes along untouched, and its sound is stretched")
    func untouchedVideo() async throws {
        let folder = try TemporaryFolder()
        let film = folder.path("film.mp4")
        try TestClip { $0.frameCount = 60 }.write(to: film)
        let asset = try Asset(at: film)
        let stretch = try Stretch(MediaSource(asset), lasting: RationalTime(2001, over: 1000))
        for ending in ["mp4", "mkv", "mov"] {
            let plan = try RenderPlan(
                stretch.clip, to: folder.path("out.\(ending)"),
                settings: RenderSettings { $0.video.mode = .copied(from: asset.path) })
            #expect(plan.copied.count == 1 && plan.video.isEmpty)
            try await Renderer().render(plan)
            #expect(try hashes(in: plan.destination) == hashes(in: film))
            let before = try Finding.frameTimes(in: film)
            let after = try Finding.frameTimes(in: plan.destination)
            #expect(before.count == after.count)
            for (a, b) in zip(before, after) {
                // Matroska keeps times to a millisecond.
                #expect(abs(a - b) < 0.0011, "\(ending)")
            }
        }
    }

    private func hashes(in path: String) throws -> [String] {
        let lines = try ReferenceTools.ffmpeg([
            "-i", path, "-map", "0:v", "-f", "framehash", "-hash", "md5", "-",
        ])
        return lines.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        }
    }

    @Test("sound through anchors ends with itself, or when it is told to")
    func throughAnchors() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.wav")
        try ReferenceTools.writeSound(
            [(0..<32_000).map { sin(Float($0) / 20) }], sampleRate: 16_000, to: path)
        let anchors = [(0, 1), (1, 3)].map {
            TimeAnchor(source: RationalTime($0, over: 1), output: RationalTime($1, over: 1))
        }
        let asset = try Asset(at: path)
        #expect(try Stretch(asset, through: anchors).clip.map.outputDuration == 5)
        let longer = try Stretch(asset, through: anchors, lasting: RationalTime(7, over: 1)).clip
        #expect(longer.map.outputDuration == 7)
        #expect(longer.range.start.seconds + longer.map.sourceTime(at: 3) == 1)
    }

    @Test("anchor files are read, and their errors name the line")
    func anchorFiles() throws {
        let folder = try TemporaryFolder()
        func anchors(_ text: String) throws -> [TimeAnchor] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("a.txt")))
            return try [TimeAnchor](contentsOfFile: folder.path("a.txt"))
        }
        let read = try anchors("# here there\n0:10 0:12.5\n\n1:00,-500ms # odd\n90s;\t2700/25\n")
        #expect(read.map(\.source.seconds) == [10, 60, 90])
        #expect(read.map(\.output.seconds) == [12.5, -0.5, 108])
        let error = #expect(throws: MediaError.self) { try anchors("0 0\n1:00\n") }
        #expect(error?.description.contains("line 2") == true)
        #expect(throws: MediaError.self) { try anchors("0 zero") }
        #expect(throws: MediaError.self) {
            try [TimeAnchor](contentsOfFile: folder.path("missing.txt"))
        }
    }
}
