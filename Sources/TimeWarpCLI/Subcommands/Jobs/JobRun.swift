import ArgumentParser
import Foundation
import Media
import TimeWarp

/// A job that is worked on: its plan is made again here, with its media where they are on this machine.
struct JobRun: Sendable {
    let folder: JobFolder
    let plan: JobPlan
    let identity: String
    private let work: JobPlan.Work
    private let known: KnownFiles

    /// Reads the plan, and checks that this machine would render the same bytes.
    ///
    /// - Parameters:
    ///   - replacements: where inputs are on this machine: `in.mp4=/mnt/in.mp4`, or one path for the only input.
    /// - Throws: ``MediaError`` if an input changed, or this is another build.
    init(_ path: String, replacing replacements: [String]) throws {
        folder = JobFolder(path)
        plan = try folder.plan()
        identity = try plan.identity()
        try plan.build.require(by: try .own(), file: folder.planFile)
        work = try plan.work.replacingPaths(folder.here)
        let given = try Self.replaced(plan, replacements)
        known = KnownFiles(try Self.places(of: plan, given, in: folder))
        OwnProcess.handOutZeros()
    }

    private static func replaced(
        _ plan: JobPlan, _ replacements: [String]
    ) throws -> [String: String] {
        var paths: [String: String] = [:]
        let known = plan.inputs.map(\.path)
        for replacement in replacements {
            let parts = replacement.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2, known.contains(parts[0]) {
                paths[parts[0]] = JobPath.absolute(parts[1])
            } else if known.count == 1 {
                paths[known[0]] = JobPath.absolute(replacement)
            } else {
                throw ValidationError(
                    "--input takes NAME=PATH with one of the names "
                        + known.joined(separator: ", ") + ".")
            }
        }
        return paths
    }

    /// Where all inputs are here, and what is known of them, by the paths at which the job and its projects look for them.
    private static func places(
        of plan: JobPlan, _ given: [String: String], in folder: JobFolder
    ) throws -> [String: KnownFiles.Place] {
        var places: [String: KnownFiles.Place] = [:]
        for input in plan.inputs {
            let path = try place(of: input, given[input.path], in: folder)
            let place = KnownFiles.Place(path, content: try known(input, at: path, in: folder))
            (places[path], places[folder.here(input.fromJob)]) = (place, place)
        }
        return places
    }

    /// The path of an input on this machine.
    private static func place(
        of input: JobPlan.Input, _ replacement: String?, in folder: JobFolder
    ) throws -> String {
        let candidates =
            replacement.map { [$0] } ?? [folder.here(input.fromJob), input.path]
        guard let path = candidates.first(where: FileManager.default.fileExists(atPath:)) else {
            throw MediaError(
                .noInput, file: replacement ?? input.path, reason: "the job's input isn't there",
                remedy: "Say where it is with --input \(input.path)=PATH")
        }
        return path
    }

    /// What is known of an input. Each part of it is checked when it is read; an input of which nothing is known is
    /// checked now.
    private static func known(
        _ input: JobPlan.Input, at path: String, in folder: JobFolder
    ) throws -> KnownFile? {
        guard let hash = input.known else {
            let fingerprint = try FileFingerprint(of: path) { try Task.checkCancellation() }
            guard fingerprint.text == input.hash else {
                throw MediaError(
                    .changed, file: path, reason: "it changed since the job was planned",
                    remedy: "Restore the file, or plan the job again")
            }
            return nil
        }
        let file = folder.knownFile(hash)
        let bytes = Array(FileManager.default.contents(atPath: file) ?? Data())
        guard ContentHash.text(of: bytes) == hash,
            let known = KnownFile(stored: bytes, at: path), known.fingerprint.text == input.hash
        else {
            throw MediaError(
                .damaged, file: file, reason: "it isn't what was planned",
                remedy: "Plan the job again")
        }
        return known
    }

    /// Renders a piece.
    ///
    /// - Parameter progress: called while it is rendered.
    func render(
        _ piece: PlannedPiece, progress: @escaping @Sendable (RenderProgress) -> Void
    ) async throws {
        let path = folder.pieceFile(piece.index)
        switch work {
        case .job(let job):
            // A piece leaves the output alone.
            try await PieceRenderer(try plan(job, existing: .overwrite), identity: identity)
                .render(piece, to: path, progress: progress)
        case .story(let story):
            try await story.builder(existing: .overwrite, knowing: known)
                .render(piece, to: path, identity: identity) { progress($0.render) }
        }
    }

    /// Makes the output of all pieces.
    func join(existing: ExistingOutput, progress: ProgressStyle) async throws {
        let pieces = RenderedPieces(plan.pieces, identity: identity) { folder.pieceFile($0) }
        switch work {
        case .job(let job):
            try await PlanRun(
                try plan(job, existing: existing), progress: progress,
                report: plan.report.map(folder.here), existing: existing
            ).run(joining: pieces)
        case .story(let story):
            try await story.build(existing: existing, progress, knowing: known, joining: pieces)
        }
    }

    private func plan(_ job: RenderJob, existing: ExistingOutput) throws -> RenderPlan {
        var job = try job.replacingPaths(known.place(of:))
        job.settings.output.existing = existing
        let media = MediaCatalogue(.all, for: job.settings.resources, knowing: known)
        return try RenderPlan(job, media)
    }
}
