import TimeMaps

extension Composition {
    /// What one track plays at an instant.
    public struct Placement: Hashable, Sendable {
        /// The track's index, counted from 0 for the lowest.
        public let track: Int
        /// The segment's index on the track, counted from 0.
        public let segment: Int
        /// The media file, with its path as it was given.
        public let media: String
        /// The instant of the file that is seen and heard, in asset time. It is exact where the clip plays
        /// uniformly, else it is rounded to the nearest half nanosecond.
        public let assetTime: RationalTime
    }

    /// One time at which an instant of a file is seen.
    public struct Occurrence: Hashable, Sendable {
        /// The track's index, counted from 0 for the lowest.
        public let track: Int
        /// The segment's index on the track, counted from 0.
        public let segment: Int
        /// When the instant is seen, in composition time.
        public let time: RationalTime
        /// How long the instant is held; 0 if it isn't.
        public let duration: RationalTime
    }

    /// A marker and its place in the composition.
    public struct PlacedMarker: Hashable, Sendable {
        /// The track's index, counted from 0 for the lowest.
        public let track: Int
        /// The track's name; may be empty.
        public let trackName: String
        /// The segment's index on the track, counted from 0.
        public let segment: Int
        /// The marker itself, whose times are asset time.
        public let marker: Marker
        /// When the segment first presents the marked instant, in composition time.
        public let time: RationalTime
        /// When the marked range of the asset is presented, in composition time. The range begins at ``time``
        /// if the clip plays forward and ends there if it plays backward. It is empty if the marker marks an
        /// instant.
        public let range: TimeRange
    }

    /// A marker whose instant isn't presented by its segment.
    public struct HiddenMarker: Hashable, Sendable {
        /// The track's index, counted from 0 for the lowest.
        public let track: Int
        /// The track's name; may be empty.
        public let trackName: String
        /// The segment's index on the track, counted from 0.
        public let segment: Int
        /// The marker itself, whose times are asset time.
        public let marker: Marker
    }

    /// What plays at an instant, from the lowest track to the topmost. Tracks that have a gap at that instant,
    /// or that have ended, are skipped.
    ///
    /// - Parameter time: in composition time.
    ///
    /// - Throws: ``TimeError`` if an asset time can't be represented; ``CurveError`` if a segment's curve makes
    ///   no valid time map.
    /// - Complexity: O(log segments) for each track, and making the segment's time map.
    public func placement(at time: RationalTime) throws -> [Placement] {
        var placements: [Placement] = []
        for (number, track) in tracks.enumerated() {
            guard let index = track.segmentIndex(at: time),
                let clip = track.segments[index].clip
            else {
                continue
            }
            let place = try time.difference(track.range(of: index).start)
            let timing = try SegmentTiming(track.segments[index])
            placements.append(
                Placement(
                    track: number, segment: index, media: clip.media,
                    assetTime: try timing.assetTime(at: place)))
        }
        return placements
    }

    /// All times at which an instant of a file is seen, on any track, sorted by time.
    ///
    /// A segment presents its source range from its first instant up to, but not including, its last.
    ///
    /// - Parameters:
    ///   - instant: in asset time.
    ///   - media: the file's path, written as in the composition.
    /// - Throws: ``TimeError`` or ``CurveError`` if a segment's time map can't be made.
    /// - Complexity: O(segments), and making their time maps.
    public func times(of instant: RationalTime, in media: String) throws -> [Occurrence] {
        var occurrences: [Occurrence] = []
        for (number, track) in tracks.enumerated() {
            for index in track.segments.indices {
                guard let clip = track.segments[index].clip, clip.media == media,
                    clip.range.start <= instant, instant <= clip.range.end
                else {
                    continue
                }
                let start = track.range(of: index).start
                for showing in try SegmentTiming(track.segments[index]).showings(of: instant) {
                    occurrences.append(
                        Occurrence(
                            track: number, segment: index,
                            time: try start.moved(by: showing.start),
                            duration: showing.duration))
                }
            }
        }
        return occurrences.sorted { ($0.time, $0.track) < ($1.time, $1.track) }
    }

    /// All markers whose instant is presented, sorted by time. Reading it throws ``TimeError`` or
    /// ``CurveError`` if a segment's time map can't be made.
    ///
    /// - Complexity: O(markers · pieces), and making the time maps.
    public var markers: [PlacedMarker] {
        get throws { try sortedMarkers().placed }
    }

    /// All markers whose instant isn't presented by their segment, sorted by track and segment. Reading it
    /// throws as ``markers`` does.
    public var hiddenMarkers: [HiddenMarker] {
        get throws { try sortedMarkers().hidden }
    }

    private func sortedMarkers() throws -> (placed: [PlacedMarker], hidden: [HiddenMarker]) {
        var placed: [PlacedMarker] = []
        var hidden: [HiddenMarker] = []
        for (number, track) in tracks.enumerated() {
            for (index, segment) in track.segments.enumerated() where !segment.markers.isEmpty {
                let timing = try SegmentTiming(segment)
                let start = track.range(of: index).start
                for marker in segment.markers {
                    guard let showing = try timing.firstShowing(of: marker.at) else {
                        hidden.append(
                            HiddenMarker(
                                track: number, trackName: track.name, segment: index,
                                marker: marker))
                        continue
                    }
                    let stretch = try timing.stretch(of: marker, shownAt: showing)
                    placed.append(
                        PlacedMarker(
                            track: number, trackName: track.name, segment: index, marker: marker,
                            time: try start.moved(by: showing),
                            range: try stretch.range(from: start)))
                }
            }
        }
        return (placed.sorted { ($0.time, $0.track) < ($1.time, $1.track) }, hidden)
    }
}

extension RationalTime {
    /// This time plus another. If the sum can't be represented exactly, it is rounded down, so that an instant
    /// inside of a segment stays inside.
    func moved(by time: RationalTime) throws -> RationalTime {
        max(self, try sum(time, rounding: .down))
    }
}
