import Media
import TimeMaps

/// The signatures of one stream's pictures, wherever they lie. Used on one thread.
final class SignatureReader {
    /// When pictures are shown, in asset time.
    let times: PictureTimes
    /// Whether pictures beyond the last of ``times`` weren't looked at.
    let isCutShort: Bool
    /// What of the stream couldn't be read or decoded so far.
    var damage: StreamDamage {
        switch way {
        case .decoding(let reader): reader.damage
        case .memory(_, let damage): damage
        }
    }
    private let way: Way
    private var maker: SignatureMaker
    private var stored: (any IteratorProtocol<Int>)?

    private enum Way {
        case decoding(FrameReader)
        /// All of them, where only decoding tells when they are shown.
        case memory([PictureSignature], StreamDamage)
    }

    /// 128 MiB of them.
    private static let mostInMemory = 1 << 15

    /// - Throws: ``MediaError`` when the stream can't be read.
    /// - Complexity: a pass over the file's packets; where they don't state times, its decoding.
    init(
        of asset: Asset, stream: Asset.Stream, checkCancelled: @escaping () throws -> Void
    ) throws {
        var maker = SignatureMaker(rotation: stream.rotation, path: asset.path)
        let index = try PacketIndex(of: asset, stream: stream, checkCancelled: checkCancelled)
        if index.isComplete {
            times = index.times
            way = .decoding(
                try FrameReader(
                    of: asset, stream: stream, index: index, checkCancelled: checkCancelled))
            isCutShort = false
        } else {
            let reader = try FrameStream(of: asset, stream: stream)
            var starts: [RationalTime] = []
            var end = RationalTime.zero
            var signatures: [PictureSignature] = []
            var isCutShort = false
            while let picture = try reader.next() {
                try checkCancelled()
                isCutShort = signatures.count == Self.mostInMemory
                guard !isCutShort else {
                    break
                }
                starts.append(picture.start)
                end = picture.end
                signatures.append(try maker.signature(of: picture.frame))
            }
            times = PictureTimes(starts: starts, end: end)
            way = .memory(signatures, reader.damage)
            self.isCutShort = isCutShort
        }
        self.maker = maker
    }

    /// Begins a run.
    ///
    /// - Parameter pictures: numbers in rising order, asked for as reading goes on.
    func start(_ pictures: some IteratorProtocol<Int>) throws {
        switch way {
        case .decoding(let reader): try reader.start(pictures)
        case .memory: stored = pictures
        }
    }

    /// The next of the run, or nil after the last; what can't be decoded is left out.
    func next() throws -> (picture: Int, signature: PictureSignature)? {
        switch way {
        case .decoding(let reader):
            guard let (picture, frame) = try reader.next() else {
                return nil
            }
            return (picture, try maker.signature(of: frame))
        case .memory(let signatures, _):
            return stored?.next().map { ($0, signatures[$0]) }
        }
    }
}
