/// An element of an XML file.
struct XMLItem {
    let name: String
    var attributes: [String: String] = [:]
    /// The elements in it, in order.
    var children: [XMLItem] = []
    /// The text of an element without children, without white space at its ends.
    var text = ""
    /// How much work it is to read it and all that it contains: the number of elements, where a hundred bytes of text count
    /// as one more.
    private(set) var count = 1

    /// An element; attributes without a value aren't written.
    init(
        _ name: String, _ attributes: KeyValuePairs<String, String?> = [:],
        _ children: [XMLItem] = [], text: String = ""
    ) {
        self.name = name
        self.children = children
        self.text = text
        for (key, value) in attributes {
            self.attributes[key] = value
        }
        order = attributes.compactMap { $0.value == nil ? nil : $0.key }
    }

    /// An element with a text.
    init(_ name: String, _ text: some LosslessStringConvertible) {
        self.init(name, [:], [], text: text.description)
    }

    /// An element as it was read.
    init(reading name: String, _ attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
        count += attributes.values.reduce(0) { $0 + $1.utf8.count } / 100
    }

    /// The names of the attributes in the order in which they are written.
    private(set) var order: [String] = []

    /// Adds an element that was read.
    mutating func append(_ child: XMLItem) {
        children.append(child)
        count += child.count + child.text.utf8.count / 100
    }

    /// Sets an attribute if it has a value.
    mutating func set(_ attribute: String, _ value: String?) {
        if let value, attributes.updateValue(value, forKey: attribute) == nil {
            order.append(attribute)
        }
    }

    /// The value of an attribute.
    subscript(attribute: String) -> String? { attributes[attribute] }

    /// The first child of this name.
    func first(_ name: String) -> XMLItem? { children.first { $0.name == name } }

    /// All children of this name.
    func all(_ name: String) -> [XMLItem] { children.filter { $0.name == name } }

    /// The text of the first child of this name; nil if there is none or it is empty.
    func text(of name: String) -> String? {
        first(name).flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    /// The child at the end of a path of names.
    func at(_ path: String...) -> XMLItem? {
        var item: XMLItem? = self
        for name in path {
            item = item?.first(name)
        }
        return item
    }

    /// The first element of this name in it, however deep.
    func deep(_ name: String) -> XMLItem? {
        for child in children {
            if child.name == name {
                return child
            }
            if let found = child.deep(name) {
                return found
            }
        }
        return nil
    }
}

// MARK: - Writing

extension XMLItem {
    /// The file with this element as its root.
    ///
    /// - Parameter doctype: whether a `DOCTYPE` line with the root's name precedes it.
    func file(doctype: Bool) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        if doctype {
            text += "<!DOCTYPE \(name)>\n\n"
        }
        write(to: &text, indent: "")
        return text
    }

    private func write(to output: inout String, indent: String) {
        output += "\(indent)<\(name)"
        for key in order {
            output += " \(key)=\"\(Self.escaped(attributes[key] ?? ""))\""
        }
        guard !children.isEmpty || !text.isEmpty else {
            output += "/>\n"
            return
        }
        guard !children.isEmpty else {
            output += ">\(Self.escaped(text))</\(name)>\n"
            return
        }
        output += ">\n"
        for child in children {
            child.write(to: &output, indent: indent + "    ")
        }
        output += "\(indent)</\(name)>\n"
    }

    private static func escaped(_ text: String) -> String {
        guard
            text.unicodeScalars.contains(where: {
                $0.value < 0x20 || "&<>\"".unicodeScalars.contains($0)
            })
        else {
            return text
        }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case "\t": result += "&#9;"
            // XML has no other control characters.
            case _ where scalar.value < 0x20: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
