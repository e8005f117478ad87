import Documents

extension Schema {
    /// The same in TypeScript.
    func typeScript(_ indent: String = "") -> String {
        if let reference {
            return reference
        }
        if let choices {
            return choices.map { "\"\($0)\"" }.joined(separator: " | ")
        }
        return types.isEmpty
            ? "unknown" : types.map { one($0, indent) }.joined(separator: " | ")
    }

    private func one(_ type: String, _ indent: String) -> String {
        switch type {
        case "integer", "number": return "number"
        case "array":
            let item = items?.typeScript(indent) ?? "unknown"
            return item.contains(" | ") ? "(\(item))[]" : "\(item)[]"
        case "object":
            guard let properties else {
                return "Record<string, \(values?.typeScript(indent) ?? "unknown")>"
            }
            let members = properties.sorted { $0.key < $1.key }.map { key, value in
                let mark = required?.contains(key) ?? false ? "" : "?"
                return "\(indent)    \(key)\(mark): \(value.typeScript(indent + "    ")),\n"
            }
            return "{\n\(members.joined())\(indent)}"
        default: return type
        }
    }
}
