import ArgumentParser
import Foundation
import Stories

struct StoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "story",
        abstract: "Check, build and play films that ask.",
        discussion: """
            A story is a JSON file: segments of film, and choices that lead from one to the next.

              timewarp story check story.json --graph story.svg   what is wrong, and a picture of it
              timewarp story walk story.json                      a way along every edge
              timewarp story build story.json -o film             a folder for any web server
              timewarp story build story.json -o film.html --single-file
              timewarp story play film                            in the browser
              timewarp story schema                               the JSON Schema, for editors
            """,
        subcommands: [
            StoryCheckCommand.self, StoryWalkCommand.self, StoryBuildCommand.self,
            StoryPlayCommand.self, StorySchemaCommand.self,
        ])
}

struct StorySchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of story files.")

    func run() throws {
        try StandardOutput.print(StorySchema.text)
    }
}
