import Launching

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// Stopwatch OUTPUT ERRORS PROGRAM ARGUMENT…: runs a program and prints what it took.
//
// A process of its own, because a peak of memory can't be seen below that of whoever started the
// process, and the comparison's is higher than some of those it compares.
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
