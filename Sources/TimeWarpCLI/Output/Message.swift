import ArgumentParser
import Foundation
import TimeWarp

/// What is said on stderr: to people as lines, or with `--progress json` or `TIMEWARP_MESSAGES=json` in the environment to
/// programs as events, one JSON object a line.
///
/// ```
/// {"event":"note","text":"…"}
/// {"event":"progress","fraction":0.5,"frames":120, …}
/// {"event":"finished","report":{…}}
/// {"event":"failed","exitCode":66,"file":"in.mp4","message":"…","reason":"…","remedy":"…"}
/// ```
enum Message {
    /// Whether programs read it. Errors in the command line itself are told to them as well, so it is known before that is
    /// parsed.
    static let isForPrograms: Bool = {
        let words = CommandLine.arguments.prefix { $0 != "--" }
        let pairs = zip(words, words.dropFirst())
        return ProcessInfo.processInfo.environment["TIMEWARP_MESSAGES"] == "json"
            || words.contains("--progress=json")
            || pairs.contains { $0 == ("--progress", "json") }
    }()

    static func note(_ text: String) {
        if isForPrograms {
            tell(Event("note", text: text))
        } else {
            StandardError.print("timewarp: note: \(text)")
        }
    }

    static func progress(_ progress: RenderProgress) {
        tell(Event("progress", progress: progress))
    }

    static func finished(_ report: RenderReport) {
        tell(Event("finished", report: report))
    }

    static func failed(_ failure: Failure) {
        if isForPrograms {
            tell(Event("failed", failure: failure))
        } else if !failure.message.isEmpty {
            StandardError.print("timewarp: \(failure.message)")
        }
    }

    private static func tell(_ event: Event) {
        if let line = try? JSONOutput.line(event) {
            StandardError.print(line)
        }
    }

    private struct Event: Encodable {
        let event: String
        var text: String?
        var progress: RenderProgress?
        var report: RenderReport?
        var failure: Failure?

        init(
            _ event: String, text: String? = nil, progress: RenderProgress? = nil,
            report: RenderReport? = nil, failure: Failure? = nil
        ) {
            (self.event, self.text, self.progress) = (event, text, progress)
            (self.report, self.failure) = (report, failure)
        }

        private enum Key: String, CodingKey {
            case event, text, report, exitCode, message, file, reason, remedy
        }

        func encode(to encoder: any Encoder) throws {
            try progress?.encode(to: encoder)
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(event, forKey: .event)
            try values.encodeIfPresent(text, forKey: .text)
            try values.encodeIfPresent(report, forKey: .report)
            if let failure {
                try values.encode(failure.exitCode, forKey: .exitCode)
                try values.encode(failure.message, forKey: .message)
                try values.encodeIfPresent(failure.file, forKey: .file)
                try values.encodeIfPresent(failure.reason, forKey: .reason)
                try values.encodeIfPresent(failure.remedy, forKey: .remedy)
            }
        }
    }
}
