import Documents
import TimeMaps

// Readers for the kinds of values in a story file. If a value is wrong, they note the problem and return nil,
// so that reading continues.
extension StoryReader {
    /// Reads an object and notes its unknown keys.
    mutating func object<Key: CaseIterable & RawRepresentable<String>>(
        _ value: JSONValue, _ path: DocumentPath, known: Key.Type
    ) -> JSONObject? {
        guard members(of: value, path) != nil, let object = value.object else {
            return nil
        }
        let names = Key.allCases.map(\.rawValue)
        for member in object.members where !names.contains(member.key) {
            let hint = hint(for: member.key, in: names)
            note(
                "\"\(member.key)\" means nothing here.\(hint) Known keys are "
                    + names.joined(separator: ", "), path, at: member.offset)
        }
        return object
    }

    /// The members of an object whose keys are free to choose.
    mutating func members(of value: JSONValue, _ path: DocumentPath) -> [JSONObject.Member]? {
        guard let object = value.object else {
            note("it is \(value.kind), not an object", path, value)
            return nil
        }
        for member in object.repeated {
            note("the key \"\(member.key)\" appears twice", path.key(member.key), at: member.offset)
        }
        return object.members
    }

    /// The elements of a list; none if the list is absent.
    mutating func list(
        _ value: JSONValue?, _ path: DocumentPath, atMost most: Int
    ) -> [JSONValue] {
        guard let value else {
            return []
        }
        guard let list = value.list else {
            note("it is \(value.kind), not a list", path, value)
            return []
        }
        guard list.count <= most else {
            note("there are \(list.count) entries; at most \(most) are allowed", path, value)
            return []
        }
        return list
    }

    mutating func string(_ value: JSONValue, _ path: DocumentPath) -> String? {
        guard let text = value.text else {
            note("it is \(value.kind), not a text", path, value)
            return nil
        }
        return text
    }

    mutating func truth(_ value: JSONValue?, _ path: DocumentPath) -> Bool? {
        guard let value else {
            return nil
        }
        guard case .truth(let truth) = value.content else {
            note("it is \(value.kind), not true or false", path, value)
            return nil
        }
        return truth
    }

    /// A name, title or label.
    mutating func name(_ value: JSONValue, _ path: DocumentPath) -> String? {
        guard let text = string(value, path) else {
            return nil
        }
        return checkName(text, path, at: value.bytes.lowerBound) ? text : nil
    }

    @discardableResult
    mutating func checkName(_ name: String, _ path: DocumentPath, at offset: Int) -> Bool {
        let most = StoryLimits.longestName
        if name.allSatisfy(\.isWhitespace) {
            note("it is empty", path, at: offset)
        } else if name.utf8.count > most * 32 || name.count > most {
            note("it has more than \(most) characters", path, at: offset)
        } else if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        {
            note("it contains a control character", path, at: offset)
        } else if name == "__proto__" {
            note("this name is reserved in JavaScript; choose another one", path, at: offset)
        } else {
            return true
        }
        return false
    }

    /// The name of a segment; null counts as absent.
    mutating func optionalName(_ value: JSONValue?, _ path: DocumentPath) -> String? {
        guard let value else {
            return nil
        }
        if case .null = value.content {
            return nil
        }
        return name(value, path)
    }

    mutating func filePath(_ value: JSONValue, _ path: DocumentPath) -> String? {
        guard let text = string(value, path) else {
            return nil
        }
        guard !text.isEmpty, text.utf8.count <= StoryLimits.longestPath, !text.contains("\0") else {
            note("it isn't a valid file path", path, value)
            return nil
        }
        return text
    }

    /// A time: a number of seconds, which is rounded to the nanosecond, or a text, which is exact.
    mutating func time(_ value: JSONValue, _ path: DocumentPath) -> RationalTime? {
        switch value.content {
        case .text(let text):
            do {
                return try RationalTime(parsing: text)
            } catch {
                note("\(error)", path, value)
                return nil
            }
        case .number(let seconds):
            guard seconds >= 0, seconds <= TimeMap.longestOutput,
                let time = try? RationalTime(seconds: seconds, timescale: 1_000_000_000)
                    .multiplied(by: 1, over: 1)
            else {
                note("\(seconds) s isn't a valid time in a clip", path, value)
                return nil
            }
            return time
        default:
            note("it is \(value.kind); a time is a number of seconds or a text", path, value)
            return nil
        }
    }

    /// A BCP 47 language tag. Only its syntax is checked.
    mutating func readLanguage(_ value: JSONValue?, _ path: DocumentPath) -> String? {
        guard let value, let tag = string(value, path) else {
            return nil
        }
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        let isTag =
            (2...8).contains(parts[0].count) && parts[0].allSatisfy { $0.isASCII && $0.isLetter }
            && parts.allSatisfy { part in
                (1...8).contains(part.count)
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
        guard isTag else {
            note("\"\(tag)\" isn't a language tag, such as en or pt-BR", path, value)
            return nil
        }
        return tag
    }

    /// A formula over the story's variables.
    mutating func expression(_ value: JSONValue, _ path: DocumentPath) -> StoryExpression? {
        if let number = value.number, number >= 0 {
            return expression(written: "\(number)", value, path)
        }
        guard let text = value.text else {
            note("it is \(value.kind); a formula is a text such as \"courage + 1\"", path, value)
            return nil
        }
        return expression(written: text, value, path)
    }

    private mutating func expression(
        written text: String, _ value: JSONValue, _ path: DocumentPath
    ) -> StoryExpression? {
        do {
            return try StoryExpression(text, variables: variables)
        } catch {
            // If the text contains no escapes, a column of the formula is also a column of the file.
            let isPlain = value.bytes.count == text.utf8.count + 2
            let before = isPlain ? text.prefix(error.column - 1).utf8.count + 1 : 0
            note("\(error)", path, at: value.bytes.lowerBound + before)
            return nil
        }
    }
}
