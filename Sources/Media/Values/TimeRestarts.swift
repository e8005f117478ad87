import Foundation
import TimeMaps

/// Where the times of a file start again, as they do where recordings were joined byte by byte or a recorder was
/// restarted, and how much later each part is played than its times say.
///
/// ```
/// stated    0  1  2  3 │ 0  1  2  3 │ 0  1  …
/// played    0  1  2  3   4  5  6  7   8  9  …
/// ```
/// A jump forward isn't one: it can't be told from a hole.
struct TimeRestarts: Sendable, Codable {
    /// A part in which times rise.
    struct Part: Sendable, Codable {
        /// Its first byte in the file.
        let position: Int64
        /// How much later it is played than its times say; zero for the first part.
        let delay: RationalTime
        /// When it begins, as it is played, in the container's time.
        let start: RationalTime
    }

    /// A keyframe: when it is decoded, as it is played, in seconds of the container, and its byte in the file.
    private struct Place: Sendable, Codable {
        let seconds: Double
        let position: Int64
    }

    /// In the order of the file; at least two.
    let parts: [Part]
    private var places: [Place] = []

    init(parts: [Part]) {
        self.parts = parts
    }

    /// The part that a byte is in. O(log n).
    func part(at position: Int64) -> Int {
        max(0, parts.indices.partitionPoint { parts[$0].position > position } - 1)
    }

    /// Notes a keyframe, unless one less than a second before is noted. Called in the order of the file.
    mutating func noteKeyframe(at seconds: Double, _ position: Int64) {
        if position >= 0, seconds >= (places.last?.seconds ?? -.infinity) + 1 {
            places.append(Place(seconds: seconds, position: position))
        }
    }

    /// The byte from which to read for what is decoded at a time. O(log n).
    func position(before seconds: Double) -> Int64 {
        // Streams are interleaved, but not exactly.
        let place = places.indices.partitionPoint { places[$0].seconds > seconds - 2 } - 1
        return place < 0 ? 0 : places[place].position
    }

    /// A sentence that says where times start again, and what becomes of what follows.
    ///
    /// - Parameters:
    ///   - origin: the time of the container from which places are counted.
    ///   - isFollowed: whether what follows is played.
    func warning(countedFrom origin: RationalTime, isFollowed: Bool) -> String {
        let first = String(format: "%.3f s", parts[1].start.relative(to: origin).seconds)
        let places =
            parts.count == 2 ? "at \(first)" : "in \(parts.count - 1) places, the first at \(first)"
        let rest =
            isFollowed
            ? "played on from there"
            : "left out, because files of this kind can't be joined byte by byte"
        return "its times start again \(places): what follows is \(rest)"
    }
}
