import TimeMaps

/// A named instant or range of a clip's asset.
///
/// A marker belongs to the asset: its time is asset time, so it stays at the same frame when the clip is moved,
/// retimed or cut.
public struct Marker: Hashable, Sendable {
    /// The marker's name; may be empty.
    public var name: String
    /// The marked instant, or the start of the marked range, in asset time; 0 or above.
    public let at: RationalTime
    /// The duration of the marked range, in asset time; 0 for an instant.
    public let duration: RationalTime
    /// The marker's text; nil if it has none.
    public let comment: String?
    /// The name of the marker's colour, such as `RED`; nil if it has none.
    public let colour: String?

    /// A marker at an instant of the asset.
    ///
    /// - Parameters:
    ///   - at: in asset time; 0 or above.
    ///   - duration: in asset time; 0 for an instant.
    ///   - comment: a text; an empty text counts as nil.
    ///   - colour: the name of a colour; an empty name counts as nil.
    /// - Throws: ``CompositionError`` if the instant or the duration is negative.
    public init(
        _ name: String, at: RationalTime, lasting duration: RationalTime = .zero,
        comment: String? = nil, colour: String? = nil
    ) throws {
        guard at >= .zero else {
            throw CompositionError.invalid(
                "the marker \"\(name)\" can't be at \(at.secondsText) s; an asset starts at 0")
        }
        guard duration >= .zero else {
            throw CompositionError.invalid(
                "the marker \"\(name)\" can't last \(duration.secondsText) s; 0 is the least")
        }
        self.name = name
        self.at = at
        self.duration = duration
        self.comment = comment.flatMap { $0.isEmpty ? nil : $0 }
        self.colour = colour.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Marker: Comparable {
    /// Compares the instants first and then all other properties, so that a list of markers has only one order.
    public static func < (a: Marker, b: Marker) -> Bool {
        guard a.at == b.at else {
            return a.at < b.at
        }
        guard a.duration == b.duration else {
            return a.duration < b.duration
        }
        return a.words.lexicographicallyPrecedes(b.words)
    }

    private var words: [String] { [name, comment ?? "", colour ?? ""] }
}
