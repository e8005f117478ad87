import CLibAV
import TimeMaps

/// The packets of a stream of AAC, which follow each other without a gap at exact times.
///
/// Each packet is a window over two frames of 1024 samples, and what is heard in a frame is the sum of both windows over it:
/// ```
/// packet n     ╭──────┬──────╮
/// packet n+1          ╭──────┬──────╮
/// frame        │  n   │ n+1  │ n+2  │
/// ```
/// So packets of two encoders can follow each other if both encode the same sound there, with long windows. ISO/IEC 14496-3
/// describes the windows (4.6.11) and where a packet says which one it uses (4.4.2).
package struct SoundPackets: Sendable {
    /// How many samples a frame has.
    package static let frameCount: Int64 = 1024
    /// The sample at which the first packet's first frame begins, counted from zero of asset time. It need not be whole.
    package let start: Double
    /// On average, in bits per second.
    package let bitRate: Int
    private let asset: Asset
    private let stream: Asset.Stream
    private let stamps: [Int64]
    private let isLong: [Bool]

    /// Why packets of a stream can't be kept.
    package struct Refusal: Error {
        package let reason: String
    }

    /// By how many samples stated times may be off: writers round them to a sample, some of them twice, and Matroska to a
    /// millisecond.
    private static func largestError(_ stream: Asset.Stream, rate: Double) -> Double {
        max(1.5, 0.75 * stream.timeBase.seconds * rate)
    }

    /// - Parameter format: what our encoder makes, which the packets must be like.
    /// - Throws: ``Refusal``; ``MediaError`` if the file can't be read.
    /// - Complexity: one pass over the stream.
    package init(
        of stream: Asset.Stream, in asset: Asset, like format: EncodedFormat,
        checkCancelled: () throws -> Void
    ) throws {
        (self.asset, self.stream) = (asset, stream)
        let reader = try PacketReader(of: asset, streams: [stream])
        guard try reader.encodedFormat(of: stream).hasSameSound(as: format) else {
            throw Refusal(reason: "it isn't plain AAC as our encoder makes it")
        }
        let rate = Double(format.parameters.pointee.sample_rate)
        let error = Self.largestError(stream, rate: rate)
        let origin = asset.origin.seconds
        var stamps: [Int64] = []
        var isLong: [Bool] = []
        // When packets begin, in samples, without those before them.
        var starts: (least: Double, most: Double) = (.infinity, -.infinity)
        var bits = 0
        while let (packet, _) = try reader.next() {
            try checkCancelled()
            guard let pts = packet.pts, let seconds = packet.presentationSeconds else {
                throw Refusal(reason: "it doesn't say when each of its packets is heard")
            }
            let before = Double(Self.frameCount) * Double(stamps.count)
            let start = (seconds - origin) * rate - before
            starts = (min(starts.least, start), max(starts.most, start))
            guard starts.most - starts.least < 2 * error else {
                throw Refusal(reason: "its packets don't follow each other at exact times")
            }
            stamps.append(pts)
            bits += 8 * packet.byteCount
            isLong.append(packet.hasLongWindow)
        }
        guard reader.breakOff == nil, !stamps.isEmpty else {
            throw Refusal(reason: "it is damaged")
        }
        // No time may be rounded by more than half of what the others are.
        start = (starts.least + starts.most) / 2
        (self.stamps, self.isLong) = (stamps, isLong)
        bitRate = Int(Double(bits) * rate / (Double(Self.frameCount) * Double(stamps.count)))
    }

    /// The number of packets.
    package var count: Int { stamps.count }

    /// Whether another encoder's packet may come before a packet, or after the one before it: the windows at both sides are
    /// long.
    package func canBegin(at packet: Int) -> Bool {
        isLong.indices.contains(packet - 1) && isLong.indices.contains(packet)
            && isLong[packet - 1] && isLong[packet]
    }

    /// Calls `body` with each packet of a range, in order, as it is stored.
    ///
    /// - Throws: ``MediaError`` if the file isn't what it was; what `body` throws.
    package func read(_ packets: Range<Int>, _ body: (Packet) throws -> Void) throws {
        let reader = try PacketReader(of: asset, streams: [stream])
        let stamps = stamps[packets]
        if let first = stamps.first, packets.lowerBound > 0 {
            _ = try reader.seek(to: first, of: stream)
        }
        for stamp in stamps {
            guard let (packet, _) = try reader.next(), packet.pts == stamp else {
                throw reader.breakOff ?? MediaError.changedPackets(asset.path)
            }
            try body(packet)
        }
    }
}

extension Packet {
    /// Drops what a demuxer says of the packet beside its bytes, such as how many samples to skip.
    package func forgetSideData() {
        av_packet_free_side_data(pointer)
    }

    /// Whether the first channel of a packet of AAC uses one long window.
    fileprivate var hasLongWindow: Bool {
        guard byteCount >= 4, let data = pointer.pointee.data else {
            return false
        }
        let bits = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(data[$1]) }
        func read(_ place: Int, _ count: Int) -> UInt32 {
            bits >> UInt32(32 - place - count) & (1 << UInt32(count) - 1)
        }
        // An element's kind, its tag, and for two channels whether both use the same window, which is stated at once then;
        // else it comes after the gain and a reserved bit.
        switch read(0, 3) {
        case 0: return read(16, 2) == 0
        case 1: return read(7, 1) == 1 ? read(9, 2) == 0 : read(17, 2) == 0
        default: return false
        }
    }
}

extension EncodedFormat {
    /// Whether both are AAC of one profile, rate and layout of channels.
    fileprivate func hasSameSound(as other: EncodedFormat) -> Bool {
        let (own, its) = (parameters.pointee, other.parameters.pointee)
        guard own.codec_id == AV_CODEC_ID_AAC, its.codec_id == own.codec_id,
            own.profile == its.profile, own.sample_rate == its.sample_rate,
            own.extradata_size >= 2, its.extradata_size >= 2
        else {
            return false
        }
        // The kind of AAC, the rate, the channels, and the length of a frame.
        return own.extradata[0] == its.extradata[0] && own.extradata[1] == its.extradata[1]
    }
}
