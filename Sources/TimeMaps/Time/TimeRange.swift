/// A stretch of time: its start belongs to it, its end doesn't.
///
/// ```
///   start          end
///   [──────────────)        duration = end − start
/// ```
public struct TimeRange: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The first instant.
    public let start: RationalTime
    /// How long it lasts; 0 or more.
    public let duration: RationalTime
    /// One past the last instant.
    public let end: RationalTime

    /// - Throws: ``TimeError`` when the duration is negative, or the end doesn't fit.
    public init(start: RationalTime, duration: RationalTime) throws(TimeError) {
        guard duration >= .zero else {
            throw TimeError(.emptyRange, "a range can't last \(duration.seconds) s")
        }
        self.start = start
        self.duration = duration
        end = try start + duration
    }

    /// - Throws: ``TimeError`` when the end lies before the start, or the duration doesn't fit.
    public init(start: RationalTime, end: RationalTime) throws(TimeError) {
        guard start <= end else {
            throw TimeError(
                .emptyRange, "a range from \(start.seconds) s can't end at \(end.seconds) s")
        }
        self.start = start
        self.end = end
        duration = try end - start
    }

    /// Whether an instant lies in it; its end doesn't.
    public func contains(_ time: RationalTime) -> Bool {
        start <= time && time < end
    }

    /// What both have in common; nil where they don't meet.
    public func intersection(_ other: TimeRange) -> TimeRange? {
        let from = max(start, other.start)
        let to = min(end, other.end)
        guard from < to else {
            return nil
        }
        return try? TimeRange(start: from, end: to)
    }

    public var description: String { "\(start)..<\(end)" }
}

extension TimeRange {
    private enum Key: String, CodingKey {
        case start, duration, end
    }

    /// - Throws: ``TimeError`` as ``init(start:duration:)`` does; `DecodingError` where the end is
    ///   another one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try self.init(
            start: container.decode(RationalTime.self, forKey: .start),
            duration: container.decode(RationalTime.self, forKey: .duration))
        guard try container.decode(RationalTime.self, forKey: .end) == end else {
            throw DecodingError.dataCorruptedError(
                forKey: .end, in: container,
                debugDescription: "a range ends its duration after its start")
        }
    }
}
