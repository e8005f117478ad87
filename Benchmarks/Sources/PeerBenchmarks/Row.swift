import Figures
import Launching

/// The same work done by two programs.
struct Row: Sendable {
    /// A command to run, and the file that it writes.
    struct Command: Sendable {
        let arguments: [String]
        let output: String
    }

    /// How the frames of both outputs should agree.
    enum Frames: Sendable {
        /// Each frame shows the same source frame.
        case same
        /// The same, but their output is a frame early throughout.
        case sameAFrameEarlier
        /// The frames can't be compared, for this reason.
        case different(String)
        case none
    }

    let work: String
    let peer: String
    let ours: Command
    let theirs: Command
    var wantedRatio: Double?
    /// The clip that both programs decode, before they encode what they show; nil where packets are copied.
    var decoded: String?
    var frames = Frames.same
    /// How long the output's sound should last; nil if no length was requested.
    var soundSeconds: Double?
    var note: String?

    var name: String { "\(work), against \(peer)" }
}

/// The results of a row.
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
    /// PSNR of luma in decibels; nil where it wasn't or couldn't be measured.
    var psnr: Double?
    /// The processor time of each round for decoding the clip, and encoding the frames of our output, without anything between.
    var codecSeconds: [Double] = []

    /// The ratio of the median wall times; nil where either program failed.
    var ratio: Double? {
        guard ours.failure == nil, theirs.failure == nil, let wall = ours.wallSeconds,
            let other = theirs.wallSeconds, other > 0
        else { return nil }
        return wall / other
    }

    /// What the codecs alone need of the other program's processor time; nil where that wasn't measured.
    var codecRatio: Double? {
        guard let codecSeconds = median(codecSeconds), let other = theirs.processorSeconds,
            other > 0
        else { return nil }
        return codecSeconds / other
    }

    /// Everything a reader should know before trusting the ratio.
    var notes: [String] {
        var notes: [String] = []
        if let failure = ours.failure { notes.append("ours failed: \(failure)") }
        if let failure = theirs.failure { notes.append("theirs failed: \(failure)") }
        if let facts = ours.facts, let other = theirs.facts {
            notes += facts.differences(from: other)
        }
        if let psnr, psnr < 30 { notes.append("the frames differ") }
        if case .different(let reason) = row.frames { notes.append(reason) }
        return notes + (row.note.map { [$0] } ?? [])
    }
}
