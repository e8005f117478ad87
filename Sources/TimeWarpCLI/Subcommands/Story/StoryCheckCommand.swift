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
            code is 65 if there are errors, and 0 if there are none or only warnings.
            """)

    @Argument(help: "The story file.", completion: .file(extensions: ["json"]))
    var story: String

    @Option(
        help: ArgumentHelp(
            "Draw the segments and the choices between them as SVG, with the findings marked.",
            valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var graph: String?

    @Flag(help: "Replace the SVG file if it exists.")
    var overwrite = false

    @Flag(help: "Don't open the media files of the story.")
    var withoutMedia = false

    @Flag(help: "Print the findings as JSON.")
    var json = false

    func run() throws {
        let project = try StoryProject(contentsOfFile: story)
        let findings =
            withoutMedia ? StoryLinter(project.file).findings() : project.findings()
        if let graph {
            let svg = StoryPicture(of: project.story, findings: findings).svg
            let existing: ExistingOutput = overwrite ? .overwrite : .refuse
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
