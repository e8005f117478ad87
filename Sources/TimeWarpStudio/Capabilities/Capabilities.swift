import Exchange
import Media
import TimeMaps
import TimeWarp

/// What the program can do, from the library's tables: the page makes its menus from it.
struct Capabilities: Codable, Sendable, SchemaNamed {
    static let schemaName = "Capabilities"

    /// One of several, as it is written in a job, and as people call it.
    struct Choice: Codable, Sendable, SchemaNamed {
        static let schemaName = "Choice"

        let name: String
        let title: String
        /// A sentence that says when it is right.
        var hint: String?
    }

    struct Container: Codable, Sendable {
        let name: String
        let title: String
        /// The codecs that it can hold, the usual one first.
        let videoCodecs: [String]
        let audioCodecs: [String]
    }

    /// A sound mode.
    struct SoundMode: Codable, Sendable {
        let name: String
        let title: String
        /// What it does, by the tasks in which it can be chosen.
        let hints: [String: String]
    }

    struct BuiltIn: Codable, Sendable {
        let name: String
        let title: String
        /// What its two numbers are; the second is nil if it changes nothing.
        let factor: String
        let modifier: String?
        let picture: CurvePicture
    }

    struct Ramp: Codable, Sendable {
        let name: String
        let summary: String
        let keyframes: [SentKeyframe]
        let picture: CurvePicture
        let motion: CurveMotion
    }

    let containers: [Container]
    let codecs: [Choice]
    let frames: [Choice]
    let soundModes: [SoundMode]
    let tunes: [Choice]
    let easings: [Choice]
    let curves: [BuiltIn]
    let ramps: [Ramp]
    /// Project formats: the extensions of their files, with the programs that open them.
    let formats: [Choice]

    /// Made once: its pictures take some milliseconds.
    static let current = Result { try Capabilities() }

    init() throws {
        containers = Media.Container.allCases.filter { !$0.isForPrograms }.map {
            Container(
                name: $0.rawValue, title: $0.title + ($0.isAudioOnly ? ", sound only" : ""),
                videoCodecs: $0.videoCodecs.map(\.rawValue),
                audioCodecs: $0.audioCodecs.map(\.rawValue))
        }
        codecs =
            VideoCodec.allCases.map { Choice(name: $0.rawValue, title: $0.title) }
            + AudioCodec.allCases.map { Choice(name: $0.rawValue, title: $0.title) }
        frames = RenderSettings.FrameSynthesis.allCases.map {
            Choice(name: $0.rawValue, title: $0.title, hint: $0.hint)
        }
        soundModes = RenderSettings.AudioMode.allCases.map { mode in
            let hints = JobRequest.Task.allCases.compactMap { task in
                mode.hint(for: task).map { (task.rawValue, $0) }
            }
            return SoundMode(
                name: mode.rawValue, title: mode.title,
                hints: Dictionary(uniqueKeysWithValues: hints))
        }
        tunes = RenderSettings.PitchTune.allCases.map {
            Choice(name: $0.rawValue, title: $0.title, hint: $0.hint)
        }
        easings = Easing.titles.map { Choice(name: $0.name, title: $0.title) }
        curves = try BuiltInCurve.allCases.map { curve in
            BuiltIn(
                name: curve.rawValue, title: curve.title, factor: curve.factorMeaning,
                modifier: curve.usesModifier ? curve.modifierMeaning : nil,
                picture: try CurvePicture(of: .builtIn(curve, factor: 2, modifier: 0.5)))
        }
        ramps = try SpeedRamp.all.map { ramp in
            Ramp(
                name: ramp.name, summary: ramp.summary,
                keyframes: ramp.keyframes.map(SentKeyframe.init),
                picture: try CurvePicture(of: .keyframes(ramp.keyframes)),
                motion: try CurveMotion(of: .keyframes(ramp.keyframes)))
        }
        formats = ProjectFormats.all.written.map {
            Choice(name: $0.extension, title: $0.programs)
        }
    }
}
