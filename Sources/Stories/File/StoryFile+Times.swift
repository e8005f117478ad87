import Documents
import Foundation
import TimeMaps

extension StoryFile {
    /// The text of the file with another time at a path. All other bytes stay as they are.
    ///
    /// - Parameters:
    ///   - path: of an event's `at`, or of an end of a range.
    ///   - time: a JSON number of seconds, or a JSON text: `4.5`, `"1:30"`, `"125125/30000"`.
    /// - Returns: nil if there is no time at the path, or the other one isn't a time.
    public func text(replacingTimeAt path: DocumentPath, by time: String) -> Data? {
        guard let value = document.value(at: path), value.text != nil || value.number != nil else {
            return nil
        }
        let isText = time.count > 1 && time.hasPrefix("\"") && time.hasSuffix("\"")
        let plain = isText ? String(time.dropFirst().dropLast()) : time
        guard (try? RationalTime(parsing: plain)) != nil, isText || Double(plain) != nil else {
            return nil
        }
        var bytes = document.text.bytes
        bytes.replaceSubrange(value.bytes, with: Array(time.utf8))
        return Data(bytes)
    }

    /// The time at a path as it is written, a JSON number or text; nil if there is none.
    public func writtenTime(at path: DocumentPath) -> String? {
        guard let value = document.value(at: path), value.text != nil || value.number != nil else {
            return nil
        }
        return String(decoding: document.text.bytes[value.bytes], as: UTF8.self)
    }
}
