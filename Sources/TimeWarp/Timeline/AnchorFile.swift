import Foundation
import Media
import TimeMaps

extension [TimeAnchor] {
    /// Reads anchors from a text file with one anchor in each line: an instant of the source, and the output
    /// instant at which it should be. Spaces, a tab, a comma or a semicolon separate the two. `#` starts a
    /// comment. Instants are written like durations; the second one may be negative.
    ///
    /// - Throws: ``MediaError`` if the file can't be read or a line isn't such a pair.
    public init(contentsOfFile path: String) throws {
        let text = try SmallFile.text(at: path, kind: "an anchor file")
        self = []
        for (number, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() {
            let fields = line.prefix { $0 != "#" }.split { " \t,;".contains($0) }
            guard !fields.isEmpty else {
                continue
            }
            do {
                guard fields.count == 2 else {
                    throw TimeError.malformed(
                        "there are \(fields.count) instants where two belong: \"here there\"")
                }
                append(
                    TimeAnchor(
                        source: try RationalTime(parsing: String(fields[0])),
                        output: try RationalTime(parsingSigned: String(fields[1]))))
            } catch {
                throw MediaError(
                    .damaged, file: path, reason: "line \(number + 1): \(error)")
            }
        }
    }
}

/// Reads small files that people write.
package enum SmallFile {
    /// The first 4 KiB of a file, as text; empty if it can't be read. They tell what kind of JSON file it is.
    package static func head(of path: String) -> String {
        let file = FileHandle(forReadingAtPath: path)
        return String(decoding: (try? file?.read(upToCount: 4096)) ?? Data(), as: UTF8.self)
    }

    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - kind: what the file should be, for the error message.
    ///   - largest: the largest accepted size, in bytes.
    package static func data(at path: String, kind: String, largest: Int = 1 << 20) throws -> Data {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let isAbsent = errno == ENOENT || errno == ENOTDIR
            throw isAbsent
                ? MediaError.absent(path)
                : MediaError(.noInput, file: path, reason: String(cString: strerror(errno)))
        }
        let size = Int(status.st_size)
        // Checked before the file is read: it may be a large video that was given by mistake.
        guard size <= largest else {
            throw MediaError(
                .damaged, file: path,
                reason: "\(kind) has \(largest >> 20) MiB at the most, not \(size) bytes")
        }
        let data: Data
        do {
            data = try read(path, upTo: largest + 1)
        } catch {
            throw MediaError(.noInput, file: path, reason: error.localizedDescription)
        }
        // Pipes and devices have no known size.
        guard data.count <= largest else {
            throw MediaError(
                .damaged, file: path,
                reason: "\(kind) has \(largest >> 20) MiB at the most, and this is larger")
        }
        return data
    }

    private static func read(_ path: String, upTo most: Int) throws -> Data {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer {
            try? handle.close()
        }
        var data = Data()
        while data.count < most, let part = try handle.read(upToCount: most - data.count),
            !part.isEmpty
        {
            data += part
        }
        return data
    }

    package static func text(
        at path: String, kind: String, largest: Int = 1 << 20
    ) throws -> String {
        let data = try data(at: path, kind: kind, largest: largest)
        guard let text = String(data: data, encoding: .utf8) else {
            throw MediaError(
                .damaged, file: path, reason: "\(kind) is text in UTF-8, and this isn't")
        }
        return text
    }
}
