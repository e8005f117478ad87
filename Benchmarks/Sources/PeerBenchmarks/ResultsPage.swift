import Figures
import Foundation

/// All results as one Markdown page.
struct ResultsPage {
    let workshop: Workshop
    let surroundings: [String]
    let rounds: Int
    var outcomes: [Outcome] = []
    var growths: [Growth] = []
    var starts: [PlayingBenchmarks.Starts] = []
    /// Tables from KernelBenchmarks, with their headings.
    var kernels: String?

    var text: String {
        let facts = surroundings.map { "- \($0)" }.joined(separator: "\n")
        var parts = ["# Results", "Made by `make bench`; [what is measured](README.md).", facts]
        if !outcomes.isEmpty {
            parts += [
                "## Whole commands", "Clips: \(Clips.description)", timesHeading, timesTable.text,
                "### What came out", outputsHeading, outputsTable.text, notes, commands,
            ]
        }
        parts += growths.isEmpty ? [] : ["## How cost grows"] + growths.flatMap(Self.section)
        if !starts.isEmpty {
            parts += [
                "## From a seek to the first frame", PlayingBenchmarks.heading,
                PlayingBenchmarks.table(starts).text,
            ]
        }
        if let kernels { parts += ["## Kernels", kernels] }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    // MARK: Whole commands

    private var timesHeading: String {
        "Medians of \(rounds) run\(rounds == 1 ? "" : "s") of each program, which run alternately. "
            + "The ratio is our wall time divided by theirs. Where it is more than was wanted, the last column "
            + "also says which share of their processor time the codecs alone take: decoding the clip and "
            + "encoding the frames of our output, with nothing between."
    }

    var timesTable: MarkdownTable {
        var table = MarkdownTable([
            "work", "against", "ours, s", "theirs, s", "ratio", "wanted", "CPU s", "peak MB",
        ])
        for outcome in outcomes {
            let (ours, theirs) = (outcome.ours, outcome.theirs)
            table.add([
                outcome.row.work, outcome.row.peer,
                Self.shown(ours.failure, ours.wallSeconds.map(figure)),
                Self.shown(theirs.failure, theirs.wallSeconds.map(figure)),
                outcome.ratio.map { String(format: "%.2f", $0) } ?? "–", Self.wanted(outcome),
                Self.pair(ours.processorSeconds.map(figure), theirs.processorSeconds.map(figure)),
                Self.pair(ours.peakBytes.map(megabytes), theirs.peakBytes.map(megabytes)),
            ])
        }
        return table
    }

    private var outputsHeading: String {
        "Each cell shows ours / theirs. PSNR compares the luma of our output with that of theirs, "
            + "frame by frame; both have encoder losses of their own. Sound is measured after "
            + "decoding; its error is the difference from the requested length."
    }

    var outputsTable: MarkdownTable {
        var table = MarkdownTable([
            "work", "against", "frames", "MB", "PSNR, dB", "sound, s", "sound's error, samples",
            "notes",
        ])
        for (index, outcome) in outcomes.enumerated() {
            let (ours, theirs) = (outcome.ours.facts, outcome.theirs.facts)
            let count = outcome.notes.count
            table.add([
                outcome.row.work, outcome.row.peer,
                Self.pair(ours?.frames.map { "\($0)" }, theirs?.frames.map { "\($0)" }),
                Self.pair(ours.map { megabytes($0.bytes) }, theirs.map { megabytes($0.bytes) }),
                outcome.psnr.map { $0.isInfinite ? "equal" : String(format: "%.1f", $0) } ?? "n/a",
                Self.pair(
                    ours?.sound.map { String(format: "%.3f", $0.seconds) },
                    theirs?.sound.map { String(format: "%.3f", $0.seconds) }),
                Self.pair(
                    Self.soundError(ours, outcome.row), Self.soundError(theirs, outcome.row)),
                count == 0 ? "" : "\(index + 1)",
            ])
        }
        return table
    }

    private static func soundError(_ facts: OutputFacts?, _ row: Row) -> String? {
        guard let seconds = row.soundSeconds, let sound = facts?.sound else { return nil }
        let wanted = (seconds * Double(sound.sampleRate)).rounded()
        return "\(sound.samples - Int(wanted))"
    }

    private var notes: String {
        let lines = outcomes.enumerated().filter { !$0.element.notes.isEmpty }.map {
            "- \($0.offset + 1): " + $0.element.notes.joined(separator: "; ") + "."
        }
        return lines.joined(separator: "\n")
    }

    private var commands: String {
        let items = outcomes.flatMap { outcome in
            ["# \(outcome.row.name)"]
                + [outcome.row.ours, outcome.row.theirs].map { command($0.arguments) }
        }
        return "<details><summary>The commands</summary>\n\n```sh\n"
            + items.joined(separator: "\n") + "\n```\n\n</details>"
    }

    private func command(_ arguments: [String]) -> String {
        let shown = arguments.enumerated().map { index, argument in
            let name = argument.replacingOccurrences(of: workshop.folder + "/", with: "")
                .replacingOccurrences(of: workshop.scripts + "/", with: "Peers/")
            let isProgram = index == 0 && name.contains("/")
            return isProgram ? String(name.split(separator: "/").last ?? "") : name
        }
        return shown.map(Self.quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let plain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_=.,:/".contains($0) }
        return plain ? word : "'" + word + "'"
    }

    // MARK: Growth

    private static func section(_ growth: Growth) -> [String] {
        let notes = growth.notes.map { "- \($0)." }.joined(separator: "\n")
        var pictures = "![\(growth.title)](\(growth.name).svg)"
        if growth.name == "growth-length" {
            pictures += "\n![Peak memory by length](growth-memory.svg)"
        }
        return ["### \(growth.title)", growth.table.text, notes, pictures]
    }

    // MARK: Cells

    private static func wanted(_ outcome: Outcome) -> String {
        guard let wanted = outcome.row.wantedRatio else { return "" }
        let limit = String(format: "≤ %.2f", wanted)
        guard let ratio = outcome.ratio else { return limit }
        guard ratio > wanted else { return limit + ", met" }
        let codecs = outcome.codecRatio.map { String(format: ", codecs alone %.2f", $0) } ?? ""
        return limit + ", missed" + codecs
    }

    private static func shown(_ failure: String?, _ figure: String?) -> String {
        failure.map { "failed: \($0)" } ?? figure ?? "–"
    }

    private static func pair(_ ours: String?, _ theirs: String?) -> String {
        ours == nil && theirs == nil ? "" : "\(ours ?? "–") / \(theirs ?? "–")"
    }
}
