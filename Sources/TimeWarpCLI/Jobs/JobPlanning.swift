import ArgumentParser
import Foundation
import Media
import TimeWarp

/// What a command would render.
struct PlannedJob {
    let work: JobPlan.Work
    let pieces: [PlannedPiece]
    /// What is worth knowing; one sentence each.
    let notes: [String]
    /// The paths of all files that are read.
    let inputs: [String]
    /// The path of the report; nil for none.
    let report: String?
    /// What is known of an input, as bytes of a `KnownFile`; nil if it isn't media.
    let known: (_ path: String, _ fingerprint: FileFingerprint) throws -> [UInt8]?
}

extension PlannedJob {
    /// - Throws: `ValidationError` if it isn't said how many pieces there shall be.
    init(
        _ plan: RenderPlan, of job: RenderJob, _ media: MediaCatalogue, report: String?
    ) throws {
        guard plan.settings.resources.pieces != nil || plan.video.isEmpty else {
            throw Self.needsPieces
        }
        let pieces = try plan.plannedPieces()
        var job = job
        // How many machine threads work, and whether the output may be replaced, is said when the pieces are made and joined.
        job.timeline = try job.timeline.containingProjects(media)
        job.settings.resources.jobs = 1
        job.settings.output.existing = .refuse
        self.init(
            work: .job(job), pieces: pieces, notes: plan.warnings + plan.pieceNotes(pieces),
            inputs: plan.inputs.map(\.path), report: report, known: plan.known)
    }

    static let needsPieces = ValidationError("--plan needs --pieces NUMBER.")
}

/// Writes the plan of a job.
struct JobPlanning {
    let folder: JobFolder
    let existing: ExistingOutput

    func write(_ planned: PlannedJob) throws {
        try folder.make()
        var seen: Set<String> = []
        var known: [String: [UInt8]] = [:]
        let inputs = try planned.inputs.filter { seen.insert($0).inserted }.map {
            try input($0, of: planned, &known)
        }
        let job = JobPlan(
            work: try planned.work.replacingPaths(folder.fromHere),
            report: planned.report.map(folder.fromHere), inputs: inputs, build: try .own(),
            pieces: planned.pieces, notes: planned.notes)
        try folder.write(job, knowing: known, existing: existing)
        try tell(job, planned.work.output)
    }

    /// Takes a fingerprint of an input, and collects what is known of it for the workers, by its hash.
    private func input(
        _ path: String, of planned: PlannedJob, _ known: inout [String: [UInt8]]
    ) throws -> JobPlan.Input {
        guard !ImageSequence.isNamed(path) else {
            throw MediaError(
                .unsupported, file: path,
                reason: "a job compares its inputs with what they were, and that is one file each",
                remedy: "Write the images to one file first, such as .mkv with \(.videoCodec) ffv1")
        }
        let fingerprint = try FileFingerprint(of: path) { try Task.checkCancellation() }
        let bytes = try planned.known(path, fingerprint)
        let hash = bytes.map { ContentHash.text(of: $0) }
        if let hash {
            known[hash] = bytes
        }
        return JobPlan.Input(
            path: path, fromJob: folder.fromHere(path),
            bytes: fingerprint.byteCount, hash: fingerprint.text, known: hash)
    }

    private func tell(_ job: JobPlan, _ output: String) throws {
        for note in job.notes {
            Message.note(note)
        }
        try StandardOutput.print("job       \(folder.planFile)")
        try StandardOutput.print("pieces    \(Self.summary(of: job.pieces))")
        try StandardOutput.print("output    \(output), by timewarp join")
    }

    /// Which pieces there are, and how even they are: `0 to 8: 8 of video, each 11 to 13 % of it; 8 makes the sound`.
    static func summary(of pieces: [PlannedPiece]) -> String {
        guard let last = pieces.last else {
            return "none: nothing is encoded, and timewarp join does it all"
        }
        let video = pieces.filter { !$0.video.isEmpty || $0.files != nil }
        guard pieces.count > 1 else {
            return "0: "
                + (video.isEmpty ? "the sound" : last.sound ? "video and sound" : "the video")
        }
        var parts = ["\(video.count) of video"]
        if video.count > 1 {
            let shares = video.map(\.share).sorted()
            let ends = [shares[0], shares[shares.count - 1]].map {
                String(format: "%.3g", $0 * 100)
            }
            let percent = ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])"
            parts[0] += ", each \(percent) % of it"
        }
        if last.sound {
            parts.append("\(last.index) makes the sound")
        }
        return "0 to \(last.index): " + parts.joined(separator: "; ")
    }
}
