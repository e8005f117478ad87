import TimeMaps

extension Composition {
    /// What plays at an instant.
    public struct Placement: Hashable, Sendable {
        /// Counted from 0, from the lowest.
        public let track: Int
        /// Counted from 0 along the track.
        public let segment: Int
        /// The file, as its path was written.
        public let media: String
        /// What of it is seen and heard, in asset time: exact where the clip plays uniformly, else
        /// to the nearest half nanosecond.
        public let assetTime: RationalTime
    }

    /// When an instant of a file is seen.
    public struct Occurrence: Hashable, Sendable {
        /// Counted from 0, from the lowest.
        public let track: Int
        /// Counted from 0 along the track.
        public let segment: Int
        /// In the composition.
        public let time: RationalTime
        /// How long; 0 unless it is held.
        public let duration: RationalTime
    }

    /// A marker, and where it is in the composition.
    public struct PlacedMarker: Hashable, Sendable {
        /// Counted from 0, from the lowest.
        public let track: Int
        /// The track's name; may be empty.
        public let trackName: String
        /// Counted from 0 along the track.
        public let segment: Int
        /// The marker itself, in its clip's own time.
        public let marker: Marker
        /// When the marked instant is first shown by its segment.
        public let time: RationalTime
        /// When the marked stretch is shown that time: from ``time`` on where the clip plays
        /// forward, up to it where it plays backwards; empty for an instant.
        public let range: TimeRange
    }

    /// A marker whose instant its segment doesn't show.
    public struct HiddenMarker: Hashable, Sendable {
        /// Counted from 0, from the lowest.
        public let track: Int
        /// The track's name; may be empty.
        public let trackName: String
        /// Counted from 0 along the track.
        public let segment: Int
        /// The marker itself, in its clip's own time.
        public let marker: Marker
    }

    /// What plays at an instant, from the lowest track to the topmost; tracks with a gap there, or
    /// that have ended, are left out.
    ///
    /// - Throws: ``TimeError`` when an asset time doesn't fit.
    /// - Complexity: O(log segments) a track, and what it takes to make the segment's time map.
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

    /// Every time that an instant of a file is seen, on whatever track, in order.
    ///
    /// A segment shows the instants from its first up to, but not including, its last.
    ///
    /// - Parameter instant: in asset time.
    /// - Complexity: O(segments), and what it takes to make their time maps.
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

    /// Every marker whose instant is shown, in order of time.
    ///
    /// - Complexity: O(markers · pieces), and what it takes to make the time maps.
    public var markers: [PlacedMarker] {
        get throws { try sortedMarkers().placed }
    }

    /// Every marker whose instant its segment doesn't show, by track and segment.
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
    /// Later by a while; where that has no exact form, a little earlier, so that what lies inside
    /// of a segment stays inside.
    func moved(by time: RationalTime) throws -> RationalTime {
        max(self, try sum(time, rounding: .down))
    }
}
