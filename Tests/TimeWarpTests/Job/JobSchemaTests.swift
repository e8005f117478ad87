import Foundation
import Testing
import TimeWarp

/// The schema of jobs, which is made from the types.
@Suite("The schema of jobs")
struct JobSchemaTests {
    private let schema: [String: Any]

    init() throws {
        schema = try #require(
            try JSONSerialization.jsonObject(with: RenderJob.schema()) as? [String: Any])
    }

    @Test("everything that is written fits it (500, seed 6)")
    func fits() throws {
        var random = RandomJobs(seed: 6)
        for _ in 0..<500 {
            let job = try JSONSerialization.jsonObject(with: random.job().json())
            #expect(fault(of: job, schema) == nil)
        }
    }

    @Test("what is refused doesn't fit it")
    func refuses() throws {
        var random = RandomJobs(seed: 6)
        let job = try #require(
            try JSONSerialization.jsonObject(with: random.job().json()) as? [String: Any])
        for key in ["timewarp", "timeline", "output"] {
            var lacking = job
            lacking[key] = nil
            #expect(fault(of: lacking, schema) == "\(key) is missing")
        }
        var other = job
        other["audo"] = [:]
        #expect(fault(of: other, schema) == "audo isn't known")
        other = job
        other["video"] = ["frames": "smooth"]
        #expect(fault(of: other, schema) == "smooth isn't a choice")
        other["video"] = ["shutter": "wide"]
        #expect(fault(of: other, schema) == "wide has another type")
        other["video"] = [:]
        #expect(fault(of: other, schema) == nil)
    }

    @Test("it says what each key says, and of no other")
    func descriptions() {
        var places: [String] = ["timewarp"]
        func visit(_ schema: [String: Any], _ place: String) {
            for (key, value) in schema["properties"] as? [String: [String: Any]] ?? [:] {
                let inner = place.isEmpty ? key : place + "." + key
                places.append(inner)
                let described = (value["description"] as? String).map { !$0.isEmpty } ?? false
                #expect(described, "\(inner)")
                visit(value, inner)
            }
            (schema["items"] as? [String: Any]).map { visit($0, place + "[]") }
        }
        visit(schema, "")
        for (name, definition) in schema["$defs"] as? [String: [String: Any]] ?? [:] {
            visit(definition, name)
        }
        #expect(Set(places) == Set(RenderJob.descriptions.keys))
    }

    /// What of a value doesn't fit a schema; nil if all does.
    private func fault(of value: Any, _ rules: [String: Any]) -> String? {
        if let reference = (rules["$ref"] as? String)?.split(separator: "/").last,
            let named = (schema["$defs"] as? [String: Any])?[String(reference)] as? [String: Any]
        {
            return fault(of: value, named)
        }
        let types = rules["type"] as? [String] ?? [rules["type"] as? String ?? ""]
        guard types.contains(where: { isOf($0, value) }) else {
            return "\(value) has another type"
        }
        if let choices = rules["enum"] as? [String], let text = value as? String {
            return choices.contains(text) ? nil : "\(text) isn't a choice"
        }
        if let list = value as? [Any], let items = rules["items"] as? [String: Any] {
            return list.lazy.compactMap { self.fault(of: $0, items) }.first
        }
        guard let object = value as? [String: Any] else {
            return nil
        }
        let properties = rules["properties"] as? [String: [String: Any]] ?? [:]
        if let missing = (rules["required"] as? [String] ?? []).first(where: { object[$0] == nil })
        {
            return "\(missing) is missing"
        }
        return object.lazy.compactMap { key, inner in
            properties[key].map { self.fault(of: inner, $0) } ?? "\(key) isn't known"
        }.first
    }

    private func isOf(_ type: String, _ value: Any) -> Bool {
        let isTruth = value is NSNumber && CFBoolean.isOne(value)
        switch type {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "boolean": return isTruth
        case "number", "integer": return value is NSNumber && !isTruth
        default: return false
        }
    }
}

/// Whether a number of `JSONSerialization` is a truth value.
private enum CFBoolean {
    static func isOne(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else {
            return false
        }
        return String(cString: number.objCType) == "c"
    }
}
