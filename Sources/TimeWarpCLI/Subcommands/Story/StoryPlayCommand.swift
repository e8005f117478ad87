import ArgumentParser
import Foundation
import LocalServer
import Media
import Stories
import StoryBuilding

struct StoryPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Serve a built story on this machine, and open it in the browser.")

    @Argument(help: "The folder written by story build.", completion: .directory)
    var folder: String

    @OptionGroup
    var page: PageOptions

    func run() async throws {
        guard StoryBuilder.isBuiltStory(at: folder) else {
            throw MediaError(
                .noInput, file: folder, reason: "it isn't a folder with a built story",
                remedy: "Build one first: timewarp story build STORY.json -o FOLDER")
        }
        try await page.serve(FolderServer(folder, port: page.port).run)
    }
}
