import Foundation

/// Reads a file from start to end.
package final class ByteReader {
    private let path: String
    private let descriptor: CInt

    /// - Throws: ``MediaError`` if the file can't be opened.
    package init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT
                ? MediaError(.noInput, file: path, reason: "no such file")
                : systemError(errno, doing: "opening it", path, as: .readFailed)
        }
    }

    deinit {
        close(descriptor)
    }

    /// The next bytes: as many as asked for, fewer at the end of the file, nil after it.
    package func next(upTo count: Int) throws -> [UInt8]? {
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let result = read(descriptor, buffer.baseAddress! + filled, count - filled)
                if result > 0 {
                    filled += result
                } else if result == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else {
            throw systemError(failure, doing: "reading", path, as: .diskFailed)
        }
        return bytes.isEmpty ? nil : bytes
    }
}

extension FileFingerprint {
    /// Reads a file from start to end.
    ///
    /// - Parameter checkCancelled: called for each block; an error that it throws is rethrown.
    /// - Throws: ``MediaError`` if the file can't be read.
    /// - Complexity: one pass over the file. It takes 16 bytes for each mebibyte.
    package init(of path: String, checkCancelled: () throws -> Void) throws {
        let file = try ByteReader(path)
        var count: Int64 = 0
        var hashes: [UInt8] = []
        while let bytes = try file.next(upTo: Int(Self.blockBytes)) {
            try checkCancelled()
            hashes += ContentHash.of(bytes)
            count += Int64(bytes.count)
        }
        self.init(byteCount: count, hashes: hashes)
    }
}

extension ContentHash {
    /// The hash of a file as 32 hexadecimal digits.
    ///
    /// - Throws: ``MediaError`` if it can't be read.
    package static func text(ofFile path: String) throws -> String {
        let file = try ByteReader(path)
        let hash = ContentHash()
        while let bytes = try file.next(upTo: 1 << 20) {
            bytes.withUnsafeBytes(hash.add)
        }
        return hexadecimal(hash.finish())
    }
}
