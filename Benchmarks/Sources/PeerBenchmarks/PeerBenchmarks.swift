import ArgumentParser
import Foundation
import TimeWarp

/// Whole commands of TimeWarp and of other programs that do the same work, run alternately.
@main
struct PeerBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "PeerBenchmarks",
        abstract: "Measure whole commands against other programs, and write a page of results.")

    @Option(help: "The timewarp program.")
    var timewarp: String

    @Option(help: "A folder for clips and outputs; what is in it may be replaced.")
    var work: String

    @Option(help: "A Python that has moviepy and audalign.")
    var python = "python3"

    @Option(help: "The folder with the other programs' scripts.")
    var scripts: String

    @Option(help: "How long the clip lasts; sound alone, and the longest clip, ten times that.")
    var seconds = 60.0

    @Option(help: "Runs of every row, of which the medians count.")
    var rounds = 3

    @Option(help: "Runs of every place that growth is measured at.")
    var growthRounds = 1

    @Option(help: "Only rows whose names match this regular expression.")
    var only: String?

    @Flag(help: "Leave out how cost grows.")
    var skipGrowth = false

    @Option(help: "A file of tables to add at the end.")
    var kernels: String?

    @Option(help: "The page to write; plots are put beside it.")
    var results: String

    func validate() throws {
        guard seconds >= 1, rounds >= 1, growthRounds >= 1 else {
            throw ValidationError("--seconds and both kinds of rounds are 1 or more.")
        }
    }

    func run() async throws {
        let pattern = try only.map { try Regex($0) }
        func isWanted(_ name: String) -> Bool {
            pattern.map { name.firstMatch(of: $0) != nil } ?? true
        }
        let workshop = Workshop(
            timewarp: timewarp, python: python, folder: work, scripts: scripts)
        let clips = Clips(workshop: workshop)
        var page = ResultsPage(
            workshop: workshop, surroundings: workshop.surroundings(), rounds: rounds)
        page.kernels = try kernels.map { try String(contentsOfFile: $0, encoding: .utf8) }

        for row in try rows(workshop, clips, where: isWanted) {
            tell(row.name)
            page.outcomes.append(Contest(workshop: workshop, rounds: rounds).run(row))
            try write(page)
        }
        let growth = GrowthBenchmarks(
            workshop: workshop, clips: clips, seconds: seconds, rounds: growthRounds)
        for name in GrowthBenchmarks.names where !skipGrowth && isWanted(name) {
            tell(name)
            page.growths.append(try growth.measure(name))
            try write(page)
        }
        if isWanted(PlayingBenchmarks.name) {
            let playing = PlayingBenchmarks(workshop: workshop, clips: clips, seconds: seconds)
            page.starts = try await playing.measure(tell)
        }
        try write(page)
        print(page.text)
    }

    /// The rows to measure, with the clips that they need.
    private func rows(
        _ workshop: Workshop, _ clips: Clips, where isWanted: (String) -> Bool
    ) throws -> [Row] {
        let clip = clips.path(width: 1920, height: 1080, seconds: seconds)
        let recording = clips.path(recordingOf: seconds * 10)
        let motionClip = clips.path(width: 1920, height: 1080, seconds: VideoRows.motionSeconds)
        let longClip = clips.path(repeating: clip, times: 10)
        let videos = try VideoRows(
            workshop: workshop, clip: clip, motionClip: motionClip, longClip: longClip,
            seconds: seconds
        ).all().filter { isWanted($0.name) }
        let sounds = SoundRows(workshop: workshop, recording: recording, seconds: seconds * 10)
            .all().filter { isWanted($0.name) }
        tell("making clips")
        if !videos.isEmpty { try clips.clip(width: 1920, height: 1080, seconds: seconds) }
        if videos.contains(where: { $0.ours.arguments.contains(motionClip) }) {
            try clips.clip(width: 1920, height: 1080, seconds: VideoRows.motionSeconds)
        }
        if videos.contains(where: { $0.ours.arguments.contains(longClip) }) {
            try clips.repeated(clip, of: seconds, times: 10)
        }
        if !sounds.isEmpty { try clips.recording(seconds: seconds * 10) }
        return videos + sounds
    }

    /// Writes the page with the results so far, so that they aren't lost when a long run is interrupted.
    private func write(_ page: ResultsPage) throws {
        let folder = URL(fileURLWithPath: results).deletingLastPathComponent()
        for growth in page.growths {
            try write(growth.costChart(), to: folder.appendingPathComponent(growth.name + ".svg"))
            if growth.name == "growth-length" {
                let place = folder.appendingPathComponent("growth-memory.svg")
                try write(growth.memoryChart(), to: place)
            }
        }
        try page.text.write(toFile: results, atomically: true, encoding: .utf8)
    }

    private func write(_ chart: String?, to place: URL) throws {
        try chart?.write(to: place, atomically: true, encoding: .utf8)
    }

    private func tell(_ progress: String) {
        FileHandle.standardError.write(Data("bench: \(progress)\n".utf8))
    }
}
