import ArgumentParser
import Foundation
import Media
import Stories
import StoryBuilding

struct StoryCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find what is wrong with a story, and draw it.",
        discussion: """
            Each finding names the line and column, the place in the file, and what to do. The exit \
            code is 65 where there is an error, 0 where there are none or only warnings.
            """)

    @Argument(help: "The story.", completion: .file(extensions: ["json"]))
    var story: String

    @Option(
        help: ArgumentHelp(
            "Draw the segments and the ways between them as SVG, findings marked.",
            valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var graph: String?

    @Flag(help: "Replace the picture if it is there.")
    var overwrite = false

    @Flag(help: "Don't open the media that it names.")
    var withoutMedia = false

    @Flag(help: "As JSON.")
    var json = false

    func run() throws {
        let project = try StoryProject(contentsOfFile: story)
        let findings =
            withoutMedia ? StoryLinter(project.file).findings() : project.findings()
        if let graph {
            let svg = StoryPicture(of: project.story, findings: findings).svg
            let existing: Muxer.Existing = overwrite ? .overwrite : .refuse
            try FileOutput.requireWritable(graph, apartFrom: [story], existing: existing)
            try FileOutput.write(Array(svg.utf8), to: graph, existing: existing)
        }
        if json {
            try StandardOutput.print(JSONOutput.text(findings))
        } else {
            for finding in findings {
                try StandardOutput.print("\(story):\(finding)")
            }
        }
        let errors = findings.filter { $0.severity == .error }.count
        guard errors == 0 else {
            throw ExitCode(65)
        }
        if findings.isEmpty && !json {
            try StandardOutput.print(
                "\(story): \(project.story.segments.count) segments, nothing wrong")
        }
    }
}
