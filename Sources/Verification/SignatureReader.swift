import Media
import TimeMaps

/// Reads the signatures of one stream's frames. Used on one thread.
final class SignatureReader {
    /// The times of the frames, in asset time.
    let times: FrameTimes
    /// Whether there are more frames after the last one of ``times``, which were not read.
    let isCutShort: Bool
    /// The parts of the stream that couldn't be read or decoded so far.
    var damage: StreamDamage {
        switch way {
        case .decoding(let reader): reader.damage
        case .memory(_, let damage): damage
        }
    }
    /// The number of the first frame that can be decoded. Those before it refer to frames that aren't in the file, as
    /// where a broadcast was cut.
    let firstDecodable: Int
    private let way: Way
    private var maker: SignatureMaker
    /// Brings each frame to one size and shape.
    private let prepare: (Frame) throws -> Frame
    private var stored: (any IteratorProtocol<Int>)?

    private enum Way {
        case decoding(FrameReader)
        /// All signatures in memory, for a stream without timestamps, whose times are known only after decoding.
        case memory([FrameSignature], StreamDamage)
    }

    /// The largest number of signatures in memory: 128 MiB.
    private static let mostInMemory = 1 << 15

    /// - Throws: ``MediaError`` when the stream can't be read.
    /// - Complexity: one pass over the file's packets; for a stream without timestamps, also its decoding.
    ///
    /// - Parameters:
    ///   - format: the format that frames are brought to first, as a composition does; nil for their own.
    ///   - withDigests: whether signatures should tell if two frames are identical.
    init(
        of asset: Asset, stream: Asset.Stream, as format: VideoFormat? = nil,
        within shapes: [Double] = [], withDigests: Bool = false,
        checkCancelled: @escaping () throws -> Void
    ) throws {
        let prepare: (Frame) throws -> Frame
        if let format {
            prepare =
                FrameConformer(to: format, from: stream, within: shapes, path: asset.path).conform
        } else if let format = stream.videoFormat {
            prepare =
                FrameConformer(
                    to: format, from: stream.upright(keepsTags: true), path: asset.path
                ).fitted
        } else {
            prepare = { $0 }
        }
        self.prepare = prepare
        var maker = SignatureMaker(
            rotation: format == nil ? stream.rotation : 0, withDigests: withDigests,
            path: asset.path)
        let index = try PacketIndex(of: asset, stream: stream, checkCancelled: checkCancelled)
        if index.isComplete {
            times = index.times
            let reader = try FrameReader(
                of: asset, stream: stream, index: index, checkCancelled: checkCancelled)
            try reader.start((0..<index.times.count).makeIterator())
            firstDecodable = try reader.next()?.number ?? 0
            way = .decoding(reader)
            isCutShort = false
        } else {
            let reader = try FrameStream(of: asset, stream: stream)
            var starts: [RationalTime] = []
            var end = RationalTime.zero
            var signatures: [FrameSignature] = []
            var isCutShort = false
            while let presented = try reader.next() {
                try checkCancelled()
                isCutShort = signatures.count == Self.mostInMemory
                guard !isCutShort else {
                    break
                }
                starts.append(presented.start)
                end = presented.end
                signatures.append(try maker.signature(of: prepare(presented.frame)))
            }
            times = FrameTimes(starts: starts, end: end)
            firstDecodable = 0
            way = .memory(signatures, reader.damage)
            self.isCutShort = isCutShort
        }
        self.maker = maker
    }

    /// Starts reading a sequence of frames.
    ///
    /// - Parameter frames: the frames' numbers in increasing order. The iterator is advanced as reading goes on.
    func start(_ frames: some IteratorProtocol<Int>) throws {
        switch way {
        case .decoding(let reader): try reader.start(frames)
        case .memory: stored = frames
        }
    }

    /// The next frame of the sequence, or nil after the last one. Frames that can't be decoded are skipped.
    func next() throws -> (frame: Int, signature: FrameSignature)? {
        switch way {
        case .decoding(let reader):
            guard let (number, frame) = try reader.next() else {
                return nil
            }
            return (number, try maker.signature(of: prepare(frame)))
        case .memory(let signatures, _):
            return stored?.next().map { ($0, signatures[$0]) }
        }
    }
}
