/// A half-open range of time: it contains its start, but not its end.
///
/// ```
///   start          end
///   [──────────────)        duration = end − start
/// ```
public struct TimeRange: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The first instant.
    public let start: RationalTime
    /// How long the range lasts; 0 or more.
    public let duration: RationalTime
    /// The first instant after the range: `start + duration`.
    public let end: RationalTime

    /// A range of a given duration.
    ///
    /// - Throws: ``TimeError`` when the duration is negative, or when the end doesn't fit in a ``RationalTime``.
    public init(start: RationalTime, duration: RationalTime) throws(TimeError) {
        guard duration >= .zero else {
            throw TimeError(
                .emptyRange, "a range can't last \(duration.secondsText) s; 0 s is the shortest")
        }
        self.start = start
        self.duration = duration
        end = try start + duration
    }

    /// A range between two instants.
    ///
    /// - Throws: ``TimeError`` when the end lies before the start, or when the duration doesn't fit in a
    ///   ``RationalTime``.
    public init(start: RationalTime, end: RationalTime) throws(TimeError) {
        guard start <= end else {
            throw TimeError(
                .emptyRange,
                "a range from \(start.secondsText) s can't end before that, at \(end.secondsText) s"
            )
        }
        self.start = start
        self.end = end
        duration = try end - start
    }

    /// Whether the range contains an instant. It doesn't contain its own end.
    public func contains(_ time: RationalTime) -> Bool {
        start <= time && time < end
    }

    /// The part that both ranges have in common; nil where they don't overlap.
    public func intersection(_ other: TimeRange) -> TimeRange? {
        let from = max(start, other.start)
        let to = min(end, other.end)
        guard from < to else {
            return nil
        }
        return try? TimeRange(start: from, end: to)
    }

    /// Start and end in seconds, such as `0..<7/5`.
    public var description: String { "\(start)..<\(end)" }
}

extension TimeRange {
    private enum Key: String, CodingKey {
        case start, duration, end
    }

    /// Decodes `start`, `duration` and `end`.
    ///
    /// - Throws: ``TimeError`` as ``init(start:duration:)`` does; `DecodingError` when the end isn't
    ///   start + duration.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try self.init(
            start: container.decode(RationalTime.self, forKey: .start),
            duration: container.decode(RationalTime.self, forKey: .duration))
        guard try container.decode(RationalTime.self, forKey: .end) == end else {
            throw DecodingError.dataCorruptedError(
                forKey: .end, in: container,
                debugDescription: "a range's end must be its start plus its duration")
        }
    }
}
