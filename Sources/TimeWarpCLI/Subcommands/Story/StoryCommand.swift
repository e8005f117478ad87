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
              timewarp story play film --log visits.jsonl         and write down what is chosen
              timewarp story strings de                           the player's texts, to translate
              timewarp story schema                               the JSON Schema, for editors
            """,
        subcommands: [
            StoryCheckCommand.self, StoryWalkCommand.self, StoryBuildCommand.self,
            StoryPlayCommand.self, StorySchemaCommand.self, StoryStringsCommand.self,
        ])
}

struct StorySchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of story files.")

    func run() throws {
        try StandardOutput.print(StorySchema.text)
    }
}

struct StoryStringsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strings",
        abstract: "Print the texts of the player's page, as a strings file.",
        discussion: """
            The player speaks \(PlayerWords.languages.joined(separator: ", ")). A story in another \
            language names a file with translations as "strings"; so does one that says things in \
            its own way, and that file needs only what differs. Names in braces are replaced.
            """)

    @Argument(help: "The language, such as de.")
    var language = Story.defaultLanguage

    func validate() throws {
        guard PlayerWords.builtIn(for: language) != nil else {
            throw ValidationError(
                "The player has no texts in \(language). Translate those of: "
                    + PlayerWords.languages.joined(separator: ", ") + ".")
        }
    }

    func run() throws {
        try StandardOutput.print(PlayerWords(for: language).stringsFile)
    }
}
