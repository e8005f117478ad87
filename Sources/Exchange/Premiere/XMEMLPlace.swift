import TimeMaps
import TimeWarp

/// Where a clip is on its track, in frames.
struct XMEMLPlace {
    let start: Int64
    let end: Int64
    /// `in`, in frames of the retimed clip.
    let first: Double

    /// How many frames a timeline may have.
    static let most = 1e11

    /// Nil if the clip isn't on the track.
    init?(of item: XMLItem, at index: Int, in siblings: [XMLItem]) {
        func number(_ item: XMLItem, _ name: String) -> Double? {
            item.text(of: name).flatMap { Double(reading: $0) }.flatMap {
                abs($0) < Self.most ? $0 : nil
            }
        }
        /// The transition beside the clip.
        func transition(_ step: Int) -> XMLItem? {
            let place = index + step
            guard siblings.indices.contains(place), siblings[place].name == "transitionitem" else {
                return nil
            }
            return siblings[place]
        }
        first = number(item, "in").flatMap { $0 < 0 ? nil : $0 } ?? 0
        let length = (number(item, "out") ?? -1) - first
        var start = number(item, "start") ?? -1
        var end = number(item, "end") ?? -1
        if start < 0 {
            start = transition(-1).flatMap { number($0, "start") } ?? -1
        }
        if end < 0 {
            end = transition(1).flatMap { number($0, "end") } ?? -1
        }
        if start < 0, end >= 0, length > 0 {
            start = max(0, end - length)
        }
        if end < 0, start >= 0, length > 0 {
            end = start + length
        }
        guard start >= 0, end > start else {
            return nil
        }
        self.start = Int64(start.rounded())
        self.end = Int64(end.rounded())
        guard self.start < self.end else {
            return nil
        }
    }

    /// The asset time at the start of a clip at normal speed: Premiere writes it in fine ticks as well.
    func exactFirst(of item: XMLItem, _ grid: FrameGrid) throws -> RationalTime {
        let frames = try grid.time(first)
        guard let ticks = item.text(of: "pproTicksIn").flatMap({ Int64($0) }), ticks >= 0,
            let exact = try? RationalTime(
                exactly: Int128(ticks), over: Int128(XMEMLTicks.perSecond)),
            abs(exact.seconds - frames.seconds) <= grid.rate.frameDuration.seconds
        else {
            return frames
        }
        return exact
    }
}

/// Premiere's fine ticks, of which every usual frame and sample has a whole number.
enum XMEMLTicks {
    static let perSecond: Int64 = 254_016_000_000
}

/// Tells which clips of audio tracks are further channels of one that was read already: each channel of a file has a track of
/// its own.
struct XMEMLChannels {
    private struct Key: Hashable {
        let file: String
        let start: Int64
        let first: String
    }

    private var known: Set<Key> = []

    mutating func isNew(_ item: XMLItem, at start: Int64) -> Bool {
        guard item.at("sourcetrack", "mediatype")?.text == "audio" else {
            return true
        }
        let key = Key(
            file: item.first("file")?["id"] ?? item.first("sequence")?["id"] ?? "", start: start,
            first: item.text(of: "in") ?? "")
        guard !key.file.isEmpty,
            let index = item.at("sourcetrack", "trackindex").flatMap({ Int($0.text) })
        else {
            return true
        }
        return known.insert(key).inserted || index < 2
    }
}
