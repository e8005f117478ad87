import Media
import TimeMaps
import TimeWarp

/// The shell command that does what a job of the page does.
struct RequestCommand {
    let text: String
    /// The curve to save as `curve.json`, if the command uses that file.
    let curveFile: Curve?
    /// The text to save as `anchors.txt`, if the command uses that file.
    let anchorFile: String?

    /// - Parameters:
    ///   - input: the clip's name.
    ///   - reference: the name of the clip that its sound was compared with.
    init(of request: JobRequest, input: String, reference: String? = nil) {
        let clip = request.clip
        var words = [
            "timewarp", request.task.rawValue, Self.named(input), "-o", Self.named(request.name),
        ]
        var curveFile: Curve?
        switch request.task {
        case .warp:
            if let curve = request.curve {
                let (options, file) = Self.options(of: curve)
                words += options
                curveFile = file
            }
            words += Self.lengthOptions(clip.length, exactly: "--fit")
        case .scale:
            words += clip.length == nil ? ["--factor", "1"] : Self.lengthOptions(clip.length)
        case .stretch:
            words += Self.stretchOptions(of: request, reference)
        case .reverse:
            break
        }
        words += Self.outputOptions(of: request)
        text = words.map(ShellWord.quoted).joined(separator: " ")
        self.curveFile = curveFile
        anchorFile = request.reference == nil ? clip.anchors.map(Self.anchorFile) : nil
    }

    private static func lengthOptions(
        _ length: FileLength?, exactly name: String = "--to"
    ) -> [String] {
        switch length {
        case nil: return []
        case .duration(let duration), .oneWay(let duration):
            return [name, FileTime(time: duration).text]
        case .scale(let factor): return ["--factor", factor.text]
        case .speed(let speed): return ["--speed", speed.text]
        case .longerBy(let time):
            return option("--by", (time < .zero ? "" : "+") + SignedFileTime(time: time).text)
        }
    }

    private static func stretchOptions(of request: JobRequest, _ reference: String?) -> [String] {
        let clip = request.clip
        let compared = request.reference == nil ? nil : reference
        guard clip.anchors == nil else {
            return compared.map { option("--match", $0) } ?? ["--anchors", "anchors.txt"]
        }
        return compared.map { option("--like", $0) } ?? lengthOptions(clip.length)
    }

    /// The text of a file for `--anchors`: two times a line.
    private static func anchorFile(_ anchors: [TimeAnchor]) -> String {
        anchors.map { anchor in
            [anchor.source, anchor.output].map { SignedFileTime(time: $0).text }
                .joined(separator: " ") + "\n"
        }.joined()
    }

    private static func option(_ name: String, _ value: String?) -> [String] {
        // After a space, a value that begins with a minus would be taken for another option.
        value.map { $0.hasPrefix("-") ? ["\(name)=\($0)"] : [name, $0] } ?? []
    }

    private static func named(_ file: String) -> String {
        file.hasPrefix("-") ? "./" + file : file
    }

    private static func options(of curve: Curve) -> ([String], file: Curve?) {
        let flip = curve.isFlipped ? ["--flip"] : []
        switch curve.shape {
        case .builtIn(let name, let factor, let modifier):
            let options = ["--curve", name.rawValue] + option("--factor", exactText(of: factor))
            let more = name.usesModifier ? option("--modifier", exactText(of: modifier)) : []
            return (options + more + flip, nil)
        case .scale(let formula): return (option("--scale", formula.text) + flip, nil)
        case .speed(let formula): return (option("--speed", formula.text) + flip, nil)
        case .integral(let formula): return (option("--integral", formula.text) + flip, nil)
        case .keyframes(let keyframes):
            // The command line has one easing for all keyframes.
            let easings = Set(keyframes.map(\.easing))
            guard easings.count <= 1 else {
                return (["--curve-file", "curve.json"], curve)
            }
            let list = keyframes.map { keyframe in
                "\(keyframe.instantText):\(exactText(of: keyframe.speed))"
                    + (keyframe.sourceText.map { "@" + $0 } ?? "")
            }
            let easing = easings.first.map { ["--easing", $0.description] } ?? []
            return (["--keyframes", list.joined(separator: ", ")] + easing + flip, nil)
        case .components:
            return (["--curve-file", "curve.json"], curve)
        }
    }

    private static func outputOptions(of request: JobRequest) -> [String] {
        let (clip, settings) = (request.clip, request.usedSettings)
        let usual = RenderSettings()
        var words: [String] = []
        if request.task != .stretch {
            words += option("--range", clip.range.map { part($0.first, $0.dropFirst().first) })
            words += clip.retiming.once == clip.retiming ? [] : ["--boomerang"]
            words += option(
                "--output-range", request.job.output.range.map { part($0.start, $0.end) })
            let (video, rate) = (settings.video, settings.video.rate)
            words += option("--fps", rate == usual.video.rate ? nil : rate.text)
            words += option(
                "--frames", video.frames == usual.video.frames ? nil : video.frames.rawValue)
            words += video.skipsRepeats ? ["--skip-repeats"] : []
            words += option(
                "--shutter", video.shutterDegrees.flatMap(DecimalFraction.init(rounding:))?.text)
            words += video.keepsPackets ? ["--smart"] : []
            words += option("--video-codec", video.codec?.rawValue)
            words += option(
                "--crf", video.quality.flatMap(DecimalFraction.init(rounding:))?.text)
            words += option("--preset", video.preset)
        }
        let audio = settings.audio
        words += option("--audio", audio.mode == usual.audio.mode ? nil : audio.mode.rawValue)
        words += option("--tune", audio.tune == usual.audio.tune ? nil : audio.tune.rawValue)
        words += option(
            "--freeze-sound", audio.freeze == usual.audio.freeze ? nil : audio.freeze.rawValue)
        words += option("--audio-codec", audio.codec?.rawValue)
        words += option("--audio-bitrate", audio.bitRate.map(String.init))
        return words
    }

    private static func part(_ start: RationalTime?, _ end: RationalTime?) -> String {
        [start, end].map { $0.map { FileTime(time: $0).text } ?? "" }.joined(separator: "..")
    }
}

/// A word of a shell's command.
enum ShellWord {
    /// Quotes a word for a shell, if that is needed.
    static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || "-_./=:+%,".utf8.contains(byte)
        }
        if plain && !word.isEmpty {
            return word
        }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

/// Text that gives exactly the same number when it is read again.
func exactText(of number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
