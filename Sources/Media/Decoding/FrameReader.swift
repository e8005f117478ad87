import CLibAV
import DequeModule
import TimeMaps

/// Decodes any frames of one stream, in runs, each from the nearest place at which decoding can begin.
///
/// A run is a increasing list of frame numbers. Between its frames, only frames that they refer to are decoded. If the
/// next wanted frame is some GOPs away, the GOPs in between aren't decoded at all. Used on one thread.
package final class FrameReader {
    /// The presentation times of the frames, and the places where decoding can begin.
    package let index: PacketIndex
    /// How many frames the decoder has output so far, wanted or not.
    package private(set) var framesDecoded: Int64 = 0

    private let asset: Asset
    private let stream: Asset.Stream
    private let threads: Int
    private let hardware: HardwareDecoding
    private let scaler: FrameScaler?
    private let checkCancelled: () throws -> Void
    private var decoder: StreamDecoder
    private var wanted: WantedFrames
    /// The group (GOP) that decoding began at.
    private var firstGroup = 0
    /// The frame that decoding began for.
    private var firstFrame: Int?
    /// By how many groups before that frame's own group decoding began.
    private var groupsEarlier = 0
    /// Whether the frame that decoding began for, or a later one, has been output.
    private var hasBegun = false
    /// The first frame that was output since, from the keyframe on, wanted or not.
    private var firstDecoded: Int?
    /// Whether decoding can really begin at keyframes; nil until it has been tried.
    private var keysAreSound: Bool?
    private var lastPacket = -1
    /// The frames of a run that may all be among those kept; nil once one wasn't.
    private var upcoming: (any IteratorProtocol<Int>)?
    private let cache: FrameCache?
    private let source: FrameCache.Source
    /// The damage that earlier decoders met.
    private var damageBefore: StreamDamage

    /// If the next group is further away than this, the reader seeks; otherwise it reads on.
    private static let packetsWorthReading = 200

    /// - Parameters:
    ///   - index: the index of this stream, which must be complete.
    ///   - threads: how many threads the codec may use; 0 means one for each core.
    ///   - hardware: what decodes; see ``HardwareDecoding/trial(of:stream:)``.
    ///   - shortSide: how many pixels the shorter side of a frame has at most; nil for those that it has.
    ///   - cache: frames that were read before, and where those that are read are kept.
    ///   - checkCancelled: called for each packet; an error that it throws ends the reading.
    /// - Throws: ``MediaError`` when the stream can't be decoded.
    package init(
        of asset: Asset, stream: Asset.Stream, index: PacketIndex, threads: Int = 0,
        by hardware: HardwareDecoding = .off, shortSide: Int? = nil, cache: FrameCache? = nil,
        checkCancelled: @escaping () throws -> Void = {}
    ) throws {
        precondition(index.isComplete, "frames are told apart by their stated times")
        self.asset = asset
        self.stream = stream
        self.index = index
        (self.threads, self.hardware) = (threads, hardware)
        scaler = shortSide.map { FrameScaler(toShortSide: $0, path: asset.path) }
        self.checkCancelled = checkCancelled
        self.cache = cache
        source = FrameCache.Source(
            path: asset.path, stamp: try cache.flatMap { _ in try FileStamp(of: asset.path) },
            stream: stream.index, shortSide: shortSide)
        wanted = WantedFrames(EmptyCollection.Iterator())
        damageBefore = StreamDamage(of: asset, stream: stream)
        decoder = try StreamDecoder(of: asset, stream: stream, threads: threads, by: hardware)
    }

    /// What couldn't be read or decoded so far.
    package var damage: StreamDamage {
        var damage = damageBefore
        damage.merge(decoder.damage)
        return damage
    }

    /// Begins a run.
    ///
    /// - Parameter frames: frame numbers in increasing order, taken from the iterator while reading.
    package func start(_ frames: some IteratorProtocol<Int>) throws {
        if cache == nil {
            try read(frames)
        } else {
            upcoming = frames
        }
    }

    private func read(_ frames: some IteratorProtocol<Int>) throws {
        wanted = WantedFrames(frames)
        try begin(for: wanted.first)
    }

    /// The next frame of a run of which all were kept so far. At the first that wasn't, decoding begins.
    private func nextKept() throws -> (number: Int, frame: Frame)? {
        guard let cache, var rest = upcoming else {
            return nil
        }
        let number = rest.next()
        if let number, let frame = cache[source, number] {
            upcoming = rest
            return (number, frame)
        }
        upcoming = nil
        var first = number
        try read(
            AnyIterator {
                defer { first = nil }
                return first ?? rest.next()
            })
        return nil
    }

    /// Returns the next frame of the run, or nil after the last. Frames that can't be decoded are skipped.
    ///
    /// - Throws: ``MediaError`` when memory runs out. Damage isn't thrown but counted.
    package func next() throws -> (number: Int, frame: Frame)? {
        if let kept = try nextKept() {
            return kept
        }
        let read = try nextRead()
        if let read {
            cache?.keep(read.frame, of: source, number: read.number)
        }
        return read
    }

    private func nextRead() throws -> (number: Int, frame: Frame)? {
        while firstFrame != nil {
            let found = try nextWanted()
            if !hasBegun, !isSound || found?.number != firstFrame, try beginEarlier() {
                continue
            }
            hasBegun = true
            if let found {
                wanted.remove(found.number)
                return found
            }
            // The next wanted frame is far away, or the file ends before its index does.
            let next = wanted.first { index.packet(ofFrame: $0) > lastPacket }
            try begin(for: next == firstFrame || decoder.hasBrokenOff ? nil : next)
        }
        return nil
    }

    private func nextWanted() throws -> (number: Int, frame: Frame)? {
        while let decoded = try decoder.next(take) {
            framesDecoded += 1
            guard let number = decoded.number else {
                continue
            }
            // Leading frames (shown before the keyframe) don't count, because they need the previous group.
            let key = index.groups[firstGroup].frames.lowerBound
            if firstDecoded == nil, number >= key {
                firstDecoded = number
                noteSoundness(number == key)
            }
            if wanted.holds(number) {
                try decoder.admit(decoded.frame)
                return (number, try scaler?.scaled(decoded.frame) ?? decoded.frame)
            }
        }
        return nil
    }

    private func take(
        _ raw: UnsafeMutablePointer<AVFrame>
    ) throws -> (number: Int?, frame: Frame) {
        let frame = try Frame()
        let stamp =
            raw.pointee.pts != TW_NO_PTS ? raw.pointee.pts : raw.pointee.best_effort_timestamp
        av_frame_move_ref(frame.pointer, raw)
        return (index.frame(at: stamp), frame)
    }

    // MARK: - Seeking

    private func begin(for frame: Int?) throws {
        firstFrame = frame
        hasBegun = false
        groupsEarlier = 0
        if let frame {
            try begin(atGroup: index.group(ofFrame: frame))
        }
    }

    /// Begins earlier, for streams with intra refresh.
    ///
    /// Such streams mark places as keyframes from which a decoder needs some frames to recover, and B-frames are
    /// still inexact when the decoder reports that it has recovered: with keyframes 30 frames apart, about 40
    /// frames were inexact. They were exact when decoding began two groups earlier.
    ///
    /// - Returns: whether there was an earlier place to begin at.
    private func beginEarlier() throws -> Bool {
        guard firstGroup > 0, groupsEarlier < 8, let firstFrame else {
            return false
        }
        groupsEarlier = max(2, groupsEarlier * 2)
        try begin(atGroup: max(0, index.group(ofFrame: firstFrame) - groupsEarlier))
        return true
    }

    /// Whether decoding could begin at the intended place: the keyframe itself was output.
    private var isSound: Bool {
        groupsEarlier > 0 || firstGroup == 0
            || firstDecoded == index.groups[firstGroup].frames.lowerBound
    }

    private func noteSoundness(_ isSound: Bool) {
        if firstGroup > 0 && groupsEarlier == 0 {
            keysAreSound = isSound && keysAreSound != false
        }
    }

    private func begin(atGroup group: Int) throws {
        firstGroup = group
        firstDecoded = nil
        if let stamp = index.groups[group].stamp, try seek(to: stamp) {
            lastPacket = index.groups[group].firstPacket - 1
        } else {
            try restart()
        }
        decoder.choose = { [unowned self] in use(of: $0) }
        decoder.checkCancelled = checkCancelled
    }

    private func restart() throws {
        damageBefore.merge(decoder.damage)
        decoder = try StreamDecoder(of: asset, stream: stream, threads: threads, by: hardware)
        lastPacket = -1
    }

    /// Seeks to the packet of a keyframe.
    private func seek(to stamp: Int64) throws -> Bool {
        try KeyframeSearch(stamp: stamp, timeBase: decoder.timeBase)
            .run(seek: decoder.seek, advance: decoder.advance)
    }

    private func use(of packet: Packet) -> StreamDecoder.PacketUse {
        let frame = index.frame(at: packet.pointer.pointee.pts)
        let number = frame.map { index.packet(ofFrame: $0) } ?? lastPacket + 1
        lastPacket = number
        wanted.pull(through: frame, packet: number, index)
        if number < startOfDecoding(at: number) {
            return .leaveOut
        }
        let following = wanted.first { index.packet(ofFrame: $0) > number }
        let isLast = following.map { isFar($0, from: number) } ?? true
        guard let frame, wanted.holds(frame) else {
            return .decodeForOthers
        }
        return isLast ? .decodeLast : .decode
    }

    /// The number of the packet at which decoding must begin for the next wanted frame.
    private func startOfDecoding(at number: Int) -> Int {
        guard let firstFrame, number > index.packet(ofFrame: firstFrame),
            keysAreSound == true,
            let next = wanted.first(where: { index.packet(ofFrame: $0) >= number })
        else {
            return index.groups[firstGroup].firstPacket
        }
        return index.groups[index.group(ofFrame: next)].firstPacket
    }

    private func isFar(_ frame: Int, from packet: Int) -> Bool {
        let start = index.groups[index.group(ofFrame: frame)].firstPacket
        // The reader seeks to the first keyframe it comes to, to find out whether decoding can begin at keyframes.
        return start - packet > (keysAreSound == nil ? 0 : Self.packetsWorthReading)
    }
}

