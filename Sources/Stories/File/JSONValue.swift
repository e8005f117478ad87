/// A JSON value and its position in the text.
struct JSONValue: Sendable {
    enum Content: Sendable {
        case object(JSONObject)
        case list([JSONValue])
        case text(String)
        case number(Double)
        case truth(Bool)
        case null
    }
    let content: Content
    /// The byte range of the value in the text.
    let bytes: Range<Int>

    var object: JSONObject? {
        guard case .object(let object) = content else {
            return nil
        }
        return object
    }

    var list: [JSONValue]? {
        guard case .list(let list) = content else {
            return nil
        }
        return list
    }

    var text: String? {
        guard case .text(let text) = content else {
            return nil
        }
        return text
    }

    var number: Double? {
        guard case .number(let number) = content else {
            return nil
        }
        return number
    }

    /// The kind of value, for error messages.
    var kind: String {
        switch content {
        case .object: "an object"
        case .list: "a list"
        case .text: "a text"
        case .number: "a number"
        case .truth: "true or false"
        case .null: "null"
        }
    }
}

/// The members of a JSON object in the order of the text.
struct JSONObject: Sendable {
    struct Member: Sendable {
        let key: String
        /// The position of the key in the text, in bytes.
        let offset: Int
        let value: JSONValue
    }
    let members: [Member]
    /// Members whose key already occurred; they are reported as errors and otherwise ignored.
    let repeated: [Member]
    /// The index of each key in `members`. It is empty for small objects, in which a linear search is faster.
    private let places: [String: Int]

    init(_ all: [Member]) {
        var kept: [Member] = []
        var repeated: [Member] = []
        var places: [String: Int] = [:]
        let isLarge = all.count > 16
        for member in all {
            let isKnown =
                isLarge
                ? places[member.key] != nil : kept.contains { $0.key == member.key }
            if isKnown {
                repeated.append(member)
                continue
            }
            if isLarge {
                places[member.key] = kept.count
            }
            kept.append(member)
        }
        (members, self.repeated, self.places) = (kept, repeated, places)
    }

    func member(_ key: String) -> Member? {
        places.isEmpty
            ? members.first { $0.key == key } : places[key].map { members[$0] }
    }

    subscript(key: String) -> JSONValue? { member(key)?.value }
}
