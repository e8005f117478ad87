import Foundation
import TimeMaps

extension StoryFile {
    /// The text of the file with another time at a path. All other bytes stay as they are.
    ///
    /// - Parameters:
    ///   - path: of an event's `at`, or of an end of a range.
    ///   - time: a JSON number of seconds, or a JSON text: `4.5`, `"1:30"`, `"125125/30000"`.
    /// - Returns: nil if there is no time at the path, or the other one isn't a time.
    public func text(replacingTimeAt path: StoryPath, by time: String) -> Data? {
        guard let value = value(at: path), value.text != nil || value.number != nil else {
            return nil
        }
        let isText = time.count > 1 && time.hasPrefix("\"") && time.hasSuffix("\"")
        let plain = isText ? String(time.dropFirst().dropLast()) : time
        guard (try? RationalTime(parsing: plain)) != nil, isText || Double(plain) != nil else {
            return nil
        }
        var bytes = text.bytes
        bytes.replaceSubrange(value.bytes, with: Array(time.utf8))
        return Data(bytes)
    }

    /// The time at a path as it is written, a JSON number or text; nil if there is none.
    public func writtenTime(at path: StoryPath) -> String? {
        guard let value = value(at: path), value.text != nil || value.number != nil else {
            return nil
        }
        return String(decoding: text.bytes[value.bytes], as: UTF8.self)
    }

    private func value(at path: StoryPath) -> JSONValue? {
        var value = root
        for step in path.steps {
            switch step {
            case .key(let key):
                guard let member = value.object?[key] else {
                    return nil
                }
                value = member
            case .index(let index):
                guard let list = value.list, list.indices.contains(index) else {
                    return nil
                }
                value = list[index]
            }
        }
        return value
    }
}
