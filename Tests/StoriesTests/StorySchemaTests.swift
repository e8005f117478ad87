import Documents
import Foundation
import Testing
import TimeMaps

@testable import Stories

@Suite("The published schema")
struct StorySchemaTests {
    private let schema: [String: Any]

    init() throws {
        let object = try JSONSerialization.jsonObject(with: Data(StorySchema.text.utf8))
        schema = try #require(object as? [String: Any])
    }

    private func keys(of name: String) throws -> [String] {
        let definition = try #require(self.definition(name))
        #expect(definition["additionalProperties"] as? Bool == false)
        return (definition["properties"] as? [String: Any] ?? [:]).keys.sorted()
    }

    private func definition(_ name: String) -> [String: Any]? {
        (schema["$defs"] as? [String: Any])?[name] as? [String: Any]
    }

    @Test("holds the keys that are read, and no others")
    func sameKeys() throws {
        #expect(try keys(of: "story") == StoryKey.allCases.map(\.rawValue).sorted())
        #expect(try keys(of: "controls") == ControlsKey.allCases.map(\.rawValue).sorted())
        #expect(try keys(of: "segment") == SegmentKey.allCases.map(\.rawValue).sorted())
        #expect(try keys(of: "choice") == ChoiceKey.allCases.map(\.rawValue).sorted())
        #expect(try keys(of: "event") == EventKey.allCases.map(\.rawValue).sorted())
        #expect(try keys(of: "captions") == CaptionsKey.allCases.map(\.rawValue).sorted())
        #expect(try keys(of: "point") == PointKey.allCases.map(\.rawValue).sorted())
    }

