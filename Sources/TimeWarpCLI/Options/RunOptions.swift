import ArgumentParser
import Foundation
import Media
import TimeWarp

/// The options for running a job: overwriting, dry run, pieces, report and progress.
struct RunOptions: ParsableArguments {
    @Flag(help: "Replace the output file if it exists.")
    var overwrite = false

    @Flag(help: "Print the plan, and write nothing.")
    var dryRun = false

    @Flag(
        help: """
            Print the job as JSON, and write nothing: timewarp render runs it, here or in a program, with the same result.
            """)
    var printJob = false

    @Flag(help: "With --dry-run, print the plan as JSON.")
    var json = false

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
        help:
            "How progress is shown on stderr: auto, bar, json (events for programs, one a line) or none."
    )
    var progress = ProgressStyle.auto

    func validate() throws {
        guard cutting.job == nil || report != "-" else {
            throw ValidationError(
                "With --plan, a report is written by timewarp join: give it a file.")
        }
    }

    /// - Throws: `ValidationError` where the output is a pipe, and something can't be done with one.
    private func requirePipe() throws {
        guard report == nil else {
            throw ValidationError(
                "A report measures the finished file, and a pipe leaves none: give the output a name."
            )
        }
        guard cutting.job == nil else {
            throw ValidationError("--plan makes a file of pieces: give the output a name.")
        }
        guard isatty(STDOUT_FILENO) == 0 else {
            throw ValidationError(
                "-o - writes media to stdout, which is a terminal here: pipe it to another program."
            )
        }
    }

    func apply(to settings: inout RenderSettings) {
        settings.resources.pieces = cutting.pieces ?? settings.resources.pieces
        if overwrite {
            settings.output.existing = .overwrite
        }
    }

    /// Prints the job or its plan, plans it for many machines, or runs it.
    ///
    /// - Parameters:
    ///   - media: the job's media, which may be open already.
    ///   - others: further input files besides those of the plan.
    func run(
        _ job: RenderJob, _ media: MediaCatalogue, reading others: [String] = []
    ) async throws {
        guard dryRun || !json else {
            throw ValidationError("--json prints the plan: give --dry-run, too.")
        }
        guard !printJob else {
            try StandardOutput.write(Array(try job.json()))
            return
        }
        var planned = job
        if dryRun {
            // That the output exists is told, and refuses nothing.
            planned.settings.output.existing = .overwrite
        }
        let plan = try RenderPlan(planned, media)
        if !plan.isPiped {
            try requireApart(plan.destination, reading: plan.inputs.map(\.path) + others)
        }
        guard !dryRun else {
            try show(plan, replacing: job.settings.output.existing)
            return
        }
        if let folder = cutting.jobToPlan {
            try JobPlanning(folder: folder, existing: existing)
                .write(try PlannedJob(plan, of: job, media, report: report))
            return
        }
        if plan.isPiped {
            try requirePipe()
        }
        try await PlanRun(plan, progress: progress, report: report, existing: existing)
            .run()
    }

    private func show(_ plan: RenderPlan, replacing existing: ExistingOutput) throws {
        guard !json else {
            try StandardOutput.print(JSONOutput.text(PlanJSON(plan), as: "render-plan/1"))
            return
        }
        try StandardOutput.print(PlanText(plan).text)
        if existing == .refuse, FileManager.default.fileExists(atPath: plan.destination) {
            try StandardOutput.print(
                "note      \(plan.destination) exists; --overwrite replaces it")
        }
    }

    /// What is done about an output that exists; a dry run only tells it, and a job is printed whether it exists or not.
    var existing: ExistingOutput { overwrite || dryRun || printJob ? .overwrite : .refuse }

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
}
