import TimeMaps

// The kinds of values that a story file is made of. Each method notes what is wrong and gives nil
// then, so that reading goes on.
extension StoryReader {
    /// An object with none but the known keys.
    mutating func object<Key: CaseIterable & RawRepresentable<String>>(
        _ value: JSONValue, _ path: StoryPath, known: Key.Type
    ) -> JSONObject? {
        guard members(of: value, path) != nil, let object = value.object else {
            return nil
        }
        let names = Key.allCases.map(\.rawValue)
        for member in object.members where !names.contains(member.key) {
            let hint = hint(for: member.key, in: names)
            note(
                "\"\(member.key)\" means nothing here.\(hint) Known are "
                    + names.joined(separator: ", "), path, at: member.offset)
        }
        return object
    }

    /// The members of an object with any keys.
    mutating func members(of value: JSONValue, _ path: StoryPath) -> [JSONObject.Member]? {
        guard let object = value.object else {
            note("it is \(value.kind), not an object", path, value)
            return nil
        }
        for member in object.repeated {
            note("\"\(member.key)\" is there twice", path.key(member.key), at: member.offset)
        }
        return object.members
    }

    /// A list; an absent one is empty.
    mutating func list(
        _ value: JSONValue?, _ path: StoryPath, atMost most: Int
    ) -> [JSONValue] {
        guard let value else {
            return []
        }
        guard let list = value.list else {
            note("it is \(value.kind), not a list", path, value)
            return []
        }
        guard list.count <= most else {
            note("there are \(list.count); \(most) is the most", path, value)
            return []
        }
        return list
    }

    mutating func string(_ value: JSONValue, _ path: StoryPath) -> String? {
        guard let text = value.text else {
            note("it is \(value.kind), not a text", path, value)
            return nil
        }
        return text
    }

    mutating func truth(_ value: JSONValue?, _ path: StoryPath) -> Bool? {
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
    mutating func name(_ value: JSONValue, _ path: StoryPath) -> String? {
        guard let text = string(value, path) else {
            return nil
        }
        return checkName(text, path, at: value.bytes.lowerBound) ? text : nil
    }

    @discardableResult
    mutating func checkName(_ name: String, _ path: StoryPath, at offset: Int) -> Bool {
        let most = StoryLimits.longestName
        if name.allSatisfy(\.isWhitespace) {
            note("it is empty", path, at: offset)
        } else if name.utf8.count > most * 32 || name.count > most {
            note("it has more than \(most) characters", path, at: offset)
        } else if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        {
            note("it holds a control character", path, at: offset)
        } else if name == "__proto__" {
            note("this name means something else in JavaScript", path, at: offset)
        } else {
            return true
        }
        return false
    }

    /// The name of a segment; null is none.
    mutating func optionalName(_ value: JSONValue?, _ path: StoryPath) -> String? {
        guard let value else {
            return nil
        }
        if case .null = value.content {
            return nil
        }
        return name(value, path)
    }

    mutating func filePath(_ value: JSONValue, _ path: StoryPath) -> String? {
        guard let text = string(value, path) else {
            return nil
        }
        guard !text.isEmpty, text.utf8.count <= StoryLimits.longestPath, !text.contains("\0") else {
            note("it is no path of a file", path, value)
            return nil
        }
        return text
    }

    /// Seconds as a number, taken to the nanosecond, or a text, exactly.
    mutating func time(_ value: JSONValue, _ path: StoryPath) -> RationalTime? {
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
                note("\(seconds) s is no time of a clip", path, value)
                return nil
            }
            return time
        default:
            note("it is \(value.kind); a time is a number of seconds or a text", path, value)
            return nil
        }
    }

    /// A BCP 47 tag, by its shape.
    mutating func readLanguage(_ value: JSONValue?, _ path: StoryPath) -> String? {
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
            note("\"\(tag)\" is no language tag; write en or pt-BR", path, value)
            return nil
        }
        return tag
    }

    /// A formula over the story's variables.
    mutating func expression(_ value: JSONValue, _ path: StoryPath) -> StoryExpression? {
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
        written text: String, _ value: JSONValue, _ path: StoryPath
    ) -> StoryExpression? {
        do {
            return try StoryExpression(text, variables: variables)
        } catch {
            // Where nothing is escaped, the column of the formula is a column of the file.
            let isPlain = value.bytes.count == text.utf8.count + 2
            let before = isPlain ? text.prefix(error.column - 1).utf8.count + 1 : 0
            note("\(error)", path, at: value.bytes.lowerBound + before)
            return nil
        }
    }
}
