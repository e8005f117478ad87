import Benchmark
import Figures

/// The median time of some work in nanoseconds, measured by the benchmark library: one run to warm up,
/// then as many runs as take 0.3 s, but at least two.
func nanoseconds(_ name: String, _ work: @escaping () throws -> Void) throws -> Double {
    try nanoseconds(name, beside: {}, work).work
}

/// The same, with other work after every run, timed separately.
func nanoseconds(
    _ name: String, beside other: @escaping () -> Void, _ work: @escaping () throws -> Void
) throws -> (work: Double, other: Double) {
    let others = Recorder()
    let suite = BenchmarkSuite(name: "kernels")
    suite.benchmark(name) { state in
        state.start()
        try work()
        try state.end()
        let start = ContinuousClock.now
        other()
        others.nanoseconds.append((ContinuousClock.now - start) / .nanoseconds(1))
    }
    var runner = BenchmarkRunner(
        suites: [suite],
        settings: [MinTime(seconds: 0.3), WarmupIterations(1), Format(.none), Quiet(true)])
    try runner.run()
    return (
        median(runner.results.first?.measurements ?? []) ?? .nan,
        median(others.nanoseconds) ?? .nan
    )
}

private final class Recorder {
    var nanoseconds: [Double] = []
}

/// Keeps a result from being optimised away.
@inline(never)
func keep(_ number: Double) {
    precondition(!number.isNaN, "a result that is used")
}

/// Numbers on [0,1) that look random but are the same every time (Steele, Lea & Flood 2014).
func places(_ count: Int) -> [Double] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
    }
}
