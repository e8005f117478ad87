import Dispatch
import Synchronization

/// Runs work on rows in parallel, in bands whose borders don't depend on the number of threads, so neither does the
/// result.
struct Bands: Sendable {
    let threads: Int

    /// - Parameters:
    ///   - rows: the number of rows.
    ///   - height: the rows of a band.
    ///   - body: is called once for each band, from several threads.
    func run(rows: Int, of height: Int = 16, _ body: @Sendable (Range<Int>) -> Void) {
        let count = (rows + height - 1) / height
        let workers = min(threads, count)
        guard workers > 1 else {
            for band in 0..<count {
                body(band * height..<min(rows, (band + 1) * height))
            }
            return
        }
        DispatchQueue.concurrentPerform(iterations: workers) { worker in
            for band in stride(from: worker, to: count, by: workers) {
                body(band * height..<min(rows, (band + 1) * height))
            }
        }
    }

    /// Does the same work for two things at a time, each with half of the threads.
    func both<Thing: Sendable, Result: Sendable>(
        _ first: Thing, _ second: Thing, _ body: @Sendable (Thing, Bands) -> Result
    ) -> (Result, Result) {
        guard threads > 1 else {
            return (body(first, self), body(second, self))
        }
        let half = Bands(threads: threads / 2)
        let results = Mutex<(first: Result?, second: Result?)>((nil, nil))
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            let result = body(number == 0 ? first : second, half)
            results.withLock {
                if number == 0 {
                    $0.first = result
                } else {
                    $0.second = result
                }
            }
        }
        guard case (let one?, let other?) = results.withLock({ $0 }) else {
            preconditionFailure("both were done")
        }
        return (one, other)
    }
}
