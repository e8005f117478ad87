import Foundation

/// Rows with sound alone, WAV in and out: stretched a little, to correct the drift of a recorder, and a quarter
/// longer with the pitch kept.
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
            stretch("ffmpeg atempo", ffmpeg("atempo=\(speed)")),
            resampled("ffmpeg soxr", with: "resampler=soxr:precision=28"),
            keepingPitch(
                "rubberband -3", ["rubberband", "-3", "-q", "-T", "0.8", recording, theirs]),
            keepingPitch(
                "rubberband -2", ["rubberband", "-2", "-q", "-T", "0.8", recording, theirs]),
            keepingPitch("soundstretch", ["soundstretch", recording, theirs, "-tempo=-20"]),
            keepingPitch("ffmpeg atempo", ffmpeg("atempo=0.8")),
        ]
    }

    private func stretch(_ peer: String, _ arguments: [String]) -> Row {
        let command = [
            workshop.timewarp, "stretch", recording, "-o", ours, "--to",
            String(format: "%.6f", stretched), "--overwrite",
        ]
        return row("sound a little longer", peer, command, arguments, lasting: stretched)
    }

    /// The same length by changing the sample rate, as sound follows speed.
    private func resampled(_ peer: String, with resampler: String) -> Row {
        stretch(peer, ffmpeg("asetrate=48000*\(speed),aresample=48000:\(resampler)"))
    }

    private func ffmpeg(_ filter: String) -> [String] {
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", recording, "-af", filter, theirs]
    }

    private func keepingPitch(_ peer: String, _ arguments: [String]) -> Row {
        let command = [
            workshop.timewarp, "scale", recording, "-o", ours, "--speed", "0.8", "--audio",
            "keep-pitch", "--overwrite",
        ]
        return row(
            "sound at 0.8×, pitch kept", peer, command, arguments, lasting: seconds / 0.8)
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
