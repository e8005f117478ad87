import Foundation
import Media
import SampleMedia
import TestSupport
import Testing
import TimeMaps
import TimeWarp

@testable import Verification

/// The sample clip, made once for all tests here: six seconds, with a melody, clicks and flashes.
private enum Source {
    static let folder = Result { try TemporaryFolder() }
    static let clip = Result {
        let path = try folder.get().path("source.mp4")
        let scene = try SampleScene(
            width: 160, height: 90, frameRate: (numerator: 30, denominator: 1), frameCount: 180,
            sampleRate: 48_000, channelCount: 2)
        try SampleClip.write(scene, to: path, existing: .overwrite)
        return path
    }
    /// Variants of the sample clip, made by ffmpeg.
    static let others = Recording.allCases.reduce(into: [:]) { all, recording in
        all[recording] = Result {
            let path = try folder.get().path("\(recording).mp4")
            try ReferenceTools.ffmpeg(
                ["-i", try clip.get(), "-c:v", "copy"] + recording.change + [path])
            return path
        }
    }
}

/// The variants of the sample clip.
enum Recording: CaseIterable {
    case plain
    /// Rotated by its display matrix.
    case turned
    /// The sound outlasts the video, by less or by more than half a frame.
    case tenMillisecondsOfSoundMore, twentyFiveMillisecondsOfSoundMore, secondOfSoundMore
    /// More audio tracks than some containers can hold.
    case twoSoundTracks
    /// 5.1 with channels at the sides, as in AC-3.
    case filmSound
    /// A tick every half second; notes that repeat; sound at 16 kHz.
    case tick, notes, low

    var change: [String] {
        switch self {
        case .plain: ["-c:a", "copy"]
        case .turned: ["-c:a", "copy", "-metadata:s:v", "rotate=90"]
        case .tenMillisecondsOfSoundMore: Self.longer(by: 0.01)
        case .twentyFiveMillisecondsOfSoundMore: Self.longer(by: 0.025)
        case .secondOfSoundMore: Self.longer(by: 1)
        case .twoSoundTracks: ["-c:a", "copy", "-map", "0", "-map", "0:a"]
        case .filmSound:
            ["-af", "pan=5.1(side)|FL=FL|FR=FR|FC=FL+FR|LFE=FL|SL=FR|SR=FL", "-c:a", "ac3"]
        case .tick: Self.sounding("sin(2*PI*1000*t)*lt(mod(t,0.5),0.03)")
        case .notes:
            Self.sounding("sin(2*PI*220*pow(1.25,mod(floor(t*4),3))*t)*exp(-6*mod(t,0.25))")
        case .low: ["-ar", "16000", "-c:a", "flac", "-strict", "-2"]
        }
    }

    private static func sounding(_ expression: String) -> [String] {
        ["-af", "aeval='0.4*\(expression)':c=same", "-c:a", "flac", "-strict", "-2"]
    }

    private static func longer(by seconds: Double) -> [String] {
        ["-af", "apad=pad_dur=\(seconds)", "-c:a", "flac", "-strict", "-2"]
    }
}

