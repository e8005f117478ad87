import TimeMaps
import TimeWarp

/// Bounds of what a reader follows: containers (compound clips, nested sequences) may contain each other and be used again
/// and again, so that clips multiply.
struct ReaderBounds {
    /// No time of a project is further from 0, in seconds. That is 300 years.
    static let furthestTime = 1e10
    /// No editor shows more tracks.
    static let mostTracks = 1000
    /// How many points the time map of a clip may have.
    static let mostPoints = TimeMapDocument.mostPoints

    private static let mostVisits = 2 * Composition.mostSegments
    private static let mostElements = 40_000_000
    private static let mostPointsOfAll = 20 * mostPoints
    private static let deepest = 16

    private var visits = 0
    private var elements = 0
    private var points = 0
    private var depth = 0

    /// Counts a clip, a blank, a transition or a marker that the reader comes by.
    ///
    /// - Throws: ``CompositionError`` when there are too many.
    mutating func visit() throws {
        visits += 1
        guard visits <= Self.mostVisits else {
            throw CompositionError(
                .unsupported,
                "it holds more than \(Self.mostVisits) clips, transitions and markers, counted with those in containers"
            )
        }
    }

    /// Counts the elements of something that is read wherever it is referred to.
    ///
    /// - Throws: ``CompositionError`` when there are too many.
    mutating func read(_ item: XMLItem) throws {
        elements += item.count
        guard elements <= Self.mostElements else {
            throw CompositionError(
                .unsupported,
                "it holds more than \(Self.mostElements) elements, counted wherever they are referred to"
            )
        }
    }

    /// Counts the points of a clip's time map, before they are made.
    ///
    /// - Throws: ``CompositionError`` when there are too many. They don't count then.
    mutating func add(points count: Int) throws {
        guard count <= Self.mostPointsOfAll - points else {
            throw CompositionError(
                .unsupported, "its time maps have more than \(Self.mostPointsOfAll) points in all")
        }
        points += count
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
