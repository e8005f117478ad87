import Documents
import TimeMaps

extension StoryLinter {
    /// Finds events that lie outside of their segment, are out of order, or have no effect.
    func eventFindings(_ place: SegmentPlace) -> [StoryFinding] {
        let path = place.path.key("events")
        let times = EventTimes(place.segment, place.clip)
        var findings: [StoryFinding] = []
        var latest = -Double.infinity
        for (index, event) in place.segment.events.enumerated() {
            let path = path.index(index)
            if let (from, to) = times.limits, event.at < from || to.map({ event.at > $0 }) ?? false
            {
                findings.append(
                    StoryFinding(
                        .eventOutside(from: from.seconds, to: to?.seconds), at: path.key("at")))
            } else if times.isLeftOut(event) {
                findings.append(StoryFinding(.eventNeverReached, at: path.key("at")))
            }
            if let time = times.played[index] {
                if time < latest {
                    findings.append(StoryFinding(.eventOutOfOrder, at: path.key("at")))
                }
                latest = max(latest, time)
            }
            findings += cueFindings(event.cue, place.segment, at: path)
        }
        if let (decision, lost) = times.lost {
            findings.append(
                StoryFinding(.partNeverSeen(lost), at: path.index(decision).key("do")))
        }
        return findings
    }

    private func cueFindings(
        _ cue: StoryCue, _ segment: Story.Segment, at path: DocumentPath
    ) -> [StoryFinding] {
        if case .named = cue {
            return []
        }
        guard !segment.choices.isEmpty else {
            return [StoryFinding(.eventWithoutChoices(cue), at: path.key("do"))]
        }
        guard cue == .decide, !segment.loops, segment.defaultTarget == nil else {
            return []
        }
        return [StoryFinding(.decisionWithoutDefault, at: path.key("do"))]
    }
}

/// The times of a segment's events, as far as they are known.
struct EventTimes {
    /// The segment's range in media time; the end is nil if it isn't known.
    let limits: (from: RationalTime, to: RationalTime?)?
    /// The time of each event in the segment as it is played, in seconds. If it can't be computed, the source
    /// time, which has the same order, or nil if the order isn't known either.
    let played: [Double?]
    private let segment: Story.Segment
    private let map: TimeMap?

    init(_ segment: Story.Segment, _ clip: ClipFacts) {
        self.segment = segment
        map = clip.timing.map
        let start = segment.rangeStart
        limits = (start, clip.timing.duration.flatMap { try? start + $0 })
        played = segment.events.map { event in
            if let map = clip.timing.map {
                return segment.time(of: event, through: map, lasting: .infinity)
            }
            return Self.keepsOrder(segment.retiming) ? event.at.seconds : nil
        }
    }

    /// Whether the time map skips the event's time.
    func isLeftOut(_ event: Story.Event) -> Bool {
        guard let map else {
            return false
        }
        return map.outputTimes(of: event.at.seconds - segment.rangeStart.seconds).isEmpty
    }

    /// The number of the event at which the segment is left before its end, and how many seconds follow it; nil if that is
    /// less than a frame.
    var lost: (decision: Int, seconds: Double)? {
        guard let map else {
            return nil
        }
        let end = segment.end(through: map)
        let lost = map.outputDuration - end
        let decision = segment.events.indices.first {
            segment.events[$0].cue == .decide && played[$0] == end
        }
        return lost > Self.frame ? decision.map { ($0, lost) } : nil
    }

    /// About a frame, in seconds.
    private static let frame = 0.05

    private static func keepsOrder(_ retiming: Story.Retiming) -> Bool {
        switch retiming {
        case .none: true
        case .warp(let curve): !curve.isOverOutput
        case .timeMap, .timeMapFile: false
        }
    }
}

/// Whether a segment's choices can be seen and taken.
enum ChoiceWindow {
    /// Simulates the segment's events without a viewer. If their times aren't known, it assumes the order in
    /// which the choices can be taken.
    static func isOpen(in segment: Story.Segment, _ clip: ClipFacts) -> Bool {
        guard !segment.choices.isEmpty else {
            return false
        }
        // Without a default, the segment waits at its end and shows the choices.
        guard segment.loops || segment.defaultTarget != nil else {
            return true
        }
        let times = EventTimes(segment, clip).played
        let cues = segment.events.map(\.cue)
        guard times.allSatisfy({ $0 != nil }) else {
            return cues.contains(.showControls)
        }
        let order = cues.indices.sorted { (times[$0] ?? 0, $0) < (times[$1] ?? 0, $1) }
        let end = clip.timing.map?.outputDuration ?? .infinity
        var shownAt: Double?
        for index in order {
            let time = times[index] ?? 0
            if let shownAt, time > shownAt {
                return true
            }
            switch cues[index] {
            case .showControls: shownAt = shownAt ?? time
            case .hideControls: shownAt = nil
            case .decide: return false
            case .named: break
            }
        }
        return shownAt.map { $0 < end } ?? false
    }
}
