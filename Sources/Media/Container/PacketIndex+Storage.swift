import CLibAV
import TimeMaps

extension PacketIndex {
    /// Restores an index; nil if the bytes aren't one.
    init?(from parser: inout ByteParser) {
        guard let shortcoming = parser.counted(Int64.self), let stamps = parser.counted(Int64.self),
            let packets = parser.counted(Int32.self), let times = FrameTimes(from: &parser),
            let firstPackets = parser.counted(Int64.self),
            let firstFrames = parser.counted(Int64.self),
            let beginnings = parser.counted(Int32.self), let changes = parser.counted(Int32.self),
            let broken = parser.counted(Int64.self),
            let groupStamps = parser.counted(Int64.self), let hidden = parser.counted(Int64.self),
            stamps.count == packets.count, times.count == stamps.count,
            firstPackets.count == firstFrames.count, beginnings.count == firstFrames.count,
            firstFrames.count == groupStamps.count,
            hidden.count % 4 == 0,
            firstFrames.allSatisfy({ (0...Int64(stamps.count)).contains($0) }),
            zip(firstFrames, firstFrames.dropFirst()).allSatisfy(<),
            packets.allSatisfy({ $0 >= 0 }),
            firstPackets.allSatisfy({ (0...(1 << 40)).contains($0) })
        else {
            return nil
        }
        changesHeader = !changes.isEmpty
        self.broken = broken.map(Int.init)
        self.shortcoming = Shortcoming(stored: shortcoming)
        (self.stamps, self.packets, self.times) = (stamps, packets, times)
        groups = firstPackets.indices.map { group in
            let end = group + 1 < firstFrames.count ? Int(firstFrames[group + 1]) : stamps.count
            let stamp = groupStamps[group]
            return Group(
                firstPacket: Int(firstPackets[group]), frames: Int(firstFrames[group])..<end,
                stamp: stamp == TW_NO_PTS ? nil : stamp,
                beginning: Beginning(rawValue: beginnings[group]) ?? .open)
        }
        self.hidden = stride(from: 0, to: hidden.count, by: 4).map { start in
            HiddenPacket(stored: hidden[start..<start + 4])
        }
    }

    /// Writes what ``init(from:)`` restores.
    func store(in writer: inout ByteWriter) {
        writer.add(counted: shortcoming?.stored ?? [])
        writer.add(counted: stamps)
        writer.add(counted: packets)
        times.store(in: &writer)
        writer.add(counted: groups.map { Int64($0.firstPacket) })
        writer.add(counted: groups.map { Int64($0.frames.lowerBound) })
        writer.add(counted: groups.map(\.beginning.rawValue))
        writer.add(counted: changesHeader ? [Int32(1)] : [])
        writer.add(counted: broken.map(Int64.init))
        writer.add(counted: groups.map { $0.stamp ?? TW_NO_PTS })
        writer.add(counted: hidden.flatMap(\.stored))
    }
}

extension PacketIndex.Shortcoming {
    /// Which reason it is, from 0, and what it states.
    fileprivate var stored: [Int64] {
        switch self {
        case .unstated(let packet, let after): [0, Int64(packet)] + after.stored
        case .repeated(let time): [1, 0] + Optional(time).stored
        case .unusable: [2, 0] + RationalTime?.none.stored
        case .severalEdits: [3, 0] + RationalTime?.none.stored
        }
    }

    fileprivate init?(stored: [Int64]) {
        guard stored.count == 4 else {
            return nil
        }
        let time = RationalTime?(stored: stored[2...])
        switch stored[0] {
        case 0: self = .unstated(packet: Int(stored[1]), after: time)
        case 1: self = .repeated(time ?? .zero)
        case 3: self = .severalEdits
        default: self = .unusable
        }
    }
}

extension PacketIndex.HiddenPacket {
    /// The packet, the time, and whether it is discarded.
    fileprivate var stored: [Int64] {
        [Int64(packet)] + time.stored + [isDiscarded ? 1 : 0]
    }

    fileprivate init(stored: ArraySlice<Int64>) {
        let numbers = Array(stored)
        packet = Int(numbers[0])
        time = RationalTime?(stored: numbers[1...2])
        isDiscarded = numbers[3] == 1
    }
}

extension RationalTime? {
    /// The time's value and timescale; the timescale is 0 if there is no time.
    fileprivate var stored: [Int64] {
        map { [$0.value, Int64($0.timescale)] } ?? [0, 0]
    }

    fileprivate init(stored: ArraySlice<Int64>) {
        self = Int32(exactly: stored[stored.startIndex + 1]).flatMap {
            $0 > 0 ? RationalTime(stored[stored.startIndex], over: $0) : nil
        }
    }
}
