import ArgumentParser
import Foundation
import LocalServer
import Media
import Stories
import StoryBuilding

struct StoryPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Serve a built story on this machine, and open it in the browser.",
        discussion: """
            With --log, every start, way, choice, event and end is appended to a file, as JSON, one \
            line each. The page then sends nothing to the address that the story may name.
            """)

    @Argument(help: "The folder written by story build.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp("Append what viewers do to this file.", valueName: "file"),
        completion: .file(extensions: ["jsonl"]))
    var log: String?

    @OptionGroup
    var page: PageOptions

    func run() async throws {
        guard StoryBuilder.isBuiltStory(at: folder) else {
            throw MediaError(
                .noInput, file: folder, reason: "it isn't a folder with a built story",
                remedy: "Build one first: timewarp story build STORY.json -o FOLDER")
        }
        let replies = try log.map { try VisitRecorder(logging: $0, storyIn: folder).replies } ?? [:]
        try await page.serve(FolderServer(folder, port: page.port, replies: replies).run)
    }
}
