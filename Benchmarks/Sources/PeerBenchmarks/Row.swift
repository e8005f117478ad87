import Figures
import Launching

/// The same work by two programs.
struct Row: Sendable {
    /// What a program is asked to do.
    struct Command: Sendable {
        let arguments: [String]
        let output: String
    }

    /// How alike the pictures of both should be.
    enum Pictures: Sendable {
        /// The same source frame at every place.
        case same
        /// The same, but theirs a frame earlier all along.
        case sameAFrameEarlier
        /// Not to be compared, and why.
        case different(String)
        case none
    }

    let work: String
    let peer: String
    let ours: Command
    let theirs: Command
    var wantedRatio: Double?
    var pictures = Pictures.same
    /// What the output's sound should last; nil where nothing was asked for.
    var soundSeconds: Double?
    var note: String?

    var name: String { "\(work), against \(peer)" }
}

/// What came of a row.
struct Outcome: Sendable {
    /// One of the two programs.
    struct Side: Sendable {
        var runs: [Launch.Usage] = []
        var facts: OutputFacts?
        var failure: String?

        var wallSeconds: Double? { median(runs.map(\.wallSeconds)) }
        var processorSeconds: Double? { median(runs.map(\.processorSeconds)) }
        var peakBytes: Int? { median(runs.map { Double($0.peakBytes) }).map { Int($0) } }
    }

    let row: Row
    var ours = Side()
    var theirs = Side()
    /// Of luma, in decibels; nil where it wasn't or couldn't be measured.
    var psnr: Double?

    /// The ratio of the medians; nil where either failed.
    var ratio: Double? {
        guard ours.failure == nil, theirs.failure == nil, let wall = ours.wallSeconds,
            let other = theirs.wallSeconds, other > 0
        else { return nil }
        return wall / other
    }

    /// All that should be known before the ratio is believed.
    var notes: [String] {
        var notes: [String] = []
        if let failure = ours.failure { notes.append("ours failed: \(failure)") }
        if let failure = theirs.failure { notes.append("theirs failed: \(failure)") }
        if let facts = ours.facts, let other = theirs.facts {
            notes += facts.differences(from: other)
        }
        if let psnr, psnr < 30 { notes.append("the pictures differ") }
        if case .different(let reason) = row.pictures { notes.append(reason) }
        return notes + (row.note.map { [$0] } ?? [])
    }
}
