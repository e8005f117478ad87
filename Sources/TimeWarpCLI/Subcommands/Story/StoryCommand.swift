import ArgumentParser
import Foundation
import Stories

struct StoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "story",
        abstract: "Check, build and play interactive videos with branching.",
        discussion: """
            A story is a JSON file with segments of video and the choices that lead from one segment \
            to the next.

              timewarp story check story.json --graph story.svg   find mistakes, and draw the story
              timewarp story walk story.json                      try every choice, without a screen
              timewarp story build story.json -o film             a folder for any web server
              timewarp story build story.json -o film.html --single-file
              timewarp story play film                            play it in the browser
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
