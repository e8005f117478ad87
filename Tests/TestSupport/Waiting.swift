/// Waits until a condition holds whose coming true is announced by nothing that a test could wait for.
///
/// This is the only place where the Swift tests ask the same thing over and over.
///
/// - Parameters:
///   - what: the condition in words, for the error.
///   - limit: how long it may take. The default is so long that only what hangs takes longer.
///   - condition: asked a hundred times a second at most, because the work that makes it true needs the
///     threads.
/// - Throws: ``WaitedTooLong``, and whatever the condition throws.
public func waitUntil(
    _ what: String, within limit: Duration = .seconds(600),
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            throw WaitedTooLong(description: "After \(limit) it still isn't so that \(what).")
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// A condition didn't come true in time.
public struct WaitedTooLong: Error, CustomStringConvertible {
    public let description: String
}
