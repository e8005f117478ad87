import Figures
import Foundation

/// Runs both programs of a row alternately, and compares their outputs.
struct Contest {
    let workshop: Workshop
    let rounds: Int

    func run(_ row: Row) -> Outcome {
        var outcome = Outcome(row: row)
        for round in 0..<rounds {
            // The order changes every round, so that neither program always finds the caches as the other left them.
            if round % 2 == 0 {
                run(row.ours, &outcome.ours)
                run(row.theirs, &outcome.theirs)
            } else {
                run(row.theirs, &outcome.theirs)
                run(row.ours, &outcome.ours)
            }
            if let decoded = row.decoded, outcome.ours.failure == nil,
                let seconds = try? codecSeconds(from: decoded, to: row.ours.output)
            {
                outcome.codecSeconds.append(seconds)
            }
        }
        inspect(&outcome)
        for path in [row.ours.output, row.theirs.output] {
            try? FileManager.default.removeItem(atPath: path)
        }
        return outcome
    }

    private func run(_ command: Row.Command, _ side: inout Outcome.Side) {
        guard side.failure == nil else { return }
        try? FileManager.default.removeItem(atPath: command.output)
        do {
            side.runs.append(try workshop.measure(command.arguments))
        } catch {
            side.failure = "\(error)"
        }
    }

    /// Frames to encode come from our output, so decoding that doesn't count.
    private func codecSeconds(from clip: String, to output: String) throws -> Double {
        func seconds(_ path: String, _ arguments: [String]) throws -> Double {
            let start = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", path, "-an"]
            return try workshop.measure(start + arguments).processorSeconds
        }
        let nothing = ["-f", "null", "-"]
        let encoded = workshop.path("encoded.mp4")
        defer { try? FileManager.default.removeItem(atPath: encoded) }
        return try seconds(clip, nothing) + seconds(output, Clips.videoEncoding + [encoded])
            - seconds(output, nothing)
    }

    private func inspect(_ outcome: inout Outcome) {
        let inspection = Inspection(workshop: workshop)
        let row = outcome.row
        inspect(row.ours, &outcome.ours, with: inspection)
        inspect(row.theirs, &outcome.theirs, with: inspection)
        guard outcome.ours.facts != nil, outcome.theirs.facts != nil else { return }
        switch row.frames {
        case .same:
            outcome.psnr = try? inspection.lumaPSNR(row.ours.output, row.theirs.output)
        case .sameAFrameEarlier:
            outcome.psnr = try? inspection.lumaPSNR(
                row.ours.output, row.theirs.output, skipping: 1)
        case .different, .none:
            return
        }
    }

    private func inspect(
        _ command: Row.Command, _ side: inout Outcome.Side, with inspection: Inspection
    ) {
        guard side.failure == nil else { return }
        do {
            side.facts = try inspection.facts(of: command.output)
        } catch {
            side.failure = "what it wrote can't be read: \(error)"
        }
    }
}

/// Examines finished files with ffmpeg's programs.
struct Inspection {
    let workshop: Workshop

    func facts(of path: String) throws -> OutputFacts {
        var facts = OutputFacts()
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        facts.bytes = (attributes[.size] as? NSNumber)?.intValue ?? 0
        facts.frames = ProgramOutput.packetCount(
            try probe(path, stream: "v:0", "nb_read_packets", counting: ["-count_packets"]))
        facts.sound = try sound(of: path)
        return facts
    }

    /// Decoded samples are counted, because a player plays those.
    private func sound(of path: String) throws -> OutputFacts.Sound? {
        let stream = try probe(path, stream: "a:0", "sample_rate,channels")
        let numbers = stream.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        guard numbers.count == 2, numbers[1] > 0 else { return nil }
        let heard = try workshop.ask([
            "ffmpeg", "-nostdin", "-i", path, "-vn", "-af", "volumedetect", "-f", "null", "-",
        ])
        guard let loudness = ProgramOutput.loudness(heard.errors) else { return nil }
        return OutputFacts.Sound(
            samples: loudness.samples / numbers[1], sampleRate: numbers[0], peak: loudness.peak)
    }

    private func probe(
        _ path: String, stream: String, _ entries: String, counting: [String] = []
    ) throws -> String {
        try workshop.ask(
            ["ffprobe", "-v", "error"] + counting + [
                "-select_streams", stream, "-show_entries", "stream=\(entries)", "-of", "csv=p=0",
                path,
            ]
        ).output
    }

    /// Compares frame by frame in order, whatever the frames' times are.
    ///
    /// - Parameter skipped: the number of frames at the start of the first file that the other doesn't have.
    func lumaPSNR(_ path: String, _ other: String, skipping skipped: Int = 0) throws -> Double? {
        let answer = try workshop.ask([
            "ffmpeg", "-nostdin", "-i", path, "-i", other, "-lavfi",
            "[0:v]trim=start_frame=\(skipped),settb=1/30,setpts=N[a];"
                + "[1:v]settb=1/30,setpts=N[b];[a][b]psnr=shortest=1",
            "-fps_mode", "passthrough", "-f", "null", "-",
        ])
        return ProgramOutput.lumaPSNR(answer.errors)
    }
}
