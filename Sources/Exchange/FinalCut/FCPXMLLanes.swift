import Media
import TimeMaps
import TimeWarp

/// Where local time is on a track.
struct FCPXMLAxis {
    /// An instant in local time, and the same in track time.
    let (local, track): (RationalTime, RationalTime)

    init(local: RationalTime, track: RationalTime) {
        (self.local, self.track) = (local, track)
    }

    func track(of time: RationalTime) throws -> RationalTime {
        try track.sum(time.difference(local))
    }
}

/// The tracks of a sequence while it is read, by their lanes: 0 is the spine, and clips that are connected to it are on lanes
/// above and below.
struct FCPXMLLanes {
    /// The elements that are placed by offset, start and duration.
    static let clips: Set = [
        "clip", "asset-clip", "video", "audio", "gap", "ref-clip", "sync-clip", "mc-clip", "title",
        "audition", "live-drawing",
    ]

    private struct Key: Hashable, Comparable {
        let lane: Int
        let sublane: Int
        let carries: Track.Content

        static func < (a: Key, b: Key) -> Bool {
            (a.lane, a.sublane, a.carries.rawValue) < (b.lane, b.sublane, b.carries.rawValue)
        }
    }

    /// The frame rate of the sequence.
    let rate: FrameRate?
    private var found: [Key: ExchangeTrack] = [:]
    private var transitions: [Int: [TimeRange]] = [:]

    init(rate: FrameRate?) {
        self.rate = rate
    }

    mutating func add(
        _ placed: ExchangeTrack.Placed, _ carries: Track.Content, on lane: Int, sublane: Int = 0
    ) {
        let key = Key(lane: lane, sublane: sublane, carries: carries)
        found[key, default: ExchangeTrack(carries: carries)].clips.append(placed)
    }

    mutating func addTransition(_ range: TimeRange, on lane: Int) {
        transitions[lane, default: []].append(range)
    }

    /// From the lowest lane to the topmost.
    var tracks: [ExchangeTrack] {
        found.sorted { $0.key < $1.key }.map { key, track in
            var track = track
            track.transitions = key.sublane == 0 ? transitions[key.lane] ?? [] : []
            return track
        }
    }
}