/// The frames of a run that have been taken from the iterator but not been output yet, in increasing order.
private struct WantedFrames {
    private var source: any IteratorProtocol<Int>
    private var waiting = Deque<Int>()
    private var last = -1
    private var hasEnded = false

    /// The decoder outputs a frame after at most this many more packets, or never.
    private static let longestDelay = 500

    init(_ source: some IteratorProtocol<Int>) {
        self.source = source
        pull()
    }

    var first: Int? { waiting.first }

    func first(where isFitting: (Int) -> Bool) -> Int? {
        waiting.first(where: isFitting)
    }

    func holds(_ frame: Int) -> Bool {
        waiting.contains(frame)
    }

    mutating func remove(_ frame: Int) {
        if let place = waiting.firstIndex(of: frame) {
            waiting.remove(at: place)
        }
    }

    /// Takes enough frame numbers from the iterator to know whether a packet is wanted, and whether a later one
    /// is.
    mutating func pull(through frame: Int?, packet: Int, _ index: PacketIndex) {
        while !hasEnded,
            last < frame ?? 0
                || !waiting.contains(where: { index.packet(ofFrame: $0) > packet })
        {
            pull()
        }
        while let first = waiting.first,
            index.packet(ofFrame: first) < packet - Self.longestDelay
        {
            waiting.removeFirst()
        }
    }

    private mutating func pull() {
        guard let next = source.next() else {
            hasEnded = true
            return
        }
        precondition(next > last, "the frame numbers of a run increase")
        last = next
        waiting.append(next)
    }
}
