import ArgumentParser

/// Where a job's inputs are.
struct JobPlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Where an input is on this machine, if not where it was planned: NAME=PATH, or PATH for the \
            only one. The names are those in plan.json. Can be repeated.
            """, valueName: "name=path"))
    var input: [String] = []
}

/// When a worker that says nothing counts as ended.
struct LockOptions: ParsableArguments {
    @Option(
        name: .customLong("lock-age"),
        help: ArgumentHelp(
            """
            After how many seconds without a sign of life a worker counts as ended. (default: 60)
            """, valueName: "seconds"))
    var age = PieceLock.usualAge

    func validate() throws {
        guard age >= 2 * PieceLock.renewalSeconds else {
            throw ValidationError(
                "--lock-age takes at least \(2 * PieceLock.renewalSeconds) seconds.")
        }
    }
}
