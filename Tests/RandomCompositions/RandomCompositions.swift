import TestSupport
import TimeMaps
import TimeWarp

package func seconds(_ value: Int64, _ timescale: Int32 = 1) -> RationalTime {
    RationalTime(value, over: timescale)
}

package func range(_ start: RationalTime, _ end: RationalTime) throws -> TimeRange {
    try TimeRange(start: start, end: end)
}

package func range(_ start: Int64, _ end: Int64) throws -> TimeRange {
    try range(seconds(start), seconds(end))
}

/// Random compositions, tracks and edits.
package struct RandomCompositions {
    package var generator: SplitMix64
    /// Whether clips may be stretched before they are cut. Cutting a clip that is warped and stretched rounds.
    package var stretchesClips = true

    package static let lengths: [String: RationalTime] = [
        "a.mp4": seconds(20), "/films/b c.mp4": seconds(63, 2), "ü.mov": seconds(900_900, 30_000),
    ]

    package static func length(of media: String) throws -> RationalTime {
        guard let length = lengths[media] else {
            throw CompositionError.outside("there is no \(media)")
        }
        return length
    }

    package init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    package mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < share
    }

    package mutating func pick<Item>(_ items: [Item]) -> Item {
        items[Int.random(in: 0..<items.count, using: &generator)]
    }

    /// A time from 0 to a limit, in the time bases of real media.
    package mutating func time(below limit: RationalTime) -> RationalTime {
        let timescale: Int32 = pick([10, 24, 25, 30, 1000, 30_000, 48_000, 44_100, 90_000])
        let most = Int64(limit.seconds * Double(timescale))
        let step: Int64 = timescale == 30_000 ? 1001 : 1
        return RationalTime(
            Int64.random(in: 0...max(0, most / step), using: &generator) * step, over: timescale)
    }

    /// A range of any length inside another range.
    package mutating func range(in limit: RationalTime) throws -> TimeRange {
        while true {
            let (a, b) = (time(below: limit), time(below: limit))
            let (start, end) = (min(a, b), min(max(a, b), limit))
            if end.seconds - start.seconds > 0.01 {
                return try TimeRange(start: start, end: end)
            }
        }
    }

    package mutating func segment() throws -> Segment {
        guard chance(0.85) else {
            return try .gap(lasting: try range(in: seconds(5)).duration)
        }
        let media = pick(Self.lengths.keys.sorted())
        let range = try range(in: Self.length(of: media))
        let retiming = try retiming(of: range)
        var clip = try PlacedClip(
            media, range: range, retiming: retiming, name: chance(0.2) ? "take 2" : nil)
        if stretchesClips, chance(0.3) {
            clip = try PlacedClip(
                media, range: range, retiming: retiming,
                window: self.range(in: clip.retimedDuration))
        }
        var duration = clip.window.duration
        if retiming.isFrozen {
            duration = try self.range(in: seconds(4)).duration
        } else if stretchesClips, chance(0.4) {
            duration = try RationalTime(
                fine: duration.seconds * pick([1, 2, 3, 5]) / pick([1, 2, 3, 4]))
        }
        return try Segment(
            clip, lasting: duration, markers: markers(around: range),
            blending: chance(0.2) ? try blending() : .none)
    }

    private mutating func blending() throws -> Blending {
        let keyframes = (0..<pick([0, 1, 3])).map { place in
            (at: RationalTime(Int64(place) * 7, over: 10), decibels: pick([-30.0, -6, 3.5]))
        }
        return Blending(
            dissolve: pick([.zero, seconds(1, 2)]), fadeOut: pick([.zero, seconds(1, 3)]),
            gain: try Gain(keyframes))
    }

    package mutating func markers(around range: TimeRange) throws -> [Marker] {
        let count = Int.random(in: 0...3, using: &generator)
        return try (0..<count).map { number in
            let at = time(below: chance(0.2) ? seconds(40) : range.end)
            return try Marker(
                "m\(number)", at: at, lasting: chance(0.5) ? .zero : time(below: seconds(2)),
                comment: chance(0.3) ? "look \"here\"" : nil, colour: chance(0.3) ? "BLUE" : nil)
        }
    }

    package mutating func retiming(of range: TimeRange) throws -> Retiming {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...2: return .uniform
        case 3: return .reversed
        case 4:
            return .frozen(at: try range.start + range.duration.multiplied(by: 1, over: 4))
        case 5: return .timeMap(try timeMap(of: range.duration))
        default: return .curve(try curve())
        }
    }

    package mutating func curve() throws -> Curve {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            return .keyframes([
                Keyframe(.share(0), speed: 1), Keyframe(.share(0.3), speed: 0, easing: .linear),
                Keyframe(.share(0.6), speed: -0.5), Keyframe(.share(1), speed: 2),
            ])
        case 1:
            return .scale(try Formula("1 + 0.5*sin(6*t)"))
        default:
            return .builtIn(
                pick([.triangle, .ramp, .doubleSmoothstep, .constant]),
                factor: .random(in: 0.3...3, using: &generator),
                modifier: .random(in: 0.2...1, using: &generator))
        }
    }

    /// A map that plays, freezes, plays backwards, and jumps.
    package mutating func timeMap(of duration: RationalTime) throws -> TimeMapDocument {
        var points: [TimeAnchor] = []
        var output = RationalTime.zero
        for number in 0..<Int.random(in: 2...5, using: &generator) {
            let part = Int64.random(in: 0...8, using: &generator)
            let source = try duration.multiplied(by: part, over: 8)
            points.append(TimeAnchor(source: source, output: output))
            if number > 0, chance(0.2) {
                points.append(TimeAnchor(source: .zero, output: output))
            }
            output =
                try output
                + RationalTime(
                    Int64.random(in: 1...40, using: &generator), over: 10)
        }
        return TimeMapDocument(points: points)
    }

    package mutating func track(_ name: String, count: Int = 6) throws -> Track {
        var track = Track(name: name, carries: pick(Track.Content.allCases))
        for _ in 0..<count {
            try track.append(segment())
        }
        return track
    }

    package mutating func composition() throws -> Composition {
        var composition = Composition(name: "film")
        if chance(0.5) {
            composition.format = Composition.Format(
                size: .init(known: 1280, height: 720),
                frameRate: pick([.init(known: 30_000, over: 1001), .init(known: 25)]),
                sampleRate: 48_000,
                channels: "stereo", crossfade: seconds(1, 100))
        }
        for number in 0..<Int.random(in: 1...3, using: &generator) {
            composition.tracks.append(try track("T\(number)"))
        }
        return composition
    }

    /// An instant on a grid that is fine enough for cuts to stay exact.
    package mutating func instant(in track: Track) -> RationalTime {
        let fine = RationalTime.fineTick
        return min(
            track.duration,
            RationalTime(
                Int64(Double.random(in: 0...track.duration.seconds, using: &generator) * 1e3)
                    * Int64(fine / 1000), over: fine))
    }

    package mutating func range(in track: Track) throws -> TimeRange {
        while true {
            let (a, b) = (instant(in: track), instant(in: track))
            if abs(a.seconds - b.seconds) > 0.002 {
                return try TimeRange(start: min(a, b), end: max(a, b))
            }
        }
    }
}
