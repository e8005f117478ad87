import Foundation
import Media

/// The files of all pieces of a plan.
public struct RenderedPieces: Sendable {
    package let pieces: [PlannedPiece]
    let identity: String
    let path: @Sendable (Int) -> String

    /// - Parameters:
    ///   - identity: see ``PieceRenderer/init(_:identity:)``.
    ///   - path: returns the path of a piece's file.
    public init(
        _ pieces: [PlannedPiece], identity: String, path: @escaping @Sendable (Int) -> String
    ) {
        (self.pieces, self.identity, self.path) = (pieces, identity, path)
    }

    /// Checks the file of a piece from start to end.
    ///
    /// - Throws: ``MediaError`` with the code `noInput` if it isn't there, `damaged` if it is damaged or belongs to
    ///   another plan.
    /// - Complexity: one pass over the file.
    public static func check(_ piece: Int, at path: String, identity: String) throws {
        try PieceReader(path, plan: identity, index: piece).check { try Task.checkCancellation() }
    }

    /// Calls `body` with every record of one track, in order. All bytes of the files are checked on the way.
    package func read(
        _ numbers: [Int], track: Int, _ body: (PieceFile.Record, String) throws -> Void
    ) throws {
        for number in numbers {
            let reader = try PieceReader(path(number), plan: identity, index: number)
            while let record = try reader.next() {
                if record.track == track, record.kind != .plan {
                    try body(record, path(number))
                }
            }
        }
    }
}

extension PieceFile.Record {
    fileprivate func packet(_ path: String) throws -> Packet {
        guard let packet = try Packet.restored(from: bytes[...]) else {
            throw PieceFile.damaged(path, "its bytes were changed")
        }
        return packet
    }

    fileprivate func require(_ format: EncodedFormat, _ path: String) throws {
        guard format.signature == bytes else {
            throw PieceFile.damaged(path, "its encoder wrote other headers than this program's")
        }
    }
}

extension VideoStages {
    /// Starts to take the track's packets from the files of pieces.
    func startJoining(_ rendered: RenderedPieces, _ codec: VideoCodec) {
        site.stages.start("join") {
            let format = try encodedFormat(codec)
            let numbers = rendered.pieces.filter { $0.video.contains { $0.track == trackNumber } }
            var joining = ChunkJoining(self, codec)
            try rendered.read(numbers.map(\.index), track: trackNumber) { record, path in
                try site.stages.checkStopped()
                switch record.kind {
                case .format:
                    try record.require(format, path)
                    try joining.take(.format(format))
                case .packet:
                    try joining.take(.packet(try record.packet(path)))
                case .tally:
                    let counted = try JSONDecoder().decode(
                        VideoTally.self, from: Data(record.bytes))
                    try joining.take(.end(counted))
                    tally.update { $0.decoding.add(counted.decoding) }
                case .plan, .end:
                    break
                }
            }
            try joining.finish()
        }
    }
}

extension VideoStages {
    /// What the encoder of every piece says of its packets.
    private func encodedFormat(_ codec: VideoCodec) throws -> EncodedFormat {
        if let seam = track.keeping?.seam {
            return seam.format
        }
        let encoder = try VideoEncoder(
            FrameCoding(track, as: codec), plan.settings, endsTrack: true,
            threads: threadsOfEncoder, for: plan.container, path: plan.destination)
        let format = try encoder.encodedFormat()
        // SVT-AV1 can't be closed before it has encoded a frame: it waits for ever.
        try encoder.encode(try Frame.black(track.format), at: 0, lasting: 1) { _ in }
        try encoder.finish { _ in }
        return format
    }
}

extension AudioStages {
    /// Starts to take the track's packets from the file of the piece with the sound.
    ///
    /// - Parameter number: the track's number in the file.
    func startJoining(_ rendered: RenderedPieces, number: Int) {
        site.stages.start("join-sound") {
            let format = try track.encodedFormat(for: plan)
            let pieces = rendered.pieces.filter(\.sound).map(\.index)
            try rendered.read(pieces, track: number) { record, path in
                try site.stages.checkStopped()
                switch record.kind {
                case .format:
                    try record.require(format, path)
                    try sink.open(format)
                case .packet:
                    try sink.send(try record.packet(path))
                case .tally:
                    let counted = try JSONDecoder().decode(
                        AudioTally.self, from: Data(record.bytes))
                    tally.update { $0 = counted }
                case .plan, .end:
                    break
                }
            }
            sink.finish()
        }
    }
}