    @Test("knows the keys of curve files")
    func curveKeys() throws {
        let error = try #require(throws: DocumentError.self) {
            try Curve(
                json: Data(#"{ "timewarp": "curve/1", "curve": "ramp", "nonsense": 1 }"#.utf8))
        }
        let known = try #require(error.description.components(separatedBy: "Known keys are ").last)
        #expect(try keys(of: "curve") == known.components(separatedBy: ", ").sorted())
    }

    @Test("knows the roles and the limits")
    func limits() throws {
        let properties = try #require(definition("segment")?["properties"] as? [String: Any])
        func property(_ name: String, _ key: String) -> Any? {
            (properties[name] as? [String: Any])?[key]
        }
        #expect(property("role", "enum") as? [String] == StoryRole.allCases.map(\.rawValue))
        #expect(property("choices", "maxItems") as? Int == StoryLimits.mostChoices)
        #expect(property("events", "maxItems") as? Int == StoryLimits.mostEvents)
        #expect(property("captions", "maxItems") as? Int == StoryLimits.mostCaptions)
        #expect(property("timeMap", "maxItems") as? Int == TimeMapDocument.mostPoints)
        #expect(definition("name")?["maxLength"] as? Int == StoryLimits.longestName)
        #expect(definition("path")?["maxLength"] as? Int == StoryLimits.longestPath)
    }

    @Test("the example fits it")
    func example() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Sample.lockedRoom.utf8))
        #expect(SchemaCheck(schema).problems(of: object) == [])
    }

    @Test("an address fits it if it can be sent to")
    func addresses() throws {
        let story = try JSONSerialization.jsonObject(with: Data(Sample.lockedRoom.utf8))
        for address in [
            "https://example.org/v", "http://a:81", "https://example.org?x", "HTTPS://b/%20",
            "ftp://b/",
            "https://", "https://a@b/", "https://b/#x", "https://b/ ", "https://[::1]/", "b",
        ] {
            var object = try #require(story as? [String: Any])
            object["analytics"] = address
            #expect(
                SchemaCheck(schema).problems(of: object).isEmpty == (VisitAddress(address) != nil),
                "\(address)")
        }
    }

    @Test("made-up stories fit it", arguments: 1...10 as ClosedRange<UInt64>)
    func random(seed: UInt64) throws {
        var maker = StoryMaker(seed: seed)
        let object = try JSONSerialization.jsonObject(with: Data(maker.json(segments: 8).utf8))
        #expect(SchemaCheck(schema).problems(of: object) == [], "seed \(seed)")
    }

    @Test(
        "what is misspelt, missing or of the wrong kind doesn't fit it",
        arguments: [
            (#""a": { "media": "m", "chioces": [] }"#, "/segments/a/chioces"),
            (#""a": { }"#, "/segments/a"),
            (#""a": { "media": 1 }"#, "/segments/a/media"),
            (#""a": { "media": "m", "role": "hero" }"#, "/segments/a/role"),
            (#""a": { "media": "m", "range": [1] }"#, "/segments/a/range"),
            (
                #""a": { "media": "m", "events": [ { "at": -1, "do": "x" } ] }"#,
                "/segments/a/events/0/at"
            ),
        ])
    func wrong(segment: String, place: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(Sample.json(segment).utf8))
        #expect(SchemaCheck(schema).problems(of: object).contains(place))
    }
}

/// A validator for the part of JSON Schema that the published schema uses.
struct SchemaCheck {
    private let root: [String: Any]

    init(_ root: [String: Any]) {
        self.root = root
    }

    /// The paths that violate the schema.
    func problems(of value: Any) -> [String] {
        problems(value, root, "")
    }

    private func problems(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
        var problems: [String] = []
        if let reference = schema["$ref"] as? String {
            let name = reference.replacingOccurrences(of: "#/$defs/", with: "")
            let definitions = root["$defs"] as? [String: Any]
            guard let target = definitions?[name] as? [String: Any] else {
                return ["\(place) \(reference)"]
            }
            problems += self.problems(value, target, place)
        }
        if let any = schema["anyOf"] as? [[String: Any]],
            any.allSatisfy({ !self.problems(value, $0, place).isEmpty })
        {
            problems.append(place)
        }
        if let constant = schema["const"] as? String, value as? String != constant {
            problems.append(place)
        }
        if let choices = schema["enum"] as? [String],
            !choices.contains(value as? String ?? "")
        {
            problems.append(place)
        }
        if let type = schema["type"] as? String, !fits(value, type) {
            return problems + [place]
        }
        return problems + bounds(value, schema, place) + members(value, schema, place)
    }

    private func fits(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": value is Bool
        case "number": value is NSNumber
        case "null": value is NSNull
        default: false
        }
    }

    private func bounds(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
        var fits = true
        if let text = value as? String {
            fits =
                text.count >= schema["minLength"] as? Int ?? 0
                && text.count <= schema["maxLength"] as? Int ?? .max
            if let pattern = schema["pattern"] as? String {
                fits = fits && text.range(of: pattern, options: .regularExpression) != nil
            }
        } else if let list = value as? [Any] {
            fits =
                list.count >= schema["minItems"] as? Int ?? 0
                && list.count <= schema["maxItems"] as? Int ?? .max
        } else if let number = (value as? NSNumber)?.doubleValue {
            fits =
                number >= (schema["minimum"] as? NSNumber)?.doubleValue ?? -.infinity
                && number <= (schema["maximum"] as? NSNumber)?.doubleValue ?? .infinity
        }
        return fits ? [] : [place]
    }

    private func members(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
        if let list = value as? [Any], let items = schema["items"] as? [String: Any] {
            return list.enumerated().flatMap { problems($1, items, "\(place)/\($0)") }
        }
        guard let object = value as? [String: Any] else {
            return []
        }
        var found: [String] = []
        for key in schema["required"] as? [String] ?? [] where object[key] == nil {
            found.append(place)
        }
        let properties = schema["properties"] as? [String: Any] ?? [:]
        for (key, member) in object {
            let place = "\(place)/\(key)"
            if let names = schema["propertyNames"] as? [String: Any] {
                found += problems(key, names, place)
            }
            if let property = properties[key] as? [String: Any] {
                found += problems(member, property, place)
            } else if let others = schema["additionalProperties"] as? [String: Any] {
                found += problems(member, others, place)
            } else if schema["additionalProperties"] as? Bool == false {
                found.append(place)
            }
        }
        return found.sorted()
    }
}
