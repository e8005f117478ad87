/// A JSON value and its position in the text.
package struct JSONValue: Sendable {
    package enum Content: Sendable {
        case object(JSONObject)
        case list([JSONValue])
        case text(String)
        case number(Double)
        case truth(Bool)
        case null
    }
    package let content: Content
    /// The byte range of the value in the text.
    package let bytes: Range<Int>

    package var object: JSONObject? {
        guard case .object(let object) = content else {
            return nil
        }
        return object
    }

    package var list: [JSONValue]? {
        guard case .list(let list) = content else {
            return nil
        }
        return list
    }

    package var text: String? {
        guard case .text(let text) = content else {
            return nil
        }
        return text
    }

    package var number: Double? {
        guard case .number(let number) = content else {
            return nil
        }
        return number
    }

    /// The value one step further in; nil if there is none.
    package func inner(_ step: DocumentPath.Step) -> JSONValue? {
        switch step {
        case .key(let key):
            return object?[key]
        case .index(let index):
            return list.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }

    /// The kind of value, for error messages.
    package var kind: String {
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
package struct JSONObject: Sendable {
    package struct Member: Sendable {
        package let key: String
        /// The position of the key in the text, in bytes.
        package let offset: Int
        package let value: JSONValue
    }
    package let members: [Member]
    /// Members whose key already occurred; they are reported as errors and otherwise ignored.
    package let repeated: [Member]
    /// The index of each key in `members`. It is empty for small objects, in which a linear search is faster.
    private let places: [String: Int]

    init(_ all: [Member]) {
        let places = Self.places(of: all)
        let later = all.indices.filter { index in
            places.isEmpty
                ? all[..<index].contains { $0.key == all[index].key }
                : places[all[index].key] != index
        }
        guard !later.isEmpty else {
            (members, repeated, self.places) = (all, [], places)
            return
        }
        let isLater = Set(later)
        members = all.indices.filter { !isLater.contains($0) }.map { all[$0] }
        repeated = later.map { all[$0] }
        self.places = Self.places(of: members)
    }

    /// The first index of each key; none if there are few.
    private static func places(of members: [Member]) -> [String: Int] {
        members.count > 16
            ? Dictionary(zip(members.map(\.key), members.indices)) { first, _ in first } : [:]
    }

    /// The index of a key in `members`.
    func index(of key: String) -> Int? {
        places.isEmpty ? members.firstIndex { $0.key == key } : places[key]
    }

    package func member(_ key: String) -> Member? { index(of: key).map { members[$0] } }

    package subscript(key: String) -> JSONValue? { member(key)?.value }
}
