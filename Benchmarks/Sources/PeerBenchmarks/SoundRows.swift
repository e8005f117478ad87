import Foundation

/// Rows with sound alone, WAV in and out: stretched a little, to correct the drift of a recorder, and a quarter
/// faster with the pitch kept.
struct SoundRows {
    let workshop: Workshop
    let recording: String
    let seconds: Double

    private var ours: String { workshop.path("ours.wav") }
    private var theirs: String { workshop.path("theirs.wav") }
    /// Stretches 600 s to 600.17 s.
    private var stretched: Double { seconds * 600.17 / 600 }
    private var speed: String { String(format: "%.10f", seconds / stretched) }

    func all() -> [Row] {
        [
            stretch("sox speed", ["sox", recording, theirs, "speed", speed]),
            stretch("sox tempo -s", ["sox", recording, theirs, "tempo", "-s", speed]),
            stretch(
                "ffmpeg atempo",
                [
                    "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", recording, "-af",
                    "atempo=\(speed)", theirs,
                ]),
            keepingPitch("rubberband -3", "-3"), keepingPitch("rubberband -2", "-2"),
        ]
    }

    private func stretch(_ peer: String, _ arguments: [String]) -> Row {
        let command = [
            workshop.timewarp, "stretch", recording, "-o", ours, "--to",
            String(format: "%.6f", stretched), "--overwrite",
        ]
        return row("sound a little longer", peer, command, arguments, lasting: stretched)
    }

    private func keepingPitch(_ peer: String, _ engine: String) -> Row {
        let command = [
            workshop.timewarp, "scale", recording, "-o", ours, "--speed", "1.25", "--audio",
            "keep-pitch", "--overwrite",
        ]
        return row(
            "sound at 1.25×, pitch kept", peer, command,
            ["rubberband", engine, "-q", "-T", "1.25", recording, theirs], lasting: seconds / 1.25)
    }

    private func row(
        _ work: String, _ peer: String, _ command: [String], _ arguments: [String],
        lasting: Double
    ) -> Row {
        Row(
            work: work, peer: peer, ours: Row.Command(arguments: command, output: ours),
            theirs: Row.Command(arguments: arguments, output: theirs), frames: .none,
            soundSeconds: lasting)
    }
}
