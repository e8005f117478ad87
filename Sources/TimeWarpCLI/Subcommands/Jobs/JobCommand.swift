import ArgumentParser
import TimeWarp

struct JobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "job",
        abstract: "Show the state of a job: which pieces are done, running, missing or damaged.",
        discussion: """
              timewarp job job
              timewarp job job --json

            Reads all finished pieces from start to end, to find damage. Needs neither the input nor \
            the build that planned the job.
            """)

    @Argument(help: "The job's folder.", completion: .directory)
    var job: String

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup
    var locks: LockOptions

    func run() async throws {
        let folder = JobFolder(job)
        let state = try JobState(of: folder, try folder.plan(), age: locks.age, .content)
        guard !json else {
            try StandardOutput.print(try JSONOutput.text(state, as: "job-state/1"))
            return
        }
        for note in state.notes {
            try StandardOutput.print("note      \(note)")
        }
        for kind in [JobState.PieceState.done, .running, .missing, .damaged] {
            let numbers = state.indices(kind)
            if !numbers.isEmpty {
                let name = kind.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
                try StandardOutput.print(name + "\(numbers.count): \(NumberList.text(numbers))")
            }
        }
        for piece in state.pieces {
            if let worker = piece.worker {
                try StandardOutput.print(
                    "piece \(piece.index): \(Int(piece.progress * 100)) %, by \(worker)")
            }
            if let fault = piece.fault {
                try StandardOutput.print("piece \(piece.index): \(fault)")
            }
        }
        try StandardOutput.print("output    \(state.output)")
    }
}
