import Media
import TimeMaps

/// New times for compressed frames, which are restamped without being decoded.
///
/// ```
/// stored    I0  P3  b1  b2  P6  b4  b5       decoding order, which stays the same
/// PTS        0   9   2   5  15  11  13       when the map presents them, in ticks
/// DTS       -2   0   2   5   9  11  13       the sorted PTS, shifted by the reordering delay, so that
///                                            they increase and are never later than the PTS
/// ```
/// Times are in ticks of `1 / ticksPerSecond` seconds. A timetable takes 32 bytes per packet.
struct PacketTimetable: Sendable {
    /// A packet that is passed on.
    struct Entry: Sendable, Equatable {
        /// Its index among all packets of the source.
        let packet: Int
        let shown: Int64
        var decoded: Int64
        var duration: Int64
    }
    let ticksPerSecond: Int32
    /// In decoding order.
    let entries: [Entry]
    /// How many frames of the source the map shows.
    let frameCount: Int
    /// How many frames before the output's start are passed on because others refer to them.
    let leadIn: Int
    /// How many frames after the output's end are passed on for the same reason.
    let overhang: Int

    /// Why there can't be a timetable.
    enum Refusal: Error, Equatable {
        /// Frames can't be told apart by their packets' times.
        case unclear(PacketIndex.Shortcoming)
        /// Two frames would fall on one tick; the value is the second one's time in the asset, in seconds.
        case collision(atSeconds: Double)
    }

    /// - Parameters:
    ///   - map: must be rising.
    ///   - range: the part of the asset that the map's source time counts from.
    /// - Throws: ``Refusal``.
    init(
        _ index: PacketIndex, map: TimeMap, range: TimeRange, ticksPerSecond: Int32
    ) throws {
        if let shortcoming = index.shortcoming {
            throw Refusal.unclear(shortcoming)
        }
        if let hidden = index.hidden.first(where: { $0.time == nil }) {
            throw Refusal.unclear(.unstated(packet: hidden.packet, after: nil))
        }
        self.ticksPerSecond = ticksPerSecond
        let ticks = FrameTicks(map: map, range: range, ticksPerSecond: ticksPerSecond)
        let shown = Presentations(index.times, map: map, range: range).frames(
            from: map.pieces.first?.sourceStart ?? 0, to: map.latestSourceTime)
        let needed = NeededPackets(for: shown, index)
        let arrivals = needed.list.map { ticks.tick(of: $0.time, first: needed.firstShown) }
        let order = arrivals.indices.sorted { (arrivals[$0], $0) < (arrivals[$1], $1) }
        for (before, after) in zip(order, order.dropFirst())
        where arrivals[before] == arrivals[after]
            && needed.list[before].isFrame && needed.list[after].isFrame
        {
            throw Refusal.collision(atSeconds: needed.list[after].time.seconds)
        }
        frameCount = shown.count
        leadIn = needed.leadIn
        overhang = needed.overhang
        let end = overhang > 0 ? needed.end : min(needed.end, range.end)
        entries = Self.entries(
            needed.list.map(\.packet), arrivals, order, end: ticks.tick(of: end, first: .zero))
    }

    private init(_ table: PacketTimetable, entries: [Entry]) {
        ticksPerSecond = table.ticksPerSecond
        self.entries = entries
        frameCount = table.frameCount
        leadIn = table.leadIn
        overhang = table.overhang
    }

    /// Joins timetables into those of one stream, in which the DTS increase throughout.
    ///
    /// - Parameters:
    ///   - tables: each with the tick at which it starts; all must have the same time base.
    ///   - end: the tick at which the last one ends.
    static func joined(
        _ tables: [(table: PacketTimetable, start: Int64)], end: Int64
    ) -> [PacketTimetable] {
        let arrivals = tables.flatMap { table, start in table.entries.map { start + $0.shown } }
        let order = arrivals.indices.sorted { (arrivals[$0], $0) < (arrivals[$1], $1) }
        let entries = entries(
            tables.flatMap { $0.table.entries.map(\.packet) }, arrivals, order, end: end)
        var place = 0
        return tables.map { table, _ in
            defer { place += table.entries.count }
            return PacketTimetable(
                table, entries: Array(entries[place..<place + table.entries.count]))
        }
    }

