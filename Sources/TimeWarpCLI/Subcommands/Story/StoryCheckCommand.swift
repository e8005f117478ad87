import ArgumentParser
import Foundation
import Media
import Stories

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
            try FileOutput.write(Array(svg.utf8), to: graph, existing: .overwrite)
        }
        if json {
            print(try JSONOutput.text(findings))
        } else {
            for finding in findings {
                print("\(story):\(finding)")
            }
        }
        let errors = findings.filter { $0.severity == .error }.count
        guard errors == 0 else {
            throw ExitCode(65)
        }
        if findings.isEmpty && !json {
            print("\(story): \(project.story.segments.count) segments, nothing wrong")
        }
    }
}
