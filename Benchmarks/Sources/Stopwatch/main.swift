import Launching

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// Stopwatch OUTPUT ERRORS PROGRAM ARGUMENT…: runs a program and prints what it cost.
//
// This is a separate process, because a process's peak memory can't be measured below that of its parent,
// and the peak of PeerBenchmarks is higher than that of some programs it measures.
let given = Array(CommandLine.arguments.dropFirst())
guard given.count >= 3 else {
    print("usage: Stopwatch OUTPUT ERRORS PROGRAM ARGUMENT…")
    exit(64)
}
do {
    let launch = Launch(Array(given[2...]), output: given[0], errors: given[1])
    print(try launch.run().line)
} catch {
    print(error)
    exit(69)
}
