import Media
import TimeMaps

/// New times for compressed pictures that nobody decodes.
///
/// ```
/// stored    I0  P3  b1  b2  P6  b4  b5       the order of decoding, which stays
/// shown      0   9   2   5  15  11  13       when the map shows them, on ticks
/// decoded   -2   0   2   5   9  11  13       the shown times in order, later by as many pictures as
///                                            the orders differ: rising, and never after the shown one
/// ```
/// Times are in ticks of `1 / ticksPerSecond` seconds. Takes 32 bytes a packet.
struct PacketTimetable: Sendable {
    /// A packet that goes along.
    struct Entry: Sendable, Equatable {
        /// Its place among all packets of the source.
        let packet: Int
        let shown: Int64
        var decoded: Int64
        var duration: Int64
    }
    let ticksPerSecond: Int32
    /// In the order of decoding.
    let entries: [Entry]
    /// Pictures of the source that the map shows.
    let pictureCount: Int
    /// Pictures that come before the output's start because others refer to them.
    let leadIn: Int
    /// Pictures that come after its end for the same reason.
    let overhang: Int

    /// Why there is no timetable.
    enum Refusal: Error, Equatable {
        /// A packet states no time of its own.
        case unstated
        /// Two pictures would be shown at one instant; asset seconds of the second.
        case collision(atSeconds: Double)
    }

    /// - Parameters:
    ///   - map: rising.
    ///   - range: the part of the asset that the map's source time counts from.
    /// - Throws: ``Refusal``.
    init(
        _ index: PacketIndex, map: TimeMap, range: TimeRange, ticksPerSecond: Int32
    ) throws {
        guard index.isComplete, index.hidden.allSatisfy({ $0.time != nil }) else {
            throw Refusal.unstated
        }
        self.ticksPerSecond = ticksPerSecond
        let ticks = FrameTicks(map: map, range: range, ticksPerSecond: ticksPerSecond)
        let shown = Presentations(index.times, map: map, range: range).pictures(
            from: map.pieces.first?.sourceStart ?? 0, to: map.latestSourceTime)
        let needed = NeededPackets(for: shown, index)
        let arrivals = needed.list.map { ticks.tick(of: $0.time, first: needed.firstShown) }
        let order = arrivals.indices.sorted { (arrivals[$0], $0) < (arrivals[$1], $1) }
        for (before, after) in zip(order, order.dropFirst())
        where arrivals[before] == arrivals[after]
            && needed.list[before].isPicture && needed.list[after].isPicture
        {
            throw Refusal.collision(atSeconds: needed.list[after].time.seconds)
        }
        pictureCount = shown.count
        leadIn = needed.leadIn
        overhang = needed.overhang
        let end = overhang > 0 ? needed.end : min(needed.end, range.end)
        entries = Self.entries(
            needed.list.map(\.packet), arrivals, order, end: ticks.tick(of: end, first: .zero))
    }

    private init(_ table: PacketTimetable, entries: [Entry]) {
        ticksPerSecond = table.ticksPerSecond
        self.entries = entries
        pictureCount = table.pictureCount
        leadIn = table.leadIn
        overhang = table.overhang
    }

    /// Timetables one after another as one stream has them: decoding times rise throughout.
    ///
    /// - Parameters:
    ///   - tables: with the tick at which each begins; all of one time base.
    ///   - end: when the last one ends, in ticks.
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
        let clock = DecodingClock(shown, delay: DecodingClock.delay(ofOrder: order))
        var entries = arrivals.indices.map { place in
            Entry(
                packet: packets[place], shown: arrivals[place],
                decoded: clock.time(of: place), duration: 1)
        }
        for (before, after) in zip(order, order.dropFirst()) {
            entries[before].duration = arrivals[after] - arrivals[before]
        }
        guard let lastShown = order.last, let last = entries.indices.last else {
            return []
        }
        let end = max(end, arrivals[lastShown] + 1)
        entries[lastShown].duration = end - arrivals[lastShown]
        // MP4 counts a track's length in decoding times, which reordering sets back by whole frames:
        // decoded last and lasting to the end, this packet makes it come out right.
        entries[last].decoded = entries[last].shown
        entries[last].duration = end - entries[last].shown
        return entries
    }
}

/// When the map shows pictures, in ticks; before its start and after its end at normal speed.
private struct FrameTicks {
    let map: TimeMap
    let range: TimeRange
    let ticksPerSecond: Int32

    /// Instants closer than this are one.
    private static let toleranceSeconds = Tolerance.stated

    /// - Parameter first: when the first picture shown begins in the source.
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

    /// Far enough from the ends of 64 bits that times can be added up.
    private static func bounded(_ ticks: Double) -> Int64 {
        min(max(Int64(nearest: ticks), -(1 << 60)), 1 << 60)
    }
}

/// The packets that it takes to show a range of pictures, in the order they are stored.
private struct NeededPackets {
    struct Item {
        let packet: Int
        let time: RationalTime
        let isPicture: Bool
    }
    private(set) var list: [Item] = []
    private(set) var leadIn = 0
    private(set) var overhang = 0
    /// When the first picture shown begins, and when the last one needed ends.
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
        // What is shown before the group's own pictures belongs to the group before, and none of these
        // refers to it.
        for picture in group.pictures.lowerBound..<index.times.count {
            let packet = index.packet(ofFrame: picture)
            guard stored.contains(packet) else {
                continue
            }
            leadIn += picture < first ? 1 : 0
            overhang += picture >= shown.upperBound ? 1 : 0
            end = index.times.end(of: picture)
            list.append(
                Item(packet: packet, time: index.times.start(of: picture), isPicture: true))
        }
        for hidden in index.hidden where stored.contains(hidden.packet) {
            guard let time = hidden.time else {
                continue
            }
            leadIn += hidden.isCutAway && time < firstShown ? 1 : 0
            overhang += hidden.isCutAway && time >= firstShown ? 1 : 0
            list.append(Item(packet: hidden.packet, time: time, isPicture: hidden.isCutAway))
        }
        list.sort { $0.packet < $1.packet }
    }
}
