import TimeWarp

/// Bounds of what a reader follows: containers (compound clips, nested sequences) may contain each other and be used again
/// and again, so that clips multiply.
struct ReaderBounds {
    private static let mostVisits = 2 * Composition.mostSegments
    private static let deepest = 16

    private var visits = 0
    private var depth = 0

    /// Counts a clip that the reader comes by.
    ///
    /// - Throws: ``CompositionError`` when there are too many.
    mutating func visit() throws {
        visits += 1
        guard visits <= Self.mostVisits else {
            throw CompositionError(
                .unsupported,
                "it holds more than \(Self.mostVisits) clips, counted with those in containers")
        }
    }

    /// Goes into a container; ``leave()`` follows.
    ///
    /// - Parameter kind: what the containers are called, for the error.
    /// - Throws: ``CompositionError`` when they are too deep in one another.
    mutating func enter(_ kind: String) throws {
        depth += 1
        guard depth <= Self.deepest else {
            throw CompositionError(
                .unsupported,
                "\(kind) are nested more than \(Self.deepest) levels deep, or contain themselves")
        }
    }

    mutating func leave() {
        depth -= 1
    }
}
