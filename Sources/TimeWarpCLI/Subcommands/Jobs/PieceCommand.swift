import ArgumentParser
import Foundation
import Media
import TimeWarp

struct PieceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "piece",
        abstract: "Render a piece of a job that --plan made, on any machine.",
        discussion: """
              timewarp warp in.mp4 -o out.mp4 --plan job --pieces 64
              timewarp piece job --index 7       render one piece; if it is there, do nothing
              timewarp piece job --next          render the next one that nobody has
              timewarp piece job --all           go on until every piece is there
              timewarp join job

            Without an option the index comes from the scheduler: SLURM_ARRAY_TASK_ID, \
            JOB_COMPLETION_INDEX (Kubernetes), AWS_BATCH_JOB_ARRAY_INDEX, NOMAD_ALLOC_INDEX, \
            PBS_ARRAY_INDEX or SGE_TASK_ID (which counts from 1).

            A piece appears complete or not at all, so a worker may be killed at any instant. Two \
            workers on one piece do no harm. A damaged piece is rendered again. An input that changed, \
            and another build of the program or of FFmpeg, are refused (65), because their pieces \
            wouldn't fit. --next exits with 75 if others have all the pieces that are left.
            """)

    @Argument(help: "The job's folder.", completion: .directory)
    var job: String

    @Option(help: ArgumentHelp("The piece to render, counted from 0.", valueName: "number"))
    var index: Int?

    @Flag(help: "Render the next piece that isn't there and that nobody renders.")
    var next = false

    @Flag(
        help: """
            Render one piece after another until all are there; wait for those that others have, and \
            take over those of workers that ended.
            """)
    var all = false

    @OptionGroup
    var place: JobPlaceOptions

    @OptionGroup
    var locks: LockOptions

    @Option(help: "How progress is shown on stderr: auto, bar, json (one object per line) or none.")
    var progress = ProgressStyle.auto

    func validate() throws {
        guard [index != nil, next, all].filter({ $0 }).count <= 1 else {
            throw ValidationError("Give one of --index, --next and --all.")
        }
    }

    func run() async throws {
        let run = try JobRun(job, replacing: place.input)
        let worker = PieceWorker(run: run, lockAge: locks.age, progress: progress)
        if next || all {
            try await worker.renderFree(goingOn: all)
        } else {
            try await worker.render(try chosenIndex(of: run.plan))
        }
    }

    private func chosenIndex(of plan: JobPlan) throws -> Int {
        guard
            let index = try index ?? SchedulerIndex.stated(by: ProcessInfo.processInfo.environment)
        else {
            throw ValidationError(
                "Say which piece, with --index, --next or --all; no scheduler states one.")
        }
        guard plan.pieces.indices.contains(index) else {
            throw ValidationError(
                plan.pieces.isEmpty
                    ? "The job has no pieces: timewarp join does it all."
                    : "There is no piece \(index): the job has 0 to \(plan.pieces.count - 1).")
        }
        return index
    }
}

/// The index of an array's task, as schedulers state it in the environment.
enum SchedulerIndex {
    private static let variables: [(name: String, first: Int)] = [
        ("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0),
        ("AWS_BATCH_JOB_ARRAY_INDEX", 0), ("NOMAD_ALLOC_INDEX", 0), ("PBS_ARRAY_INDEX", 0),
        ("SGE_TASK_ID", 1),
    ]

    /// The index, from 0; nil if no variable is set.
    ///
    /// - Throws: `ValidationError` if a variable isn't a number.
    static func stated(by environment: [String: String]) throws -> Int? {
        for (name, first) in variables {
            // Grid Engine says "undefined" outside an array.
            guard let text = environment[name], !text.isEmpty, text != "undefined" else {
                continue
            }
            guard let number = Int(text), number >= first else {
                throw ValidationError("\(name) is \"\(text)\", not a number from \(first).")
            }
            return number - first
        }
        return nil
    }
}
