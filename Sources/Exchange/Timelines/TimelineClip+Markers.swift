import TimeMaps
import TimeWarp

extension TimelineClip {
    /// Where a marker is shown first, in the clip's time, and for how long; nil if it never is.
    private func place(of marker: Marker) throws -> (start: RationalTime, duration: RationalTime)? {
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
        let ends = try [source(at: place), source(at: place.sum(duration))]
            .map { max(.zero, $0) }.sorted()
        markers.append(
            try Marker(
                name, at: ends[0], lasting: ends[1].difference(ends[0]), comment: comment,
                colour: colour))
    }

    /// The places of all markers, with notes on those that are never shown.
    func placesOfMarkers(_ notes: inout TimelineNotes) throws -> [PlacedMarker] {
        try markers.compactMap { marker in
            guard let place = try place(of: marker) else {
                notes.add(
                    "The marker \"\(marker.name)\" is at an instant that isn't shown, and isn't in the file."
                )
                return nil
            }
            return PlacedMarker(marker: marker, start: place.start, duration: place.duration)
        }
    }

    /// Adds the markers that it doesn't have.
    mutating func addMarkers(_ others: [Marker]) {
        let known = Set(markers)
        markers += others.filter { !known.contains($0) }
    }
}

/// A marker where it is shown, in its clip's time.
struct PlacedMarker {
    let marker: Marker
    let start: RationalTime
    let duration: RationalTime
}
