import TimeMaps
import TimeWarp

/// How sound is stretched: the figures of a stretch, printed as text or as JSON.
struct StretchFigures: Encodable {
    /// How long the recording is, in seconds.
    let sourceSeconds: Double
    /// How long it becomes, in seconds.
    let outputSeconds: Double
    /// How many seconds of the output a second of the recording takes.
    let ratio: Double
    /// How much longer the event lasts by the other clock, in parts per million.
    let partsPerMillion: Double
    /// How far the clocks drift apart in an hour, in milliseconds.
    let millisecondsPerHour: Double
    /// By how much the pitch changes, in cents, hundredths of a semitone.
    let cents: Double
    /// The pieces in which the ratio is constant, in order.
    let pieces: [Piece]
    /// How it was found from the sound; nil if it was not.
    let match: Match?
    /// What is worth knowing, one sentence each.
    let notes: [String]

    /// A piece in which the ratio is constant.
    struct Piece: Encodable {
        /// Where it begins in the recording, in seconds.
        let sourceStartSeconds: Double
        /// Where it ends in the recording, in seconds.
        let sourceEndSeconds: Double
        /// Where it begins in the output, in seconds.
        let outputStartSeconds: Double
        /// Where it ends in the output, in seconds.
        let outputEndSeconds: Double
        /// How much longer it lasts in the output, in parts per million.
        let partsPerMillion: Double
    }

    /// How two recordings of one event match.
    struct Match: Encodable {
        /// Where the recording begins in the reference, in seconds; below 0 if it begins before.
        let offsetSeconds: Double
        /// How much longer the event lasts in the reference, in parts per million.
        let partsPerMillion: Double
        /// The root mean square of the distances from the pieces, in seconds.
        let residualRmsSeconds: Double
        /// The largest distance from the pieces, in seconds.
        let residualMaxSeconds: Double
        /// How many windows of sound were found in the reference.
        let windowsMatched: Int
        /// How many windows were looked for.
        let windowCount: Int
    }

    init(_ stretch: Stretch) {
        let (clip, drift) = (stretch.clip, stretch.drift)
        sourceSeconds = stretch.sourceEnd.seconds
        outputSeconds = clip.map.outputDuration
        ratio = drift.ratio
        partsPerMillion = drift.partsPerMillion
        millisecondsPerHour = drift.millisecondsPerHour
        cents = drift.cents
        let start = clip.range.start.seconds
        pieces = clip.map.pieces.map { piece in
            let ratio =
                (piece.outputEnd - piece.outputStart) / (piece.sourceEnd - piece.sourceStart)
            return Piece(
                sourceStartSeconds: start + piece.sourceStart,
                sourceEndSeconds: start + piece.sourceEnd,
                outputStartSeconds: piece.outputStart, outputEndSeconds: piece.outputEnd,
                partsPerMillion: ClockDrift(ratio: ratio).partsPerMillion)
        }
        match = stretch.alignment.map {
            Match(
                offsetSeconds: $0.offsetSeconds, partsPerMillion: $0.ppm,
                residualRmsSeconds: $0.residualRMSSeconds,
                residualMaxSeconds: $0.residualMaxSeconds, windowsMatched: $0.windowsMatched,
                windowCount: $0.windowCount)
        }
        notes = stretch.notes
    }

    var text: String {
        var lines = [
            "stretch   \(NumberText.seconds(sourceSeconds)) becomes \(NumberText.seconds(outputSeconds))",
            "clock     \(ClockDrift(ratio: ratio))",
        ]
        if let match {
            let offset = match.offsetSeconds
            lines.append(
                "match     begins \(NumberText.seconds(abs(offset))) "
                    + (offset < 0 ? "before" : "into") + " the reference; "
                    + "\(match.windowsMatched) of \(match.windowCount) windows match, to "
                    + "\(NumberText.milliseconds(match.residualRmsSeconds)) (at worst "
                    + "\(NumberText.milliseconds(match.residualMaxSeconds)))")
        }
        if pieces.count > 1 {
            lines += pieces.map { piece in
                "piece     \(NumberText.seconds(piece.sourceStartSeconds)) to "
                    + "\(NumberText.seconds(piece.sourceEndSeconds)) is placed at "
                    + "\(NumberText.seconds(piece.outputStartSeconds)) to "
                    + "\(NumberText.seconds(piece.outputEndSeconds)), "
                    + NumberText.partsPerMillion(piece.partsPerMillion)
            }
        }
        return (lines + notes.map { "note      \($0)" }).joined(separator: "\n")
    }
}
