import ArgumentParser
import Media
import TimeWarp

struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Make the output of a job from its pieces, and measure it.",
        discussion: """
            Copies the packets of all pieces, adds subtitles, chapters and tags, and measures the file. \
            The output is, byte for byte but for its creation time, what the command makes on one \
            machine with the same --pieces.

              timewarp join job
              timewarp join job --clean          and remove the job

            Exits with 75 (try again) while pieces are missing, and with 65 if pieces are damaged or \
            belong to another plan: it names them, and timewarp piece renders them again.
            """)

    @Argument(help: "The job's folder.", completion: .directory)
    var job: String

    @Flag(help: "Remove the plan and the pieces afterwards.")
    var clean = false

    @Flag(help: "Replace the output if it exists, whatever was said when the job was planned.")
    var overwrite = false

    @OptionGroup
    var place: JobPlaceOptions

    @OptionGroup
    var locks: LockOptions

    @Option(help: "How progress is shown on stderr: auto, bar, json (one object per line) or none.")
    var progress = ProgressStyle.auto

    func run() async throws {
        let run = try JobRun(job, replacing: place.input)
        try requireAll(of: run)
        do {
            // All pieces are checked while they are read.
            try await run.join(existing: overwrite ? .overwrite : .refuse, progress: progress)
        } catch let error as MediaError where error.code == .damaged {
            try requireSound(run)
            throw error
        }
        try StandardOutput.print("output    \(run.folder.here(run.plan.work.output))")
        if clean {
            run.folder.remove()
        }
    }

    /// Throws if pieces are missing, and names them.
    private func requireAll(of run: JobRun) throws {
        let state = try JobState(of: run.folder, run.plan, age: locks.age, .presence)
        let missing = state.indices(.missing)
        let running = state.indices(.running)
        guard missing.isEmpty, running.isEmpty else {
            let parts = [("missing", missing), ("being rendered", running)].filter { !$0.1.isEmpty }
            throw MediaError(
                .unfinished, file: run.folder.path,
                reason: "pieces are "
                    + parts.map { "\($0.0): \(NumberList.text($0.1))" }.joined(separator: "; "),
                remedy: "Render them with timewarp piece, and join again")
        }
    }

    /// Throws if pieces are damaged, and names them.
    private func requireSound(_ run: JobRun) throws {
        let state = try JobState(of: run.folder, run.plan, age: locks.age, .content)
        let damaged = state.indices(.damaged)
        guard damaged.isEmpty else {
            throw MediaError(
                .damaged, file: run.folder.path,
                reason: "pieces are damaged or belong to another plan: " + NumberList.text(damaged),
                remedy: "Render them again with timewarp piece")
        }
    }
}
