import Dispatch

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
}