/// How an output is made, and what it is compared with.
struct Making: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var ending = "mp4"
    var sound = RenderSettings.AudioMode.varispeed
    var rate = RenderSettings.OutputRate.source
    var frames = RenderSettings.FrameSynthesis.hold
    var recording = Recording.plain
    var quality: Double?
    var audioBitRate: Int?
    var clip: @Sendable (Asset) throws -> Clip

    init(
        _ description: String, _ change: (inout Making) -> Void = { _ in },
        clip: @escaping @Sendable (Asset) throws -> Clip
    ) {
        testDescription = description
        self.clip = clip
        change(&self)
    }

    static func curve(
        _ curve: BuiltInCurve, _ factor: Double, _ change: (inout Making) -> Void = { _ in }
    ) -> Making {
        Making("\(curve.rawValue) \(factor)", change) {
            try Clip(
                of: MediaSource($0), warpedBy: Curve.builtIn(curve, factor: factor, modifier: 0.5))
        }
    }

    var isAudioOnly: Bool { Container(rawValue: ending)?.isAudioOnly ?? false }

    var settings: RenderSettings {
        RenderSettings {
            $0.output.existing = .overwrite
            $0.audio.mode = sound
            $0.video.rate = rate
            $0.video.frames = frames
            $0.video.preset = isAudioOnly ? nil : "ultrafast"
            $0.video.quality = quality
            $0.audio.bitRate = audioBitRate
        }
    }

    var asset: Asset {
        get throws { try Asset(at: #require(Source.others[recording]).get()) }
    }

    func render(to path: String) async throws {
        _ = try await Renderer().render(try RenderPlan(clip(asset), to: path, settings: settings))
    }

    /// Everything that decides what is rendered; the description names the map.
    var key: String {
        "\(testDescription) \(ending) \(sound) \(rate) \(frames) \(recording) "
            + "\(quality.map { "\($0)" } ?? "-") \(audioBitRate.map { "\($0)" } ?? "-")"
    }

    func verify(_ path: String) async throws -> VerificationReport {
        try await Verifier(path, madeFrom: clip(asset), settings: settings).verify()
    }
}

/// Outputs for planting faults, each rendered once.
private actor Renders {
    static let kept = Renders()
    private var folder: TemporaryFolder?
    private var paths: [String: String] = [:]

    /// The path of a render, which no test may change.
    func path(of making: Making) async throws -> String {
        if let path = paths[making.key] {
            return path
        }
        let folder = try folder ?? KeptFiles.newFolder()
        self.folder = folder
        let path = folder.path("\(paths.count).\(making.ending)")
        try await making.render(to: path)
        paths[making.key] = path
        return path
    }
}

@Suite("Measuring a finished file", .serialized)
struct VerifierTests {
    static let right: [Making] = [
        .curve(.constant, 1), .curve(.constant, 2), .curve(.constant, 0.5),
        .curve(.constant, 1.1), .curve(.constant, 0.13), .curve(.doubleSmoothstep, 1.5),
        .curve(.triangle, 3), .curve(.ramp, 0.25), .curve(.cosine, 0.8), .curve(.power, 2),
        .curve(.doubleSmoothstep, 1.5) { $0.rate = .any },
        .curve(.ramp, 0.5) { $0.rate = .fixed(FrameRate(known: 24)) },
        .curve(.ramp, 2) { $0.rate = .fixed(FrameRate(known: 60_000, over: 1001)) },
        .curve(.constant, 2) { $0.frames = .blend },
        .curve(.constant, 2) { $0.frames = .motion },
        .curve(.constant, 1.3) { $0.sound = .keepPitch },
        .curve(.triangle, 2) { $0.sound = .mute },
        .curve(.constant, 1.5) { $0.recording = .turned },
        .curve(.triangle, 2) { $0.ending = "mkv" },
        Making("reversed") { try Clip(reversing: MediaSource($0)) },
        Making(
            "reversed at any rate", { $0.rate = .any },
            clip: { try Clip(reversing: MediaSource($0)) }),
        Making(
            "reversed, sound 10 ms longer", { $0.recording = .tenMillisecondsOfSoundMore },
            clip: { try Clip(reversing: MediaSource($0)) }),
        Making(
            "reversed, sound 25 ms longer", { $0.recording = .twentyFiveMillisecondsOfSoundMore },
            clip: { try Clip(reversing: MediaSource($0)) }),
        Making(
            "reversed, sound a second longer", { $0.recording = .secondOfSoundMore },
            clip: { try Clip(reversing: MediaSource($0)) }),
        .curve(.triangle, 2) { $0.recording = .secondOfSoundMore },
        .curve(.triangle, 2) { $0.ending = "wav" },
        .curve(.triangle, 2) {
            $0.ending = "flac"
            $0.recording = .twoSoundTracks
        },
        .curve(.triangle, 2) { $0.recording = .twoSoundTracks },
        Making("there and back") { try Clip(of: MediaSource($0)) { .identity($0) }.thereAndBack() },
        Making("freeze and backwards") {
            try Clip(
                of: MediaSource($0),
                warpedBy: Curve.keyframes(
                    try Keyframe.list(parsing: "0:1, 30%:0, 40%:0, 70%:-1, 1:1", easing: .smooth)))
        },
        .curve(.constant, 0.5) { $0.sound = .keep },
        .curve(.triangle, 0.6) {
            $0.sound = .keep
            $0.ending = "mkv"
        },
        .curve(.triangle, 2) { $0.sound = .keep },
        .curve(.constant, 1.7) {
            $0.ending = "mkv"
            $0.recording = .filmSound
        },
        .curve(.constant, 1) {
            $0.ending = "mkv"
            $0.recording = .tick
        },
        .curve(.constant, 1.3) {
            $0.ending = "wav"
            $0.recording = .notes
        },
        .curve(.constant, 1.2) {
            $0.ending = "mkv"
            $0.recording = .low
        },
        .curve(.triangle, 2) { $0.audioBitRate = 24_000 },
        .curve(.constant, 1.3) {
            $0.ending = "mkv"
            $0.audioBitRate = 12_000
        },
        .curve(.triangle, 2) { $0.quality = 45 },
        Making("part") {
            try Clip(
                of: MediaSource($0),
                range: TimeRange(start: RationalTime(1, over: 1), end: RationalTime(4, over: 1)),
                warpedBy: Curve.builtIn(.constant, factor: 2, modifier: 0.5))
        },
    ]

    @Test("says yes to what is right", arguments: right)
    func yes(_ making: Making) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.\(making.ending)")
        try await making.render(to: path)
        let found = try await making.verify(path)
        #expect(found.isRight, "\(found.text)")
        #expect(found.video.isEmpty == making.isAudioOnly)
        for track in found.video {
            #expect(track.framesWrong == 0)
            #expect(track.framesIdentified * 2 > track.framesCompared)
            #expect(track.framesMissing + track.framesExtra == 0)
        }
        if making.sound != .mute {
            #expect(found.sound[0].windowsMatched * 2 > found.sound[0].windowsAudible)
        }
    }

    /// A fault planted into a correct output, and the kind of fault that must be found.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: VerificationReport.Kind
        var making = Making.curve(.triangle, 2)
        /// The ffmpeg options between input and output; nil renders `wrong` instead.
        var spoiling: [String]?
        var wrong: Making?
        var damages = false
        /// About where the fault must be found, in seconds.
        var place: Double?
        /// How late the picture must be found at the end, in seconds.
        var lag: Double?
    }

    private static let pixels = ["-c:a", "copy", "-c:v", "libx264", "-preset", "ultrafast"]
    private static let samples = ["-c:v", "copy", "-c:a", "flac", "-strict", "-2"]

    private static func filtered(_ filter: String, _ rest: String...) -> [String] {
        ["-vf", filter] + pixels + rest
    }

    private static func heard(_ filter: String) -> [String] {
        ["-af", filter] + samples
    }

    /// Writes garbage into the middle of the file, but not into the header.
    private static func damage(_ path: String, to damaged: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The garbage covers whole packets: damage inside a packet may decode to other frames without an error.
        let start = bytes.count / 2
        for place in start..<start + bytes.count / 5 {
            bytes[place] = UInt8(truncatingIfNeeded: place &* 37)
        }
        try bytes.write(to: URL(fileURLWithPath: damaged))
    }

    static let faults: [Fault] = [
        Fault(
            testDescription: "black frames", kind: .frameContent,
            spoiling: filtered("drawbox=t=fill:c=black")),
        Fault(
            testDescription: "one green frame", kind: .frameContent,
            spoiling: filtered("drawbox=t=fill:c=green:enable='eq(n,120)'"), place: 120 / 30),
        Fault(
            testDescription: "frames of another film", kind: .frameContent,
            spoiling: filtered("geq=lum='mod(X*Y+N*20,256)':cb=128:cr=128")),
        Fault(testDescription: "damaged", kind: .damage, damages: true),
        Fault(
            testDescription: "a tenth of a second of silence", kind: .soundContent,
            spoiling: heard("volume=0:enable='between(t,1.6,1.7)'"), place: 1.6),
        Fault(
            testDescription: "three seconds of noise", kind: .soundContent,
            spoiling: heard(
                "aeval='if(between(t,2,5),random(0)-0.5,val(0))|if(between(t,2,5),"
                    + "random(1)-0.5,val(1))'"), place: 2),
        Fault(
            testDescription: "sound that comes and goes by 5 ms", kind: .soundOffset,
            spoiling: heard(
                "asplit=4[a][b][c][d];[a]atrim=end=2[a];"
                    + "[b]atrim=start=2:end=3.995,asetpts=PTS-STARTPTS,adelay=5:all=1[b];"
                    + "[c]atrim=start=4:end=6.005,asetpts=PTS-STARTPTS,atrim=start=0.005[c];"
                    + "[d]atrim=start=6,asetpts=PTS-STARTPTS[d];"
                    + "[a][b][c][d]concat=n=4:v=0:a=1"), place: 2),
        Fault(
            testDescription: "sound 30 ms short", kind: .duration,
            making: .curve(.triangle, 2) { $0.ending = "wav" },
            spoiling: ["-af", "areverse,atrim=start=0.03,asetpts=N/SR/TB,areverse"]),
        Fault(
            testDescription: "pitch kept, a channel silenced", kind: .channels,
            making: .curve(.constant, 1.3) { $0.sound = .keepPitch },
            spoiling: heard("pan=stereo|c0=c0|c1=0*c0")),
        Fault(
            testDescription: "one frame shows its neighbour", kind: .wrongFrames,
            spoiling: filtered(
                "split[a][b];[a]setpts=PTS[a];[b]setpts=PTS[b];"
                    + "[a][b]freezeframes=first=100:last=100:replace=99"),
            place: 100 / 30),
        Fault(
            testDescription: "two frames in each other's place", kind: .wrongFrames,
            spoiling: filtered("shuffleframes=0 1 2 3 4 5 7 6 8 9")),
        Fault(
            testDescription: "all frames one frame late", kind: .wrongFrames,
            spoiling: filtered("tpad=start=1:start_mode=clone,trim=end_frame=269"), lag: 1.0 / 30),
        Fault(
            testDescription: "a dropped frame", kind: .missingFrames,
            spoiling: filtered("select='not(eq(n,77))'", "-fps_mode", "passthrough"),
            place: 77 / 30),
        Fault(
            testDescription: "a dropped frame, closed up", kind: .wrongFrames,
            spoiling: filtered("select='not(eq(n,77))',setpts=N/30/TB"), place: 77 / 30),
        Fault(
            testDescription: "a frame too many", kind: .extraFrames,
            making: .curve(.triangle, 2),
            spoiling: filtered("tpad=stop=3:stop_mode=clone")),
        Fault(
            testDescription: "a frame a third of a frame late", kind: .frameTimes,
            spoiling: filtered(
                "settb=1/90000,setpts='PTS+if(eq(N,50),1000,0)'", "-fps_mode", "passthrough",
                "-enc_time_base", "1/90000", "-video_track_timescale", "90000"), place: 50 / 30),
        Fault(
            testDescription: "half the frame rate", kind: .missingFrames,
            wrong: .curve(.triangle, 2) { $0.rate = .fixed(FrameRate(known: 15)) }),
        Fault(
            testDescription: "wrong factor", kind: .duration, wrong: .curve(.triangle, 2.1)),
        Fault(
            testDescription: "wrong curve of the same length", kind: .wrongFrames,
            wrong: .curve(.ramp, 2)),
        Fault(
            testDescription: "not reversed", kind: .wrongFrames,
            making: Making("reversed") { try Clip(reversing: MediaSource($0)) },
            wrong: .curve(.constant, 1)),
        Fault(
            testDescription: "rotation lost", kind: .rotation,
            making: .curve(.constant, 1) { $0.recording = .turned },
            spoiling: ["-c", "copy", "-metadata:s:v", "rotate=0"]),
        Fault(
            testDescription: "mirrored", kind: .rotation, spoiling: filtered("hflip")),
        Fault(
            testDescription: "squeezed", kind: .shape, spoiling: filtered("scale=120:90,setsar=1")),
        Fault(
            testDescription: "sound 5 ms late", kind: .soundOffset,
            spoiling: heard("adelay=5:all=1")),
        Fault(
            testDescription: "sound 5 ms early", kind: .soundOffset,
            spoiling: heard("atrim=start=0.005,asetpts=N/SR/TB")),
        Fault(
            testDescription: "5 ms of sound missing in the middle", kind: .soundOffset,
            spoiling: heard(
                "asplit[a][b];[a]atrim=end=4[a];[b]atrim=start=4.005,asetpts=PTS-STARTPTS[b];"
                    + "[a][b]concat=n=2:v=0:a=1"), place: 4),
        Fault(
            testDescription: "sound that drifts", kind: .soundOffset,
            spoiling: heard("asetrate=48020,aresample=48000")),
        Fault(
            testDescription: "channels swapped", kind: .channels,
            spoiling: heard("channelmap=1|0:stereo")),
        Fault(
            testDescription: "a channel lost", kind: .channels,
            spoiling: heard("pan=mono|c0=c0")),
        Fault(
            testDescription: "a channel silenced", kind: .channels,
            spoiling: heard("pan=stereo|c0=c0|c1=0*c0")),
        Fault(
            testDescription: "a channel inverted", kind: .channels,
            spoiling: heard("pan=stereo|c0=c0|c1=-1*c1")),
        Fault(
            testDescription: "sound of another place", kind: .soundContent,
            wrong: .curve(.triangle, 2) { $0.sound = .keep }),
        Fault(
            testDescription: "silence", kind: .soundContent, spoiling: heard("volume=0")),
        Fault(
            testDescription: "no sound", kind: .tracks,
            wrong: .curve(.triangle, 2) { $0.sound = .mute }),
        Fault(
            testDescription: "pitch kept, sound 8 ms late", kind: .soundOffset,
            making: .curve(.constant, 1.3) { $0.sound = .keepPitch },
            spoiling: heard("adelay=8:all=1")),
        Fault(
            testDescription: "pitch kept, a third of a semitone too high", kind: .soundPitch,
            making: .curve(.constant, 1.3) { $0.sound = .keepPitch },
            spoiling: heard("asetrate=48960,aresample=48000,atempo=0.980392")),
        Fault(
            testDescription: "pitch not kept", kind: .soundPitch,
            making: .curve(.constant, 1.3) { $0.sound = .keepPitch },
            wrong: .curve(.constant, 1.3)),
        Fault(
            testDescription: "pitch kept, silence", kind: .soundContent,
            making: .curve(.constant, 1.3) { $0.sound = .keepPitch }, spoiling: heard("volume=0")),
        Fault(
            testDescription: "pitch kept, sound of another place", kind: .soundContent,
            making: .curve(.constant, 4) { $0.sound = .keepPitch },
            spoiling: heard("aeval=random(0)-0.5|random(1)-0.5")),
        Fault(
            testDescription: "reversed beside longer sound, a frame late", kind: .wrongFrames,
            making: Making(
                "reversed", { $0.recording = .tenMillisecondsOfSoundMore },
                clip: { try Clip(reversing: MediaSource($0)) }),
            spoiling: filtered("tpad=start=1:start_mode=clone,trim=end_frame=180")),
    ]

    @Test("says no to one planted fault, and names it", arguments: faults)
    func no(_ fault: Fault) async throws {
        let folder = try TemporaryFolder()
        var spoiled = try await Renders.kept.path(of: fault.wrong ?? fault.making)
        let wrong = folder.path("wrong.\(fault.making.ending)")
        if let spoiling = fault.spoiling {
            try ReferenceTools.ffmpeg(["-i", spoiled] + spoiling + [wrong])
            spoiled = wrong
        }
        if fault.damages {
            try Self.damage(spoiled, to: wrong)
            spoiled = wrong
        }
        let found = try await fault.making.verify(spoiled)
        #expect(!found.isRight)
        #expect(found.faults.map(\.kind).contains(fault.kind), "\(found.text)")
        if let place = fault.place {
            let first = found.faults.first { $0.kind == fault.kind }
            let isSound = [.soundOffset, .soundContent].contains(fault.kind)
            // A window of sound lasts a second; a frame lasts a thirtieth of a second.
            #expect(abs((first?.atSeconds ?? -9) - place) < (isSound ? 1.1 : 0.05))
        }
        if let lag = fault.lag {
            #expect(abs((found.video[0].lagAtEndSeconds ?? -9) - lag) < 0.001)
        }
    }

    @Test("says what couldn't be measured")
    func notes() async throws {
        let folder = try TemporaryFolder()
        let long = folder.path("long.wav")
        try ReferenceTools.ffmpeg(["-f", "lavfi", "-i", "sine=d=220:r=48000", long])
        let making = Making.curve(.constant, 0.005)
        let clip = try making.clip(try Asset(at: long))
        let path = folder.path("out.wav")
        let plan = try RenderPlan(clip, to: path, settings: making.settings)
        _ = try await Renderer().render(plan)
        let found = try await Verifier(path, madeFrom: clip, settings: making.settings).verify()
        #expect(found.isRight, "\(found.text)")
        #expect(found.notes.contains { $0.contains("too fast") })
    }

    @Test("says which frame rate the output has instead")
    func otherRate() async throws {
        let path = try await Renders.kept.path(
            of: .curve(.triangle, 2) { $0.rate = .fixed(FrameRate(known: 25)) })
        for (expected, text) in [
            (RenderSettings.OutputRate.source, "30"), (.fixed(FrameRate(known: 50)), "50"),
            (.any, "a variable rate"),
        ] {
            let found = try await Making.curve(.triangle, 2) { $0.rate = expected }.verify(path)
            #expect(!found.isRight)
            #expect(
                found.notes.contains { $0.contains("25 frames per second instead of \(text).") })
        }
    }

    @Test("refuses a map that lasts longer than anything")
    func endless() async throws {
        let making = Making("a century for a second") {
            try Clip(of: MediaSource($0)) { duration in
                try TimeMap(
                    through: [
                        TimeAnchor(source: .zero, output: .zero),
                        TimeAnchor(
                            source: RationalTime(1, over: 1),
                            output: RationalTime(3_000_000_000, over: 1)),
                    ], sourceDuration: duration)
            }
        }
        let path = try Source.clip.get()
        let error = await #expect(throws: MediaError.self) { try await making.verify(path) }
        #expect(error?.code == .incompatible)
    }
}
