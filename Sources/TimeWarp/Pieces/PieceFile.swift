import Foundation
import Media
import Synchronization

/// A file that holds the encoded packets of one piece, between its rendering and the join.
///
/// ```
/// "TimeWarp piece/2\n"   then records:  kind u8 │ track u32 │ size u32 │ bytes
///   plan     the plan's id and the piece's index
///   format   a track's headers: EncodedFormat.signature
///   packet   Packet.stored
///   tally    a track's counts, as JSON
///   end      the hash of everything before it
/// ```
/// The hash shows whether a piece is damaged or truncated.
package enum PieceFile {
    static let magic = Array("TimeWarp piece/2\n".utf8)
    /// The length of a record's head.
    fileprivate static let headBytes = 9

    package enum Kind: UInt8 {
        case plan = 1
        case format, packet, tally, end
    }

    package struct Record {
        package let kind: Kind
        package let track: Int
        package let bytes: [UInt8]
    }

    /// The content of the first record.
    static func title(plan: String, index: Int) -> [UInt8] {
        Array("\(plan) \(index)".utf8)
    }

    /// What is wrong with a piece.
    package static func damaged(_ path: String, _ reason: String) -> MediaError {
        MediaError(
            .damaged, file: path, reason: reason,
            remedy: "Render the piece again: it is replaced")
    }
}

/// Writes the file of a piece, which appears under its name only when it is complete.
package final class PieceWriter: Sendable {
    // @unchecked: used only with the mutex locked.
    private struct State: @unchecked Sendable {
        let file: AtomicFile
        let hash = ContentHash()
        var waiting: [UInt8] = []
    }
    private let state: Mutex<State>

    /// - Throws: ``MediaError`` if the file can't be created.
    package init(_ path: String, plan: String, index: Int) throws {
        var opening = State(file: try AtomicFile(at: path, existing: .overwrite))
        opening.waiting = PieceFile.magic
        state = Mutex(opening)
        try add(.plan, track: 0, PieceFile.title(plan: plan, index: index))
    }

    package func add(_ kind: PieceFile.Kind, track: Int, _ bytes: [UInt8]) throws {
        try state.withLock { state in
            state.waiting += Self.head(kind, track: track, size: bytes.count)
            state.waiting += bytes
            if state.waiting.count > 1 << 20 {
                try Self.flush(&state)
            }
        }
    }

    private static func head(_ kind: PieceFile.Kind, track: Int, size: Int) -> [UInt8] {
        var head = ByteWriter(capacity: PieceFile.headBytes)
        head.add(kind.rawValue)
        head.add(UInt32(track))
        head.add(UInt32(size))
        return head.bytes
    }

    /// Adds what the stages of a track counted.
    package func add(_ tally: some Encodable, track: Int) throws {
        let encoder = JSONEncoder()
        // The same piece has the same bytes.
        encoder.outputFormatting = .sortedKeys
        try add(.tally, track: track, Array(try encoder.encode(tally)))
    }

    private static func flush(_ state: inout State) throws {
        state.waiting.withUnsafeBytes(state.hash.add)
        try state.file.write(state.waiting)
        state.waiting.removeAll(keepingCapacity: true)
    }

    /// Completes the file and gives it its name.
    package func publish() throws {
        try state.withLock { state in
            try Self.flush(&state)
            let hash = state.hash.finish()
            try state.file.write(Self.head(.end, track: 0, size: hash.count) + hash)
            try state.file.publish()
        }
    }

    /// Receives the packets of a track.
    func sink(track: Int) -> PacketSink {
        PacketSink(
            open: { try self.add(.format, track: track, $0.signature) },
            send: { try self.add(.packet, track: track, $0.stored) })
    }
}

/// Reads the file of a piece from start to end, and checks its hash on the way. Used on one thread.
final class PieceReader {
    private let path: String
    private let file: ByteReader
    private let hash = ContentHash()
    private var isAtEnd = false

    /// - Throws: ``MediaError`` if it isn't that piece of that plan.
    init(_ path: String, plan: String, index: Int) throws {
        self.path = path
        file = try ByteReader(path)
        guard try read(PieceFile.magic.count) == PieceFile.magic else {
            throw PieceFile.damaged(path, "it isn't a piece of a render")
        }
        guard let title = try next(), title.kind == .plan,
            title.bytes == PieceFile.title(plan: plan, index: index)
        else {
            throw PieceFile.damaged(path, "it belongs to another plan")
        }
    }

    /// The next record; nil after the last. The hash is checked before nil is returned.
    func next() throws -> PieceFile.Record? {
        guard !isAtEnd else {
            return nil
        }
        let head = try readHead()
        guard head.kind != .end else {
            try checkEnd(head.size)
            return nil
        }
        return PieceFile.Record(kind: head.kind, track: head.track, bytes: try read(head.size))
    }

    private func readHead() throws -> (kind: PieceFile.Kind, track: Int, size: Int) {
        guard let bytes = try file.next(upTo: PieceFile.headBytes),
            bytes.count == PieceFile.headBytes
        else {
            throw PieceFile.damaged(path, "it ends too early")
        }
        var head = ByteParser(bytes[...])
        guard let kind = head.next(UInt8.self).flatMap(PieceFile.Kind.init),
            let track = head.next(UInt32.self), let size = head.next(UInt32.self), size < 1 << 30
        else {
            throw PieceFile.damaged(path, "its bytes were changed")
        }
        if kind != .end {
            bytes.withUnsafeBytes(hash.add)
        }
        return (kind, Int(track), Int(size))
    }

    private func read(_ count: Int) throws -> [UInt8] {
        guard count > 0 else {
            return []
        }
        guard let bytes = try file.next(upTo: count), bytes.count == count else {
            throw PieceFile.damaged(path, "it ends too early")
        }
        bytes.withUnsafeBytes(hash.add)
        return bytes
    }

    private func checkEnd(_ size: Int) throws {
        isAtEnd = true
        guard size == 16, let stated = try file.next(upTo: 16), stated == hash.finish(),
            try file.next(upTo: 1) == nil
        else {
            throw PieceFile.damaged(path, "its bytes were changed")
        }
    }

    /// Reads everything, to check it.
    func check(_ checkCancelled: () throws -> Void) throws {
        while try next() != nil {
            try checkCancelled()
        }
    }
}
