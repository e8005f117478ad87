import CLibAV
import TimeMaps

/// Tells in which part each packet is, in the order of the file.
private struct PartTracker {
    private struct Stream {
        var part: Int
        /// The decoding time of its last packet in that part, in seconds.
        var last: Double?
        /// That of the last packet before a jump forward, and how many packets came since, for the next few packets.
        var beforeLeap: (seconds: Double, packets: Int)?
    }

    /// The first byte of each part. Those that aren't known yet are appended as they are found.
    private(set) var positions: [Int64]
    private let start: Int
    private var streams: [Int: Stream] = [:]

    /// Smaller steps back, in seconds, are a writer's carelessness.
    private static let shortestStep = 0.5
    /// What goes back to before a longer jump forward isn't another part: times in between were wrong.
    private static let shortestLeap = 10.0
    private static let packetsOfLeap = 10

    /// - Parameter start: the part from which packets are read.
    init(positions: [Int64] = [0], startingIn start: Int = 0) {
        (self.positions, self.start) = (positions, start)
    }

    /// - Parameter seconds: when the packet is decoded; nil if it doesn't say.
    mutating func part(of packet: AVPacket, _ seconds: Double?) -> Int {
        var stream = streams[Int(packet.stream_index)] ?? Stream(part: start)
        let byPlace = positions.indices.partitionPoint { positions[$0] > packet.pos } - 1
        if byPlace > stream.part {
            stream = Stream(part: byPlace)
        }
        if let seconds {
            if let last = stream.last, seconds < last - Self.shortestStep {
                if let before = stream.beforeLeap, seconds > before.seconds - Self.shortestStep {
                    stream.beforeLeap = nil
                } else {
                    stream = Stream(part: stream.part + 1)
                }
            } else if let last = stream.last, seconds > last + Self.shortestLeap {
                stream.beforeLeap = (last, 0)
            } else if let before = stream.beforeLeap {
                let isRecent = before.packets < Self.packetsOfLeap
                stream.beforeLeap = isRecent ? (before.seconds, before.packets + 1) : nil
            }
            stream.last = seconds
        }
        if stream.part == positions.count {
            positions.append(max(packet.pos, positions[positions.count - 1]))
        }
        streams[Int(packet.stream_index)] = stream
        return stream.part
    }
}

/// Moves the times of packets to when they are played.
struct RestartedTimes {
    private let restarts: TimeRestarts
    private var tracker: PartTracker

    /// - Parameter position: the byte from which packets are read.
    init(_ restarts: TimeRestarts, from position: Int64 = 0) {
        self.restarts = restarts
        tracker = PartTracker(
            positions: restarts.parts.map(\.position), startingIn: restarts.part(at: position))
    }

    mutating func move(_ packet: Packet, in timeBase: AVRational) {
        let raw = packet.pointer
        let part = tracker.part(of: raw.pointee, packet.decodingSeconds(in: timeBase))
        let delay = restarts.parts[min(part, restarts.parts.count - 1)].delay
        let ticks = Int64(nearest: delay.seconds / av_q2d(timeBase))
        raw.pointee.pts = Packet.time(raw.pointee.pts, laterBy: ticks)
        raw.pointee.dts = Packet.time(raw.pointee.dts, laterBy: ticks)
    }
}

/// Finds where the times of a file start again, from all of its packets.
struct RestartFinder {
    private struct Extent {
        var start, end: RationalTime
    }
    private struct Key: Hashable {
        let part, stream: Int
    }
    private var tracker = PartTracker()
    private var extents: [Key: Extent] = [:]
    private var pictures: Set<Int> = []

    /// A file that has more has damaged times.
    private static let mostParts = 10_000
    /// If another stream lasts longer than the video by more seconds, the next part waits for its end.
    private static let longestOverlap = 0.2
    /// The time after which times of 33 bits start again by themselves.
    private static let wrap = RationalTime(1 << 33, over: 90_000)

    mutating func note(_ packet: Packet, of stream: UnsafeMutablePointer<AVStream>) {
        let (raw, base) = (packet.pointer.pointee, stream.pointee.time_base)
        let part = tracker.part(of: raw, packet.decodingSeconds(in: base))
        guard let start = RationalTime(raw.pts, in: base),
            let lasts = RationalTime(max(0, raw.duration), in: base), let end = try? start + lasts
        else {
            return
        }
        let key = Key(part: part, stream: Int(raw.stream_index))
        let known = extents[key] ?? Extent(start: start, end: end)
        extents[key] = Extent(start: min(known.start, start), end: max(known.end, end))
        if stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO {
            pictures.insert(key.stream)
        }
    }

    /// Nil if the times never start again.
    var restarts: TimeRestarts? {
        guard (2...Self.mostParts).contains(tracker.positions.count) else {
            return nil
        }
        var parts = [TimeRestarts.Part(position: 0, delay: .zero, start: .zero)]
        let streams = Set(extents.keys.map(\.stream))
        for (part, position) in tracker.positions.enumerated().dropFirst() {
            let before = parts[part - 1].delay
            let steps = streams.compactMap { self.step(of: $0, to: part) }
            var (step, end) =
                steps.max { $0.step < $1.step } ?? (RationalTime.zero, RationalTime.zero)
            // Pictures follow each other as if nothing were between them, and sound is cut at most a little.
            let picture = streams.intersection(pictures).compactMap { self.step(of: $0, to: part) }
                .max { $0.step < $1.step }
            if let picture, step.seconds - picture.step.seconds < Self.longestOverlap {
                (step, end) = picture
            }
            if abs(step.seconds - Self.wrap.seconds) < 10 {
                step = Self.wrap
            }
            parts.append(
                TimeRestarts.Part(
                    position: position, delay: (try? before + step) ?? before,
                    start: (try? end + before) ?? before))
        }
        return TimeRestarts(parts: parts)
    }

    /// How much later a stream would have to be played so that a part of it follows the one before, and where that ends.
    private func step(of stream: Int, to part: Int) -> (step: RationalTime, end: RationalTime)? {
        guard let one = extents[Key(part: part - 1, stream: stream)],
            let next = extents[Key(part: part, stream: stream)]
        else {
            return nil
        }
        return (one.end.relative(to: next.start), one.end)
    }
}

extension Packet {
    /// When it is decoded, in seconds, or else shown; nil if it says neither.
    func decodingSeconds(in timeBase: AVRational) -> Double? {
        let raw = pointer.pointee
        return RationalTime(raw.dts != TW_NO_PTS ? raw.dts : raw.pts, in: timeBase)?.seconds
    }
}
