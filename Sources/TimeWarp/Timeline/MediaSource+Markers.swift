import TimeMaps

extension MediaSource {
    /// Markers in output time, in order, and the names of those that aren't presented.
    struct Markers {
        var placed: [(time: RationalTime, name: String)] = []
        var hidden: [String] = []

        /// Moves all to another time; those without one are hidden.
        fileprivate func moved(
            _ time: (RationalTime) throws -> RationalTime?
        ) rethrows -> Markers {
            var moved = Markers(hidden: hidden)
            for marker in placed {
                if let time = try time(marker.time) {
                    moved.placed.append((time, marker.name))
                } else {
                    moved.hidden.append(marker.name)
                }
            }
            return moved
        }
    }

    /// All markers, also those of nested compositions.
    ///
    /// - Parameter clip: a clip of this composition, in whose output time the markers are given; nil for composition
    ///   time.
    func placedMarkers(in clip: Clip?) throws -> Markers {
        var markers = Markers(
            placed: try composition?.markers.map { ($0.time, $0.marker.name) } ?? [],
            hidden: try composition?.hiddenMarkers.map(\.marker.name) ?? [])
        for placed in composition?.tracks.flatMap(\.placed) ?? [] {
            guard let media = placed.segment.clip?.media,
                let inner = self.media[media]
            else {
                continue
            }
            let timing = try SegmentTiming(placed.segment)
            let moved = try inner.placedMarkers(in: nil).moved { time in
                try timing.firstShowing(of: time).map { try placed.range.start.moved(by: $0) }
            }
            markers.placed += moved.placed
            markers.hidden += moved.hidden
        }
        if let clip {
            markers = try markers.moved { time in
                guard clip.range.start <= time, time < clip.range.end else {
                    return nil
                }
                let source = time.relative(to: clip.range.start).seconds
                return try clip.map.outputTimes(of: source).first.map(AssetClip.microsecond)
            }
        }
        markers.placed.sort { $0.time < $1.time }
        return markers
    }
}
