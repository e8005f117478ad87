import CLibAV
import DequeModule
import TimeMaps

/// Pictures of one stream, wherever they lie: run after run, each from the nearest place at which
/// decoding can begin.
///
/// A run is a rising list of pictures. Of what lies between them only what they refer to is decoded,
/// and where the next one wanted lies groups away, what lies between isn't decoded at all. Used on one
/// thread.
package final class FrameReader {
    /// When pictures are shown, and where decoding can begin.
    package let index: PacketIndex
    /// Pictures that came out of the decoder so far, wanted or not.
    package private(set) var framesDecoded: Int64 = 0

    private let asset: Asset
    private let stream: Asset.Stream
    private let threads: Int
    private let checkCancelled: () throws -> Void
    private var decoder: StreamDecoder
    private var wanted: WantedPictures
    /// The group that decoding began at, for which picture, and how many earlier ones were tried.
    private var firstGroup = 0
    private var firstPicture: Int?
    private var groupsEarlier = 0
    /// Whether the picture that decoding began for, or one after it, came out.
    private var hasBegun = false
    /// The first that came out since, wanted or not, from the key picture on.
    private var firstDecoded: Int?
    /// Whether decoding can begin at key packets, as far as it was tried.
    private var keysAreSound: Bool?
    private var lastPacket = -1
    /// Met by decoders before this one.
    private var damageBefore: StreamDamage

    /// Groups further than this are gone to; nearer ones are read up to.
    private static let packetsWorthReading = 200

    /// - Parameters:
    ///   - index: of this stream; complete.
    ///   - threads: for the codec itself; 0 lets libav take one a core.
    ///   - checkCancelled: called for each packet; what it throws ends the reading.
    /// - Throws: ``MediaError`` when the stream can't be decoded.
    package init(
        of asset: Asset, stream: Asset.Stream, index: PacketIndex, threads: Int = 0,
        checkCancelled: @escaping () throws -> Void = {}
    ) throws {
        precondition(index.isComplete, "pictures are told apart by their stated times")
        self.asset = asset
        self.stream = stream
        self.index = index
        self.threads = threads
        self.checkCancelled = checkCancelled
        wanted = WantedPictures(EmptyCollection.Iterator())
        damageBefore = StreamDamage(of: asset, stream: stream)
        decoder = try StreamDecoder(of: asset, stream: stream, threads: threads)
    }

    /// What could not be read or decoded so far.
    package var damage: StreamDamage {
        var damage = damageBefore
        damage.merge(decoder.damage)
        return damage
    }

    /// Begins a run.
    ///
    /// - Parameter pictures: numbers in rising order, asked for as reading goes on.
    package func start(_ pictures: some IteratorProtocol<Int>) throws {
        wanted = WantedPictures(pictures)
        try begin(for: wanted.first)
    }

    /// The next picture of the run, or nil after the last. What can't be decoded is left out.
    ///
    /// - Throws: ``MediaError`` when memory runs out; damage is passed over and counted.
    package func next() throws -> (picture: Int, frame: Frame)? {
        while firstPicture != nil {
            let found = try nextWanted()
            if !hasBegun, !isSound || found?.picture != firstPicture, try beginEarlier() {
                continue
            }
            hasBegun = true
            if let found {
                wanted.remove(found.picture)
                return found
            }
            // The rest lies far away; or the file ends before its index does.
            let next = wanted.first { index.packet(ofPicture: $0) > lastPacket }
            try begin(for: next == firstPicture || decoder.hasBrokenOff ? nil : next)
        }
        return nil
    }

    private func nextWanted() throws -> (picture: Int, frame: Frame)? {
        while let decoded = try decoder.next(take) {
            framesDecoded += 1
            guard let picture = decoded.picture else {
                continue
            }
            // Those that lead up to the key picture don't count: they need the group before.
            let key = index.groups[firstGroup].pictures.lowerBound
            if firstDecoded == nil, picture >= key {
                firstDecoded = picture
                noteSoundness(picture == key)
            }
            if wanted.holds(picture) {
                decoder.note(decoded.frame)
                return (picture, decoded.frame)
            }
        }
        return nil
    }

    private func take(
        _ raw: UnsafeMutablePointer<AVFrame>
    ) throws -> (picture: Int?, frame: Frame) {
        let frame = try Frame()
        let stamp =
            raw.pointee.pts != TW_NO_PTS ? raw.pointee.pts : raw.pointee.best_effort_timestamp
        av_frame_move_ref(frame.pointer, raw)
        return (index.picture(at: stamp), frame)
    }

    // MARK: - Going there

    private func begin(for picture: Int?) throws {
        firstPicture = picture
        hasBegun = false
        groupsEarlier = 0
        if let picture {
            try begin(atGroup: index.group(ofPicture: picture))
        }
    }

    /// Some streams (intra refresh) mark places as key from which a decoder needs a while to recover,
    /// and B pictures are still inexact when it believes that it has: some 40 pictures were seen after
    /// keys 30 apart. Two groups earlier they were exact.
    ///
    /// - Returns: whether there was an earlier place to try.
    private func beginEarlier() throws -> Bool {
        guard firstGroup > 0, groupsEarlier < 8, let firstPicture else {
            return false
        }
        groupsEarlier = max(2, groupsEarlier * 2)
        try begin(atGroup: max(0, index.group(ofPicture: firstPicture) - groupsEarlier))
        return true
    }

    /// Whether decoding could begin where it should: the key picture itself came out.
    private var isSound: Bool {
        groupsEarlier > 0 || firstGroup == 0
            || firstDecoded == index.groups[firstGroup].pictures.lowerBound
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
        decoder = try StreamDecoder(of: asset, stream: stream, threads: threads)
        lastPacket = -1
    }

    /// Goes to a key packet, from ever earlier places where the container doesn't hit it.
    private func seek(to stamp: Int64) throws -> Bool {
        let ticksPerSecond = 1 / av_q2d(decoder.timeBase)
        return try [0.0, 1, 10, 60].contains { secondsEarly in
            let early = Int64(nearest: secondsEarly * ticksPerSecond)
            let (place, overflow) = stamp.subtractingReportingOverflow(early)
            guard !overflow, decoder.seek(to: place) else {
                return false
            }
            return try decoder.advance { packet in
                let raw = packet.pointer.pointee
                guard packet.isKey, raw.pts != TW_NO_PTS, raw.pts >= stamp else {
                    return nil
                }
                return raw.pts == stamp
            }
        }
    }

    private func use(of packet: Packet) -> StreamDecoder.PacketUse {
        let picture = index.picture(at: packet.pointer.pointee.pts)
        let number = picture.map { index.packet(ofPicture: $0) } ?? lastPacket + 1
        lastPacket = number
        wanted.pull(through: picture, packet: number, index)
        if number < startOfDecoding(at: number) {
            return .leaveOut
        }
        let following = wanted.first { index.packet(ofPicture: $0) > number }
        let isLast = following.map { isFar($0, from: number) } ?? true
        guard let picture, wanted.holds(picture) else {
            return .decodeForOthers
        }
        return isLast ? .decodeLast : .decode
    }

    /// The packet that the next wanted picture's decoding must begin at.
    private func startOfDecoding(at number: Int) -> Int {
        guard let firstPicture, number > index.packet(ofPicture: firstPicture),
            keysAreSound == true,
            let next = wanted.first(where: { index.packet(ofPicture: $0) >= number })
        else {
            return index.groups[firstGroup].firstPacket
        }
        return index.groups[index.group(ofPicture: next)].firstPacket
    }

    private func isFar(_ picture: Int, from packet: Int) -> Bool {
        let start = index.groups[index.group(ofPicture: picture)].firstPacket
        // The first key that is come to is begun at anew, to see whether that can be done.
        return start - packet > (keysAreSound == nil ? 0 : Self.packetsWorthReading)
    }
}

