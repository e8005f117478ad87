import ArgumentParser

/// The options for cutting a render into pieces.
struct PieceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Cut the render into this many pieces of about equal work: the sound is one of them, and a \
            story is cut between its media files. Any number of jobs gives the same bytes. (default: \
            one for each few hundred frames if --jobs is above 1, else the video isn't cut)
            """, valueName: "number"))
    var pieces: Int?

    @Option(
        name: .customLong("plan"),
        help: ArgumentHelp(
            """
            Render nothing, and write the plan of a job with --pieces into this folder, for many machines: \
            timewarp piece renders a piece, timewarp join makes the output, timewarp job shows the state. \
            With --plan, --overwrite replaces the plan.
            """, valueName: "folder"),
        completion: .directory)
    var job: String?

    func validate() throws {
        guard pieces.map({ (1...10_000).contains($0) }) ?? true else {
            throw ValidationError("--pieces takes 1 to 10000.")
        }
    }

    /// The folder of the job that is to be planned; nil if this command renders.
    var jobToPlan: JobFolder? { job.map { JobFolder($0) } }
}
