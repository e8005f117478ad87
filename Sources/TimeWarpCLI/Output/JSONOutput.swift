import Foundation
import Media

/// JSON for programs to read, with sorted keys and unescaped slashes.
enum JSONOutput {
    /// A document, which says what it is by `kind`, such as `beats/1`.
    static func text(_ value: some Encodable, as kind: String) throws -> String {
        try text(Document(kind: kind, content: value))
    }

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

    private struct Document<Content: Encodable>: Encodable {
        let kind: String
        let content: Content

        private enum Key: CodingKey {
            case timewarp
        }

        func encode(to encoder: any Encoder) throws {
            try content.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(kind, forKey: .timewarp)
        }
    }

    /// Writes a document as a file; `-` is stdout.
    static func write(
        _ value: some Encodable, as kind: String, to path: String, existing: ExistingOutput
    ) throws {
        try write(Document(kind: kind, content: value), to: path, existing: existing)
    }

    /// Writes a file; `-` is stdout.
    static func write(
        _ value: some Encodable, to path: String, existing: ExistingOutput
    ) throws {
        let text = try text(value) + "\n"
        try FileOutput.write(Array(text.utf8), to: path, existing: existing)
    }
}

/// Small files, written completely or not at all. Pipes and devices are written to directly.
enum FileOutput {
    /// - Throws: ``MediaError`` if the file exists and may not be replaced, or can't be written.
    static func write(_ bytes: [UInt8], to path: String, existing: ExistingOutput) throws {
        guard !isStandardOutput(path) else {
            try StandardOutput.write(bytes)
            return
        }
        guard !isPipeOrDevice(path) else {
            try pass(bytes, to: path)
            return
        }
        let file = try AtomicFile(at: path, existing: existing)
        try file.write(bytes)
        try file.publish()
    }

    /// Throws, before any work is done, if the file can't be written or must be kept.
    ///
    /// - Parameter kept: files that the same command reads or writes.
    static func requireWritable(
        _ path: String, apartFrom kept: [String], existing: ExistingOutput
    ) throws {
        guard !isStandardOutput(path), !isPipeOrDevice(path) else {
            return
        }
        for file in kept {
            try AtomicFile.requireWritable(path, notBeing: file, existing: existing)
        }
    }

    /// Whether a path means stdout.
    static func isStandardOutput(_ path: String) -> Bool {
        path == "-" || path == "/dev/stdout"
    }

    private static func isPipeOrDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
            && [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
    }

    private static func pass(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw MediaError(.cannotCreate, file: path, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        try bytes.withUnsafeBytes { try writeAll($0, to: descriptor, named: path) }
    }
}
