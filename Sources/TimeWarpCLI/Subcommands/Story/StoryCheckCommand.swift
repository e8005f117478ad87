import ArgumentParser
import Foundation
import Media
import Stories
import StoryBuilding

struct StoryCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find mistakes in a story, and draw its branches.",
        discussion: """
            Each finding names the line and column, the place in the file, and a remedy. The exit \
            code is 65 if there are errors, and 0 if there are none or only warnings; with --strict, \
            warnings count as errors. With --log, the graph shows how often viewers took each way; \
            story play --log writes such a file.
            """)

    @Argument(help: "The story file.", completion: .file(extensions: ["json"]))
    var story: String

    @Option(
        help: ArgumentHelp(
            "Draw the segments and the choices between them as SVG, with the findings marked.",
            valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var graph: String?

    @Option(
        help: ArgumentHelp(
            "Draw into the graph how often viewers took each way, from a log of visits.",
            valueName: "file"),
        completion: .file(extensions: ["jsonl"]))
    var log: String?

    @Flag(help: "Replace the SVG file if it exists.")
    var overwrite = false

    @Flag(help: "Don't open the media files of the story.")
    var withoutMedia = false

    @Flag(help: "Exit with 65 if there are warnings, too.")
    var strict = false

    @Flag(help: "Print the findings as JSON.")
    var json = false

    func validate() throws {
        guard log == nil || graph != nil else {
            throw ValidationError("--log draws into the graph; name its file with --graph.")
        }
    }

    func run() throws {
        let project = try StoryProject(contentsOfFile: story)
        let findings =
            withoutMedia ? StoryLinter(project.file).findings() : project.findings()
        if let graph {
            let existing: ExistingOutput = overwrite ? .overwrite : .refuse
            let inputs = [story] + (log.map { [$0] } ?? [])
            try FileOutput.requireWritable(graph, apartFrom: inputs, existing: existing)
            let visits = try log.map { try VisitLog.visits(in: $0, of: project.story) }
            let svg = StoryPicture(of: project.story, findings: findings, visits: visits).svg
            try FileOutput.write(Array(svg.utf8), to: graph, existing: existing)
        }
        if json {
            try StandardOutput.print(
                JSONOutput.text(["findings": findings], as: "story-findings/1"))
        } else {
            for finding in findings {
                try StandardOutput.print("\(story):\(finding)")
            }
        }
        guard !findings.contains(where: { strict ? $0.severity != .note : $0.severity == .error })
        else {
            throw ExitCode(65)
        }
        if !json && findings.allSatisfy({ $0.severity == .note }) {
            try StandardOutput.print(
                "\(story): \(project.story.segments.count) segments, nothing wrong")
        }
    }
}
