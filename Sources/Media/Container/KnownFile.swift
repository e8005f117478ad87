import Foundation
import TimeMaps

/// What is known of a media file from an earlier look at it: enough to decode any part of it without reading the rest.
package struct KnownFile: Sendable {
    package let asset: Asset
    /// Of the streams that have one, by the stream's index.
    package let indices: [Int: PacketIndex]
    package let fingerprint: FileFingerprint

    /// - Parameter asset: the file; it must not have changed since it was looked at.
    package init(_ asset: Asset, indices: [Int: PacketIndex], fingerprint: FileFingerprint) {
        (self.asset, self.indices, self.fingerprint) = (asset, indices, fingerprint)
    }

    /// Restores what is known from its bytes.
    ///
    /// - Parameter path: where the file is now. Whatever is read of it through ``asset`` is compared with the
    ///   fingerprint.
    /// - Returns: nil if the bytes aren't that.
    package init?(stored: [UInt8], at path: String) {
        var parser = ByteParser(stored[...])
        guard let json = parser.counted(UInt8.self), let blocks = parser.counted(UInt8.self),
            var asset = try? JSONDecoder().decode(Asset.self, from: Data(json)),
            let fingerprint = FileFingerprint(stored: blocks[...]),
            let count = parser.next(Int64.self)
        else {
            return nil
        }
        var indices: [Int: PacketIndex] = [:]
        for _ in 0..<max(0, count) {
            guard let stream = parser.next(Int64.self), let index = PacketIndex(from: &parser)
            else {
                return nil
            }
            indices[Int(stream)] = index
        }
        asset.path = path
        asset.fingerprint = fingerprint
        self.init(asset, indices: indices, fingerprint: fingerprint)
    }

    /// All of it as bytes.
    package func stored() throws -> [UInt8] {
        let encoder = JSONEncoder()
        // The same file has the same bytes.
        encoder.outputFormatting = .sortedKeys
        var writer = ByteWriter(capacity: 1 << 16)
        writer.add(counted: Array(try encoder.encode(asset)))
        writer.add(counted: fingerprint.stored)
        writer.add(Int64(indices.count))
        for (stream, index) in indices.sorted(by: { $0.key < $1.key }) {
            writer.add(Int64(stream))
            index.store(in: &writer)
        }
        return writer.bytes
    }
}

/// Files of which something is known: where they are, and what is in them.
package struct KnownFiles: Sendable {
    /// No files.
    package static let none = KnownFiles([:])

    /// A file that may be somewhere else than where it is looked for.
    package struct Place: Sendable {
        fileprivate let path: String
        fileprivate let content: KnownFile?

        /// - Parameters:
        ///   - path: where the file is.
        ///   - content: what is in it, so that it isn't looked at again; nil if it has to be read.
        package init(_ path: String, content: KnownFile?) {
            (self.path, self.content) = (path, content)
        }
    }

    private let files: [String: Place]

    /// - Parameter files: by the path at which they are looked for, however it is written.
    package init(_ files: [String: Place]) {
        self.files = Dictionary(
            files.map { (Self.key($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Where the file is that is looked for at a path: there, unless something else is known.
    package func place(of path: String) -> String { file(path)?.path ?? path }

    /// What is in the file that is looked for at a path; nil if it has to be read.
    package func asset(at path: String) -> Asset? { file(path)?.content?.asset }

    /// The packet index of a stream of it; nil if that isn't known.
    package func index(ofStream stream: Int, at path: String) -> PacketIndex? {
        file(path)?.content?.indices[stream]
    }

    private func file(_ path: String) -> Place? {
        files.isEmpty ? nil : files[Self.key(path)]
    }

    private static func key(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
