import Media

/// A stretch of the output that shows consecutive frames of the source once each, for a frame's time, so that their packets
/// can be kept as they are.
package struct KeptStretch: Sendable, Hashable {
    /// The frames' numbers in the source.
    package let frames: Range<Int>
    /// The numbers of their packets. Decoding starts at the first one and needs no other. Of an open group there are those
    /// of frames, too, that are shown before its first one and aren't kept.
    package let packets: Range<Int>
    /// The numbers of their presentations, of those that were asked about.
    package let presentations: Range<Int>
}

/// Finds the stretches of an output whose packets can be kept.
///
/// ```
/// packets     I0 P3 b1 b2 P6 b4 b5 │ I7 P10 b8 b9 P13 b11 b12 │ I14 …
/// shown       . . 2 3 4 5 6   7 8 9 10 11 12   (each once)
/// kept                        └──────────┘     from a keyframe at which decoding can start, up to where the
/// encoded         └───────┘               ──   packets so far show nothing but what is wanted
/// ```
/// The decision follows from when frames are shown and from how packets are grouped, and from nothing else.
package struct KeptStretches {
    private let index: PacketIndex
    /// How many frames a stretch has at least: with fewer, a change of encoders isn't worth it.
    private let shortest: Int
    private let broken: Set<Int>
    /// The frames that are shown one after another.
    private var shown = 0..<0
    /// How many presentations were asked about.
    private var count = 0
    package private(set) var found: [KeptStretch] = []

    package init(_ index: PacketIndex, shortest: Int) {
        (self.index, self.shortest) = (index, max(1, shortest))
        broken = Set(index.broken)
    }

    /// Takes the next presentation, in output order.
    ///
    /// - Parameter isUnchanged: whether the output shows the frame once, as it is, for a frame's time.
    package mutating func take(_ presentation: Presentation, isUnchanged: Bool) {
        let frame = presentation.frame
        let isUnchanged = isUnchanged && !broken.contains(index.packet(ofFrame: frame))
        if !isUnchanged || frame != shown.upperBound {
            finish()
        }
        count += 1
        if isUnchanged {
            shown = (shown.isEmpty ? frame : shown.lowerBound)..<frame + 1
        }
    }

    /// Ends what is shown one after another: after the last presentation, or where something else is shown.
    package mutating func finish() {
        defer { shown = 0..<0 }
        guard shown.count >= shortest, index.isComplete else {
            return
        }
        let stored = shown.map { (packet: index.packet(ofFrame: $0), frame: $0) }
            .sorted { $0.packet < $1.packet }
        var free = shown.lowerBound
        for group in index.groups[index.group(ofFrame: free)...] {
            let begin = group.frames.lowerBound
            guard begin < shown.upperBound else {
                return
            }
            guard group.beginning != .open, begin >= free,
                let end = lastEnd(of: stored, from: group)
            else {
                continue
            }
            free = end.frame
            guard end.frame - begin >= shortest else {
                continue
            }
            let first = count - shown.upperBound + begin
            found.append(
                KeptStretch(
                    frames: begin..<end.frame, packets: group.firstPacket..<end.packet,
                    presentations: first..<first + end.frame - begin))
        }
    }

    /// The last place at which the packets from a group on are those of the frames from its first on, with none
    /// missing.
    ///
    /// - Parameter stored: the numbers of packets and of their frames, in the order of the packets.
    private func lastEnd(
        of stored: [(packet: Int, frame: Int)], from group: PacketIndex.Group
    ) -> (packet: Int, frame: Int)? {
        let first = stored.indices.partitionPoint { stored[$0].packet >= group.firstPacket }
        var last: (packet: Int, frame: Int)?
        let leading = leadingPackets(of: group)
        var (highest, count, next) = (group.frames.lowerBound - 1, 0, group.firstPacket)
        for (packet, frame) in stored[first...] where frame >= group.frames.lowerBound {
            while leading.contains(next) {
                next += 1
            }
            guard packet == next else {
                break
            }
            next += 1
            count += 1
            highest = max(highest, frame)
            if highest == group.frames.lowerBound + count - 1 {
                last = (packet + 1, highest + 1)
            }
        }
        return last
    }

    /// The numbers of the packets of a group whose frames are shown before its first one.
    private func leadingPackets(of group: PacketIndex.Group) -> Set<Int> {
        guard group.beginning == .splice else {
            return []
        }
        let before = (0..<group.frames.lowerBound).reversed().lazy.map(index.packet(ofFrame:))
        return Set(before.prefix { $0 > group.firstPacket })
    }
}