    private static func entries(
        _ packets: [Int], _ arrivals: [Int64], _ order: [Int], end: Int64
    ) -> [Entry] {
        let shown = order.map { arrivals[$0] }
        let times = DTSFromPTS(shown, delay: DTSFromPTS.delay(ofOrder: order))
        var entries = arrivals.indices.map { place in
            Entry(
                packet: packets[place], shown: arrivals[place],
                decoded: times.time(of: place), duration: 1)
        }
        for (before, after) in zip(order, order.dropFirst()) {
            entries[before].duration = arrivals[after] - arrivals[before]
        }
        guard let lastShown = order.last, let last = entries.indices.last else {
            return []
        }
        let end = max(end, arrivals[lastShown] + 1)
        entries[lastShown].duration = end - arrivals[lastShown]
        // MP4 computes a track's duration from the DTS, which reordering makes earlier by whole frames. Giving
        // the last packet a DTS equal to its PTS, and a duration up to the end, makes the duration right.
        entries[last].decoded = entries[last].shown
        entries[last].duration = end - entries[last].shown
        return entries
    }
}

/// When the map presents frames, in ticks. Before the map's start and after its end, normal speed is assumed.
private struct FrameTicks {
    let map: TimeMap
    let range: TimeRange
    let ticksPerSecond: Int32

    /// Two instants closer than this count as one.
    private static let toleranceSeconds = Tolerance.stated

    /// - Parameter first: the source time of the first frame that is shown.
    func tick(of time: RationalTime, first: RationalTime) -> Int64 {
        guard time >= first else {
            return tick(of: first, first: first) - max(1, ticks(in: time, to: first))
        }
        let source = max(.zero, time.relative(to: range.start))
        let over = source.seconds - map.latestSourceTime
        if over >= -Self.toleranceSeconds {
            let end = (map.outputDuration * Double(ticksPerSecond)).rounded()
            return Self.bounded(end + (over * Double(ticksPerSecond)).rounded())
        }
        let tick = try? map.outputTime(of: source, timescale: ticksPerSecond, rounding: .nearest)
        return tick?.value ?? 0
    }

    private func ticks(in start: RationalTime, to end: RationalTime) -> Int64 {
        Self.bounded((end.relative(to: start).seconds * Double(ticksPerSecond)).rounded())
    }

    /// Limited to a range in which adding times can't overflow 64 bits.
    private static func bounded(_ ticks: Double) -> Int64 {
        min(max(Int64(nearest: ticks), -(1 << 60)), 1 << 60)
    }
}

/// The packets needed to show a range of frames, in the order in which they are stored.
private struct NeededPackets {
    struct Item {
        let packet: Int
        let time: RationalTime
        let isFrame: Bool
    }
    private(set) var list: [Item] = []
    private(set) var leadIn = 0
    private(set) var overhang = 0
    /// The start of the first frame shown, and the end of the last frame needed.
    private(set) var firstShown = RationalTime.zero
    private(set) var end = RationalTime.zero

    init(for shown: Range<Int>, _ index: PacketIndex) {
        guard let first = shown.first else {
            return
        }
        firstShown = index.times.start(of: first)
        let group = index.groups[index.group(ofFrame: first)]
        let last = shown.reduce(0) { max($0, index.packet(ofFrame: $1)) }
        let stored = group.firstPacket...max(last, group.firstPacket)
        // Frames presented before the GOP's own frames belong to the previous GOP, and no frame of this GOP
        // refers to them.
        for frame in group.frames.lowerBound..<index.times.count {
            let packet = index.packet(ofFrame: frame)
            guard stored.contains(packet) else {
                continue
            }
            leadIn += frame < first ? 1 : 0
            overhang += frame >= shown.upperBound ? 1 : 0
            end = index.times.end(of: frame)
            list.append(
                Item(packet: packet, time: index.times.start(of: frame), isFrame: true))
        }
        for hidden in index.hidden where stored.contains(hidden.packet) {
            guard let time = hidden.time else {
                continue
            }
            leadIn += hidden.isDiscarded && time < firstShown ? 1 : 0
            overhang += hidden.isDiscarded && time >= firstShown ? 1 : 0
            list.append(Item(packet: hidden.packet, time: time, isFrame: hidden.isDiscarded))
        }
        list.sort { $0.packet < $1.packet }
    }
}
