import TimeMaps
import TimeWarp

extension TimelineClip {
    /// Where a marker is shown first, in the clip's time, and for how long; nil if it never is.
    func place(of marker: Marker) throws -> (start: RationalTime, duration: RationalTime)? {
        guard let start = try output(ofSource: marker.at) else {
            return nil
        }
        guard marker.duration > .zero else {
            return (start, .zero)
        }
        let isBackwards = ends.last < ends.first
        let end =
            try output(ofSource: marker.at.sum(marker.duration))
            ?? (isBackwards ? .zero : duration)
        return (min(start, end), try max(start, end).difference(min(start, end)))
    }

    /// Adds a marker at a time of the clip. Played backwards, its range begins with what is shown last.
    ///
    /// - Throws: ``CompositionError`` if there is no such marker.
    mutating func addMarker(
        _ name: String, at place: RationalTime, lasting duration: RationalTime = .zero,
        comment: String? = nil, colour: String? = nil
    ) throws {
        let ends = [try source(at: place), try source(at: place.sum(duration))].sorted()
        markers.append(
            try Marker(
                name, at: max(.zero, ends[0]), lasting: ends[1].difference(max(.zero, ends[0])),
                comment: comment, colour: colour))
    }

    /// Adds the markers that it doesn't have.
    mutating func addMarkers(_ others: [Marker]) {
        markers += others.filter { !markers.contains($0) }
    }
}
