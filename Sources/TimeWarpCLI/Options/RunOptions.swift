import ArgumentParser
import Exchange
import Foundation
import Media
import TimeWarp
import Verification

/// The options for running a plan: overwriting, dry run, report, memory and progress.
struct RunOptions: ParsableArguments {
    @Flag(help: "Replace the output file if it exists.")
    var overwrite = false

    @Flag(help: "Print the plan, and write nothing.")
    var dryRun = false

    @OptionGroup
    var cutting: PieceOptions

    @Option(
        help: ArgumentHelp(
            """
            Measure the finished file, compare samples of it with the source, and write the results \
            as JSON; - is stdout. With several inputs, a folder.
            """,
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var report: String?

    @Option(
        help: ArgumentHelp(
            """
            Memory for decoded frames where they are played in another order (reverse, freeze), \
            such as 512MiB; what doesn't fit is kept on disk. (default: 256MiB)
            """, valueName: "size"))
    var memory: ByteCount?

    @Flag(
        help: """
            Leave out the tags of the file and of its tracks: titles, dates, places, names of devices. \
            Languages stay.
            """)
    var stripMetadata = false

    @Flag(
        help: """
            Leave the index of an MP4 or MOV at its end. It otherwise comes first, so that the file plays while it \
            is loaded, for which the file is read and written once more.
            """)
    var indexAtEnd = false

    @Option(help: "How progress is shown on stderr: auto, bar, json (one object per line) or none.")
    var progress = ProgressStyle.auto

    func validate() throws {
        guard cutting.job == nil || report != "-" else {
            throw ValidationError(
                "With --plan, a report is written by timewarp join: give it a file.")
        }
    }

    func apply(to settings: inout RenderSettings) {
        settings.resources.pieces = cutting.pieces
        settings.output.existing = existing
        settings.output.keepsMetadata = !stripMetadata
        settings.output.putsIndexFirst = !indexAtEnd
        settings.resources.memoryBytes = memory?.bytes ?? settings.resources.memoryBytes
    }

    /// Prints the plan, or runs it.
    ///
    /// - Parameter others: further input files besides those of the plan.
    func run(_ plan: RenderPlan, reading others: [String] = []) async throws {
        try requireApart(plan.destination, reading: plan.inputs.map(\.path) + others)
        if case .piece(let task) = PlanUse.current {
            try await PieceRenderer(plan, identity: task.identity)
                .render(task.piece, to: task.path, progress: task.progress)
            return
        }
        if !dryRun, let job = cutting.jobToPlan {
            let files = others.map(ProjectFormats.all.contentFile(of:))
            try JobPlanning(folder: job, existing: existing)
                .write(try PlannedJob(plan, reading: plan.inputs.map(\.path) + files))
            return
        }
        guard !dryRun else {
            try StandardOutput.print(PlanText(plan).text)
            if !overwrite, FileManager.default.fileExists(atPath: plan.destination) {
                try StandardOutput.print(
                    "note      \(plan.destination) exists; --overwrite replaces it")
            }
            return
        }
        for warning in plan.warnings {
            StandardError.print("timewarp: note: \(warning)")
        }
        if plan.settings.resources.jobs > 1 || plan.settings.resources.pieces != nil {
            // This makes the output reproducible: the same input and cuts give the same bytes.
            OwnProcess.handOutZeros()
        }
        var printer = ProgressPrinter(progress)
        let events: RenderEvents
        if case .join(let pieces, _, let style) = PlanUse.current {
            printer = ProgressPrinter(style)
            events = Renderer(secondsBetweenPreviews: nil).run(plan, joining: pieces)
        } else {
            events = Renderer(secondsBetweenPreviews: nil).run(plan)
        }
        for try await event in events {
            printer.show(event)
            if case .finished(let report) = event {
                try await finish(report, told: plan.warnings) { try await measure(plan) }
            }
        }
        try Task.checkCancellation()
    }

    /// The finished file, measured against its sources.
    private func measure(_ plan: RenderPlan) async throws -> Verification {
        var verifier = PlanVerifier(plan)
        verifier.stretches = Self.stretchesMeasured
        return try await verifier.verify()
    }

    /// How many seconds of the output a report compares with the source, spread evenly. Comparing everything
    /// would take as long as the render.
    private static let stretchesMeasured = 12

    /// What a plan does about an output that exists; a dry run only tells it.
    var existing: ExistingOutput {
        PlanUse.existing ?? (overwrite || dryRun ? .overwrite : .refuse)
    }

    /// Checks that neither the output nor the report replaces an input, and that they are different files.
    private func requireApart(_ output: String, reading inputs: [String]) throws {
        for input in inputs {
            try AtomicFile.requireApart(output, input, reason: "it is an input itself")
        }
        if let report {
            try AtomicFile.requireApart(report, output, reason: "it is the output itself")
            try FileOutput.requireWritable(report, apartFrom: inputs, existing: existing)
        }
    }

    private func finish(
        _ report: RenderReport, told: [String], measuring measure: () async throws -> Verification?
    ) async throws {
        let late = report.warnings.filter { !told.contains($0) }
        for warning in late {
            StandardError.print("timewarp: note: \(warning)")
        }
        guard let path = self.report else {
            return
        }
        let verification: Verification?
        do {
            verification = try await measure()
        } catch let error as CancellationError {
            StandardError.print(
                "timewarp: note: \(report.output) is complete, but the report was not written")
            throw error
        }
        for fault in verification?.faults ?? [] {
            StandardError.print("timewarp: measured: \(fault.sentence)")
        }
        try JSONOutput.write(
            MeasuredReport(report: report, verification: verification), to: path, existing: existing
        )
    }
}

/// The content of a report file: the render's own figures, and the measurements against the source.
private struct MeasuredReport: Encodable {
    let report: RenderReport
    let verification: Verification?

    private enum CodingKeys: CodingKey {
        case verification
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(verification, forKey: .verification)
    }
}
