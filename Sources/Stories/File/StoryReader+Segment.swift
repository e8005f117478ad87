import Documents
import Foundation
import OrderedCollections
import TimeMaps

extension StoryReader {
    mutating func readSegment(_ value: JSONValue, _ path: DocumentPath) -> Story.Segment? {
        guard let object = object(value, path, known: SegmentKey.self) else {
            return nil
        }
        let media = required("media", of: object, value, path) { reader, value, path in
            reader.filePath(value, path)
        }
        let captions = list(
            object["captions"], path.key("captions"), atMost: StoryLimits.mostCaptions)
        let events = list(object["events"], path.key("events"), atMost: StoryLimits.mostEvents)
        let choices = list(object["choices"], path.key("choices"), atMost: StoryLimits.mostChoices)
        return Story.Segment(
            title: object["title"].flatMap { name($0, path.key("title")) },
            media: media ?? "",
            range: readRange(object["range"], path.key("range")),
            retiming: readRetiming(object, value, path),
            dissolve: object["dissolve"].flatMap { time($0, path.key("dissolve")) },
            role: readRole(object["role"], path.key("role")),
            captions: each(captions, path.key("captions")) { $0.readCaptions($1, $2) },
            events: each(events, path.key("events")) { $0.readEvent($1, $2) },
            choices: each(choices, path.key("choices")) { $0.readChoice($1, $2) },
            default: optionalName(object["default"], path.key("default")),
            loop: truth(object["loop"], path.key("loop")) ?? false,
            then: optionalName(object["then"], path.key("then")))
    }

    private typealias Read<Value> = (inout StoryReader, JSONValue, DocumentPath) -> Value?

    private mutating func each<Value>(
        _ list: [JSONValue], _ path: DocumentPath, _ read: Read<Value>
    ) -> [Value] {
        var values: [Value] = []
        for (index, value) in list.enumerated() {
            if let value = read(&self, value, path.index(index)) {
                values.append(value)
            }
        }
        return values
    }

    private mutating func required<Value>(
        _ key: String, of object: JSONObject, _ owner: JSONValue, _ path: DocumentPath,
        _ read: Read<Value>
    ) -> Value? {
        guard let value = object[key] else {
            note("\"\(key)\" is missing", path, owner)
            return nil
        }
        return read(&self, value, path.key(key))
    }

    private mutating func readRange(_ value: JSONValue?, _ path: DocumentPath) -> TimeRange? {
        guard let value else {
            return nil
        }
        guard let ends = value.list, ends.count == 2 else {
            note("a range must be two times, such as [\"2\", \"12.5\"]", path, value)
            return nil
        }
        guard let start = time(ends[0], path.index(0)), let end = time(ends[1], path.index(1))
        else {
            return nil
        }
        guard start < end, let range = try? TimeRange(start: start, end: end) else {
            note(
                "the range ends at \(end.secondsText) s, which is not after its start", path, value)
            return nil
        }
        return range
    }

    private mutating func readRole(_ value: JSONValue?, _ path: DocumentPath) -> StoryRole {
        guard let value, let text = string(value, path) else {
            return .intermediate
        }
        guard let role = StoryRole(rawValue: text) else {
            let names = StoryRole.allCases.map(\.rawValue)
            note(
                "there is no role \"\(text)\".\(hint(for: text, in: names)) The roles are "
                    + names.joined(separator: ", "), path, value)
            return .intermediate
        }
        return role
    }

    private mutating func readCaptions(_ value: JSONValue, _ path: DocumentPath) -> StoryCaptions? {
        guard let object = object(value, path, known: CaptionsKey.self) else {
            return nil
        }
        let file = required("file", of: object, value, path) { $0.filePath($1, $2) }
        let language = required("language", of: object, value, path) { $0.readLanguage($1, $2) }
        let label = object["label"].map { name($0, path.key("label")) } ?? language
        guard let file, let language, let label else {
            return nil
        }
        return StoryCaptions(file: file, language: language, label: label)
    }

    private mutating func readEvent(_ value: JSONValue, _ path: DocumentPath) -> Story.Event? {
        guard let object = object(value, path, known: EventKey.self) else {
            return nil
        }
        let at = required("at", of: object, value, path) { $0.time($1, $2) }
        let cue = required("do", of: object, value, path) { $0.name($1, $2) }
        guard let at, let cue else {
            return nil
        }
        return Story.Event(at: at, cue: StoryCue(cue))
    }

    private mutating func readChoice(_ value: JSONValue, _ path: DocumentPath) -> Story.Choice? {
        guard let object = object(value, path, known: ChoiceKey.self) else {
            return nil
        }
        let label = required("label", of: object, value, path) { $0.name($1, $2) }
        let target = required("goto", of: object, value, path) { $0.name($1, $2) }
        let key = object["key"].flatMap { readKey($0, path.key("key")) }
        let condition = object["when"].flatMap { expression($0, path.key("when")) }
        let assignments = readAssignments(object["set"], path.key("set"))
        let area = object["area"].flatMap { readArea($0, path.key("area")) }
        let isImmediate = truth(object["immediately"], path.key("immediately")) ?? false
        guard let label, let target else {
            return nil
        }
        return Story.Choice(
            label, key: key, goto: target, when: condition, set: assignments, area: area,
            immediately: isImmediate)
    }

    private mutating func readKey(_ value: JSONValue, _ path: DocumentPath) -> Character? {
        guard let text = string(value, path) else {
            return nil
        }
        guard text.count == 1, let key = text.first, !key.isWhitespace,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            note("a key must be one character that can be typed, such as \"o\"", path, value)
            return nil
        }
        return key
    }

    private mutating func readAssignments(
        _ value: JSONValue?, _ path: DocumentPath
    ) -> OrderedDictionary<String, StoryExpression> {
        guard let value, let members = members(of: value, path) else {
            return [:]
        }
        guard members.count <= StoryLimits.mostVariables else {
            note("there are more than \(StoryLimits.mostVariables) assignments", path, value)
            return [:]
        }
        var assignments: OrderedDictionary<String, StoryExpression> = [:]
        for member in members {
            if let formula = expression(member.value, path.key(member.key)) {
                assignments[member.key] = formula
            }
        }
        return assignments
    }

    private mutating func readArea(_ value: JSONValue, _ path: DocumentPath) -> StoryArea? {
        let shares = value.list?.compactMap(\.number) ?? []
        guard shares.count == 4, value.list?.count == 4,
            let area = StoryArea(x: shares[0], y: shares[1], width: shares[2], height: shares[3])
        else {
            note(
                "an area must be [x, y, width, height] as fractions of the frame, from 0 to 1, "
                    + "and lie within the frame", path, value)
            return nil
        }
        return area
    }
}
