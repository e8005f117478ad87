import ArgumentParser
import Foundation
import Media
import TimeWarp

/// What a command would render.
struct PlannedJob {
    let pieces: [PlannedPiece]
    /// What is worth knowing; one sentence each.
    let notes: [String]
    /// The paths of all files that are read.
    let inputs: [String]
    let output: String
    /// What is known of an input, as bytes of a `KnownFile`; nil if it isn't media.
    let known: (_ path: String, _ fingerprint: FileFingerprint) throws -> [UInt8]?
}

extension PlannedJob {
    /// - Throws: `ValidationError` if it isn't said how many pieces there shall be.
    init(_ plan: RenderPlan, reading inputs: [String]) throws {
        guard plan.settings.pieces != nil || plan.video.isEmpty else {
            throw Self.needsPieces
        }
        let pieces = try plan.plannedPieces()
        self.init(
            pieces: pieces, notes: plan.warnings + plan.pieceNotes(pieces), inputs: inputs,
            output: plan.destination, known: plan.known)
    }

    static let needsPieces = ValidationError(
        "--plan needs --pieces: how many pieces there shall be.")
}

/// Writes the plan of a job.
struct JobPlanning {
    let folder: JobFolder
    let existing: ExistingOutput

    func write(_ planned: PlannedJob) throws {
        try folder.make()
        let here = FileManager.default.currentDirectoryPath
        var seen: Set<String> = []
        let job = JobPlan(
            arguments: JobPlan.kept(Array(CommandLine.arguments.dropFirst())),
            folder: RelativePath.from(folder.path, to: here), output: planned.output,
            inputs: try planned.inputs.filter { seen.insert($0).inserted }.enumerated().map {
                try input($1, number: $0, of: planned)
            },
            build: try .own(), pieces: planned.pieces, notes: planned.notes)
        try folder.write(job, existing: existing)
        try tell(job)
    }

    /// Takes a fingerprint of an input, and keeps what is known of it for the workers.
    private func input(
        _ path: String, number: Int, of planned: PlannedJob
    ) throws -> JobPlan.Input {
        let fingerprint = try FileFingerprint(of: path) { try Task.checkCancellation() }
        return JobPlan.Input(
            path: path,
            fromJob: RelativePath.from(folder.path, to: URL(fileURLWithPath: path).path),
            bytes: fingerprint.byteCount, hash: fingerprint.text,
            known: try planned.known(path, fingerprint).map {
                try FileOutput.write($0, to: folder.knownFile(number), existing: .overwrite)
                return ContentHash.text(of: $0)
            })
    }

    private func tell(_ job: JobPlan) throws {
        for note in job.notes {
            StandardError.print("timewarp: note: \(note)")
        }
        let count = job.pieces.count
        let shares = job.pieces.filter { !$0.video.isEmpty || $0.files != nil }.map(\.share)
        let percent = [shares.min(), shares.max()].compactMap { $0 }.map {
            String(format: "%.2g", $0 * 100)
        }
        try StandardOutput.print("job       \(folder.planFile)")
        try StandardOutput.print(
            count == 0
                ? "pieces    none: nothing is encoded, and timewarp join does it all"
                : "pieces    0 to \(count - 1): \(shares.count) of video"
                    + (percent.count == 2 ? ", each \(percent[0]) to \(percent[1]) % of it" : "")
                    + (job.pieces.last?.sound ?? false ? "; \(count - 1) makes the sound" : ""))
        try StandardOutput.print("output    \(job.output), by timewarp join")
    }
}
