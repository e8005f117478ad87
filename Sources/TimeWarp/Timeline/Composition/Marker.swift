import TimeMaps

/// A named instant, or stretch, of a clip.
///
/// It belongs to the material: its time is the asset's own, so it stays where it is when the clip
/// is moved, retimed or cut.
public struct Marker: Hashable, Sendable {
    /// What people call it; may be empty.
    public var name: String
    /// In the asset's own time; 0 or above.
    public let at: RationalTime
    /// How much of the asset it marks; 0 for an instant.
    public let duration: RationalTime
    /// What it says; nil for nothing.
    public let comment: String?
    /// A colour's name, such as `RED`.
    public let colour: String?

    /// - Parameters:
    ///   - duration: of the asset; 0 or above.
    ///   - comment: an empty one is none.
    /// - Throws: ``CompositionError`` when the instant or the duration is negative.
    public init(
        _ name: String, at: RationalTime, lasting duration: RationalTime = .zero,
        comment: String? = nil, colour: String? = nil
    ) throws {
        guard at >= .zero else {
            throw CompositionError.invalid(
                "the marker \"\(name)\" can't lie at \(at.seconds) s; an asset starts at 0")
        }
        guard duration >= .zero else {
            throw CompositionError.invalid(
                "the marker \"\(name)\" can't last \(duration.seconds) s; 0 is the least")
        }
        self.name = name
        self.at = at
        self.duration = duration
        self.comment = comment.flatMap { $0.isEmpty ? nil : $0 }
        self.colour = colour.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Marker: Comparable {
    /// By instant, and then by everything else, so that a list of markers has one order only.
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
