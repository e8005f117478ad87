import ArgumentParser
import Foundation
import Stories

struct StoryWalkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "walk",
        abstract: "Play through every branch of a story without a screen.",
        discussion: """
            Prints walks that together take every choice, default, loop and follow-up, and names those \
            that no walk can take. The exit code is 65 if there are any that can't be taken.

            With --random, prints random walks as traces, one per line: the events, what the player \
            was told to do, and its state after that.
            """)

    @Argument(
        help: "A story file, or the story.json of a built story.",
        completion: .file(extensions: ["json"]))
    var story: String

    @Option(help: ArgumentHelp("Print this many random walks as JSON.", valueName: "count"))
    var random: Int?

    @Option(help: "The seed of the random walks: the same seed gives the same walks.")
    var seed: UInt64 = 1

    @Flag(help: "Print the walks as JSON.")
    var json = false

    func validate() throws {
        guard random.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--random takes 1 or more.")
        }
    }

    func run() throws {
        let walker = try StoryWalker(try StoryManifest(forWalking: story))
        if let random {
            for number in 0..<random {
                try StandardOutput.print(JSONOutput.line(walker.randomWalk(number, seed: seed)))
            }
            return
        }
        let coverage = walker.walk()
        let report = CoverageReport(coverage)
        try StandardOutput.print(json ? JSONOutput.text(report, as: "story-walk/1") : report.text)
        guard coverage.missed.isEmpty else {
            throw ExitCode(65)
        }
    }
}

/// The result of walking through a whole story.
private struct CoverageReport: Encodable {
    let edgesWalked: Int
    let statesSeen: Int
    let walks: [StoryCoverage.Walk]
    let missed: [StoryCoverage.Miss]

    init(_ coverage: StoryCoverage) {
        edgesWalked = coverage.walked.count
        statesSeen = coverage.stateCount
        walks = coverage.coveringWalks()
        missed = coverage.missed
    }

    var text: String {
        let lines = walks.map(Self.line)
        let misses = missed.map {
            "never  \($0.edge.from) \(Self.arrow($0.edge)) \($0.edge.to): \($0.reason)"
        }
        let total =
            "\(edgesWalked) of \(edgesWalked + missed.count) edges walked in \(walks.count) walks"
        return (lines + misses + [total]).joined(separator: "\n")
    }

    private static func line(_ walk: StoryCoverage.Walk) -> String {
        guard let first = walk.edges.first else {
            return ""
        }
        return walk.edges.reduce(first.from) { "\($0) \(arrow($1)) \($1.to)" }
    }

    private static func arrow(_ edge: StoryEdge) -> String {
        switch edge.kind {
        case .choice(let index): "─\(index + 1)→"
        case .otherwise: "─default→"
        case .loop: "─loop→"
        case .then: "→"
        }
    }
}
