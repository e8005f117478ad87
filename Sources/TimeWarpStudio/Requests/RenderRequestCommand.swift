import Media
import TimeMaps
import TimeWarp

extension RenderRequest {
    /// The shell command that renders the same output.
    struct Command {
        let text: String
        /// The curve to save as `curve.json`, if the command uses that file.
        let curveFile: Curve?
        /// The text to save as `anchors.txt`, if the command uses that file.
        let anchorFile: String?
    }

    /// The shell command for this request.
    ///
    /// - Parameters:
    ///   - input: the clip's name.
    ///   - reference: the name of the clip that its sound was compared with.
    ///   - output: the name of the file to write.
    func command(input: String, reference: String? = nil, output: String) -> Command {
        var words = ["timewarp", task.rawValue, Self.named(input), "-o", Self.named(output)]
        var curveFile: Curve?
        switch task {
        case .warp:
            let (options, file) = Self.options(of: usedCurve)
            words += options
            curveFile = file
            words += Self.option("--fit", fit)
        case .scale:
            words += Self.option("--to", scale?.duration)
            if scale?.duration == nil {
                let isSpeed = scale?.factor == nil && scale?.speed != nil
                words += [
                    isSpeed ? "--speed" : "--factor",
                    Self.text(of: scale?.factor ?? scale?.speed ?? 1),
                ]
            }
        case .stretch:
            words += stretchOptions(reference)
        case .reverse:
            break
        }
        words += commonOptions
        return Command(
            text: words.map(Self.quoted).joined(separator: " "), curveFile: curveFile,
            anchorFile: stretch?.reference == nil ? stretch?.anchors.map(Self.anchorFile) : nil)
    }

    private func stretchOptions(_ reference: String?) -> [String] {
        let isMade = stretch?.reference == nil || reference == nil
        if stretch?.anchors != nil {
            return isMade ? ["--anchors", "anchors.txt"] : Self.option("--match", reference)
        }
        if stretch?.duration != nil {
            return isMade
                ? Self.option("--to", stretch?.duration) : Self.option("--like", reference)
        }
        return Self.option("--by", stretch?.by)
    }

    /// The text of a file for `--anchors`: two times a line.
    private static func anchorFile(_ anchors: [[Double]]) -> String {
        anchors.map { $0.map(text(of:)).joined(separator: " ") + "\n" }.joined()
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
            let list = keyframes.map { "\($0.instantText):\(exactText(of: $0.speed))" }
            let easing = easings.first.map { ["--easing", $0.description] } ?? []
            return (["--keyframes", list.joined(separator: ", ")] + easing + flip, nil)
        case .components:
            return (["--curve-file", "curve.json"], curve)
        }
    }

    /// Text that gives exactly the same number when it is read again.
    private static func exactText(of number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private var commonOptions: [String] {
        var words: [String] = []
        if task != .stretch {
            if let range, range.start != nil || range.end != nil {
                words += ["--range", "\(range.start ?? "")..\(range.end ?? "")"]
            }
            words += boomerang == true ? ["--boomerang"] : []
            if let sample {
                words += ["--output-range", "\(sample.start ?? "")..\(sample.end ?? "")"]
            }
            words += Self.option("--fps", video?.rate == "source" ? nil : video?.rate)
            let frames = video?.frames ?? .hold
            words += Self.option("--frames", frames == .hold ? nil : frames.rawValue)
            words += Self.option("--video-codec", video?.codec)
            words += Self.option("--crf", (video?.quality).map(Self.text))
            words += Self.option("--preset", video?.preset)
        }
        words += Self.option("--audio", soundWord)
        words += Self.option("--tune", (try? usedTune) == .speech ? "speech" : nil)
        words += Self.option("--audio-codec", sound?.codec)
        words += Self.option("--audio-bitrate", (sound?.bitRate).map(String.init))
        return words
    }

    /// The value of `--audio`; nil if it is the default.
    private var soundWord: String? {
        guard let mode = try? usedSound, mode != .varispeed else {
            return nil
        }
        return mode.rawValue
    }

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

    /// The name of the output file: the clip's name, the task, and the extension.
    func outputName(for name: String, ending: String) -> String {
        let stem = name.split(separator: ".").dropLast().joined(separator: ".")
        let deed: String
        switch task {
        case .warp: deed = "warped"
        case .scale: deed = "scaled"
        case .stretch: deed = "stretched"
        case .reverse: deed = "reversed"
        }
        return "\(stem.isEmpty ? name : stem)-\(deed)\(sample == nil ? "" : "-sample").\(ending)"
    }
}
