import Foundation
import Media

/// JSON for programs to read: stable key order, plain slashes.
enum JSONOutput {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Writes a file; `-` is stdout.
    static func write(_ value: some Encodable, to path: String) throws {
        let text = try text(value) + "\n"
        guard path != "-" else {
            Swift.print(text, terminator: "")
            return
        }
        try FileOutput.write(Array(text.utf8), to: path, existing: .overwrite)
    }
}

/// Small files, written whole or not at all.
enum FileOutput {
    static func write(_ bytes: [UInt8], to path: String, existing: Muxer.Existing) throws {
        let file = try AtomicFile(at: path, existing: existing)
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: file.temporaryPath))
        } catch {
            throw MediaError(
                .writeFailed, file: path, reason: "writing failed: \(error.localizedDescription)")
        }
        try file.publish()
    }
}
