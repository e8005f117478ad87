import Foundation
import Media
import TimeMaps

/// Tries whether the packets of some streams can be copied to a container: it writes the first packets to a small
/// temporary file and reads that back.
///
/// FFmpeg's lists say what a container can hold in principle. Its muxers refuse some of that only when they write the
/// header, and some of what they write can't be decoded or has another shape.
struct CopyTrial {
    private let asset: Asset
    private let streams: [Asset.Stream]
    private let container: Container
    /// Why the first stream that can't be copied can't; nil if all can.
    private(set) var objection: Objection?

    /// Why a stream can't be copied.
    struct Objection {
        let stream: Asset.Stream
        let reason: String
    }

    /// How many packets of each stream are tried.
    private static let packetsOfStream = 6
    /// How many packets of a file are read for the first frame: decoders hold frames back, and other streams come between.
    private static let packetsToDecode = 200

    /// MP4 gives these codecs one name, and one decoder plays them all.
    private static let layers: Set<String> = ["mp1", "mp2", "mp3"]

    /// - Parameters:
    ///   - streams: the video and audio tracks that are to be copied.
    ///   - temporary: where the temporary file is written; nil for the system's folder.
    /// - Throws: `CancellationError`.
    init(
        _ streams: [Asset.Stream], of asset: Asset, to container: Container,
        tryingIn temporary: String?
    ) throws {
        (self.asset, self.container) = (asset, container)
        self.streams = streams
        for stream in streams where objection == nil {
            try Task.checkCancellation()
            objection = try objection(to: stream, tryingIn: temporary)
        }
    }

    /// Why a stream can't be copied; nil if it can, or if the trial itself failed.
    private func objection(
        to stream: Asset.Stream, tryingIn temporary: String?
    ) throws -> Objection? {
        let parent =
            temporary.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
        let place = parent.appendingPathComponent("timewarp-trial").path
        guard let folder = try? TemporaryOutput(of: place, as: .folder) else {
            return nil
        }
        // It is removed when it is released; after SIGKILL, by the next trial in the same place.
        defer { withExtendedLifetime(folder) {} }
        let path = folder.path + "/trial." + container.rawValue
        let packets: Packets
        do {
            packets = try write(stream, to: path)
        } catch let error as MediaError where [.incompatible, .damaged].contains(error.code) {
            return Objection(stream: stream, reason: error.reason)
        } catch {
            return nil
        }
        guard let written = try? Asset(at: path) else {
            // A stream that hasn't enough packets can't be judged by them.
            return nil
        }
        return try reason(against: written, of: stream, packets).map {
            Objection(stream: stream, reason: $0)
        }
    }

    /// The packets that are tried.
    private struct Packets {
        var count = 0
        var beginsWithKey = false
    }

    /// Writes the first packets of a stream.
    private func write(_ stream: Asset.Stream, to path: String) throws -> Packets {
        let reader = try PacketReader(of: asset, streams: [stream], missingTimes: .workedOut)
        let muxer = try Muxer(creating: path, as: container, existing: .overwrite)
        let format = try reader.encodedFormat(of: stream)
        let track = try muxer.add(format, like: stream)
        try muxer.start()
        var reordered = ReorderedTimes(of: asset, stream: stream, delay: format.reorderingDelay)
        var order = PacketOrder(of: stream)
        var packets = Packets()
        for _ in 0..<Self.packetsOfStream {
            guard let (packet, _) = try reader.next() else {
                break
            }
            packets.beginsWithKey = packets.count == 0 ? packet.isKey : packets.beginsWithKey
            packets.count += 1
            reordered?.stamp(packet)
            packet.move(earlierBy: asset.origin)
            order.mend(packet)
            try muxer.write(packet, to: track)
        }
        try muxer.finish()
        return packets
    }

    /// How many packets of a stream a file has.
    private func count(_ stream: Asset.Stream, of asset: Asset) throws -> Int {
        let reader = try PacketReader(of: asset, streams: [stream], missingTimes: .workedOut)
        var count = 0
        while try reader.next() != nil {
            count += 1
        }
        return count
    }

    private func reason(
        against written: Asset, of stream: Asset.Stream, _ packets: Packets
    ) throws -> String? {
        let name = "a .\(container.rawValue) file"
        if let was = stream.videoFormat {
            guard let found = written.streams.first(where: { $0.videoFormat != nil }),
                let format = found.videoFormat, found.codecName == stream.codecName
            else {
                return "what is written to \(name) isn't read as \(stream.codecName)"
            }
            guard abs(format.shownRatio(turned: 0) / was.shownRatio(turned: 0) - 1) < 0.02 else {
                return "\(name) would show it in another shape"
            }
            // Two fields may be read as one packet.
            guard try 2 * count(found, of: written) >= packets.count else {
                return "not all of what is written to \(name) is read back"
            }
            // The first packets of a stream with an edit list may all be hidden. Decoding takes most of a trial's time: what
            // isn't decoded of the source is asked only if the copy isn't decoded.
            guard packets.beginsWithKey, !stream.hidesPackets, stream.isDecodable else {
                return nil
            }
            let copied = try firstFrame(of: found, in: written)
            if let copied, (copied.width, copied.height) == (was.width, was.height) {
                return nil
            }
            guard let decoded = try firstFrame(of: stream, in: asset) else {
                return nil
            }
            guard let copied else {
                return "\(name) can't store all that its decoder needs"
            }
            // What isn't stored of a codec's set-up may be its crop, as VP6's.
            return (copied.width, copied.height) == (decoded.width, decoded.height)
                ? nil : "\(name) would show it in another size"
        }
        guard let found = written.streams.first(where: { $0.audioFormat != nil }),
            found.codecName == stream.codecName
                || Self.layers.isSuperset(of: [found.codecName, stream.codecName]),
            found.audioFormat?.channelCount == stream.audioFormat?.channelCount
        else {
            return "what is written to \(name) isn't read as \(stream.codecName)"
        }
        return nil
    }

    /// The first frame, if it is one of the first that are tried.
    private func firstFrame(
        of stream: Asset.Stream, in asset: Asset
    ) throws -> Asset.DecodedFrame? {
        let first = try asset.firstDecodedFrame(of: stream, fromPackets: Self.packetsToDecode)
        let rate = stream.videoFormat?.usualRate.framesPerSecond ?? 25
        let start = stream.start?.seconds ?? 0
        return first.flatMap { frame in
            frame.seconds - start < Double(Self.packetsOfStream) / rate ? frame : nil
        }
    }
}