/// The pictures of a run that have been asked for and haven't come yet, rising.
private struct WantedPictures {
    private var source: any IteratorProtocol<Int>
    private var waiting = Deque<Int>()
    private var last = -1
    private var hasEnded = false

    /// Pictures come out after at most so many more packets, or never.
    private static let longestDelay = 500

    init(_ source: some IteratorProtocol<Int>) {
        self.source = source
        pull()
    }

    var first: Int? { waiting.first }

    func first(where isFitting: (Int) -> Bool) -> Int? {
        waiting.first(where: isFitting)
    }

    func holds(_ picture: Int) -> Bool {
        waiting.contains(picture)
    }

    mutating func remove(_ picture: Int) {
        if let place = waiting.firstIndex(of: picture) {
            waiting.remove(at: place)
        }
    }

    /// Asks for as many as it takes to know whether a packet is wanted, and whether one after it is.
    mutating func pull(through picture: Int?, packet: Int, _ index: PacketIndex) {
        while !hasEnded,
            last < picture ?? 0
                || !waiting.contains(where: { index.packet(ofPicture: $0) > packet })
        {
            pull()
        }
        while let first = waiting.first,
            index.packet(ofPicture: first) < packet - Self.longestDelay
        {
            waiting.removeFirst()
        }
    }

    private mutating func pull() {
        guard let next = source.next() else {
            hasEnded = true
            return
        }
        precondition(next > last, "a run of pictures rises")
        last = next
        waiting.append(next)
    }
}
