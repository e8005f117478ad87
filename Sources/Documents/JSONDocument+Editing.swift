import Foundation

// Changes of a document's text. What isn't changed keeps its bytes: blanks, the order of keys, how numbers are written.

extension JSONDocument {
    /// Lines aren't made longer than this, in bytes, where they can be broken.
    private static let longestLine = 120

    /// The path of a JSON Pointer (RFC 6901), such as `/segments/door/choices/0`. As a last step, `-` stands for the
    /// place after a list's last element.
    ///
    /// - Throws: ``DocumentError`` if it doesn't begin with `/`, or what holds the value isn't there.
    package func path(_ pointer: String) throws(DocumentError) -> DocumentPath {
        var (path, value) = (DocumentPath(), Optional(root))
        let parts = pointer.split(separator: "/", omittingEmptySubsequences: false).map {
            $0.replacing("~1", with: "/").replacing("~0", with: "~")
        }
        guard parts.first == "" else {
            throw wrong("\"\(pointer)\" isn't a JSON Pointer", at: path)
        }
        for part in parts.dropFirst() {
            switch value?.content {
            case .object: path = path.key(String(part))
            case .list(let list):
                guard let index = part == "-" ? list.count : Int(part), index >= 0 else {
                    throw wrong("\"\(part)\" isn't an index", at: path)
                }
                path = path.index(index)
            default: throw wrong("there is no object or list", at: path)
            }
            value = value.flatMap { value in path.steps.last.flatMap(value.inner) }
        }
        return path
    }

    /// The text with a value in place of the one at a path, or after the last one of its object or list.
    ///
    /// A new value has a line of its own if the one before it has. If a line becomes too long, the outermost object or list
    /// that begins there is written over several lines, unless it is the whole document.
    ///
    /// - Throws: ``DocumentError`` if what is to hold the value isn't there.
    package func text(
        setting path: DocumentPath, to value: JSONDocument
    ) throws(DocumentError) -> Data {
        guard let last = path.steps.last else {
            return replacing(root.bytes, by: value)
        }
        if let old = self.value(at: path) {
            return replacing(old.bytes, by: value)
        }
        let (parent, items) = try holder(of: path)
        let key: String
        switch last {
        case .key(let name): key = Self.text(of: name) + ": "
        case .index(let index) where index == items.count: key = ""
        case .index: throw wrong("the list has \(items.count) elements", at: path)
        }
        guard let end = items.last else {
            let (open, close) = parent.object == nil ? ("[", "]") : ("{", "}")
            let style = style(at: parent.bytes.lowerBound)
            let item = key + value.written(value.root, style)
            let isFlat = !item.contains("\n") && style.column + item.utf8.count < Self.longestLine
            let (before, after) =
                isFlat ? (" ", " ") : (style.newline + style.inner, style.newline + style.indent)
            return replacing(parent.bytes, by: open + before + item + after + close)
        }
        let start = items.count > 1 ? items[items.count - 2].upperBound : parent.bytes.lowerBound
        let style = style(at: end.lowerBound)
        let hasOwnLine = text.bytes[start..<end.lowerBound].contains(UInt8(ascii: "\n"))
        let gap = hasOwnLine ? "," + style.newline + style.indent : ", "
        let added = replacing(
            end.upperBound..<end.upperBound,
            by: gap + key + value.written(value.root, hasOwnLine ? style : style.flat))
        guard !hasOwnLine else {
            return added
        }
        let changed = try JSONDocument(added)
        let line = changed.text.line(at: end.lowerBound)
        let length = changed.text.bytes(ofLine: line).prefix { $0 != UInt8(ascii: "\n") }.count
        guard length > Self.longestLine,
            let whole = changed.outermost(of: path, onLine: line)
        else {
            return added
        }
        let broken = changed.written(whole, changed.style(at: whole.bytes.lowerBound).broken)
        return changed.replacing(whole.bytes, by: broken)
    }

    /// The outermost of the values around a path that begins on a line; nil if that is the whole document.
    private func outermost(of path: DocumentPath, onLine line: Int) -> JSONValue? {
        let values = path.steps.indices.lazy
            .compactMap { self.value(at: DocumentPath(Array(path.steps.prefix($0)))) }
        let first = values.first { self.text.line(at: $0.bytes.lowerBound) == line }
        return first?.bytes.lowerBound == root.bytes.lowerBound ? nil : first
    }

    /// The text without the value at a path, and without its key.
    ///
    /// - Throws: ``DocumentError`` if it isn't there.
    package func text(removing path: DocumentPath) throws(DocumentError) -> Data {
        let (parent, items) = try holder(of: path)
        guard let value = value(at: path),
            let index = items.firstIndex(where: { $0.upperBound == value.bytes.upperBound })
        else {
            throw wrong("there is no value to remove", at: path)
        }
        if items.count == 1 {
            return replacing(parent.bytes, by: parent.object == nil ? "[]" : "{}")
        }
        return replacing(
            index == 0
                ? items[0].lowerBound..<items[1].lowerBound
                : items[index - 1].upperBound..<items[index].upperBound, by: "")
    }

    /// The text with another key for the value at a path.
    ///
    /// - Throws: ``DocumentError`` if there is no such key, or the object has the other one already.
    package func text(
        renaming path: DocumentPath, to name: String
    ) throws(DocumentError) -> Data {
        let (parent, _) = try holder(of: path)
        guard case .key(let key)? = path.steps.last, let member = parent.object?.member(key) else {
            throw wrong("there is no key to rename", at: path)
        }
        guard key == name || parent.object?[name] == nil else {
            throw wrong("there is a \"\(name)\" already", at: path)
        }
        return replacing(keyBytes(of: member), by: Self.text(of: name))
    }

    // MARK: Finding places

    /// What holds the value at a path, and the bytes of each of its members or elements.
    private func holder(
        of path: DocumentPath
    ) throws(DocumentError) -> (value: JSONValue, items: [Range<Int>]) {
        let outer = DocumentPath(path.steps.dropLast())
        guard let value = value(at: outer), value.object != nil || value.list != nil else {
            throw wrong("there is no object or list", at: outer)
        }
        if let repeated = value.object?.repeated.first {
            throw wrong("the key \"\(repeated.key)\" appears twice", at: outer)
        }
        let members = value.object?.members.map { $0.offset..<$0.value.bytes.upperBound }
        return (value, members ?? value.list?.map(\.bytes) ?? [])
    }

    private func keyBytes(of member: JSONObject.Member) -> Range<Int> {
        var end = member.offset + 1
        while text.bytes[end] != UInt8(ascii: "\"") {
            end += text.bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return member.offset..<(end + 1)
    }

    private func wrong(_ message: String, at path: DocumentPath) -> DocumentError {
        locating(DocumentError(DocumentProblem(path: path, position: nil, message: message)))
    }

    // MARK: Writing

    /// How a value is written at a place.
    private struct Style {
        let newline: String
        /// The blanks at the start of the line, and of one that is a level further in.
        let indent: String
        let inner: String
        /// How many bytes of the line are before the value.
        let column: Int
        /// Whether it is written over several lines, or in one; nil for what fits.
        var isBroken: Bool?

        var broken: Style { with(true) }
        var flat: Style { with(false) }

        private func with(_ isBroken: Bool) -> Style {
            var style = self
            style.isBroken = isBroken
            return style
        }

        /// The style of what is on a line of its own, after `key`, a level further in.
        func within(_ key: String) -> Style {
            let unit = inner.dropFirst(indent.count)
            return Style(
                newline: newline, indent: inner, inner: inner + unit,
                column: (inner + key).utf8.count)
        }
    }

    private func style(at offset: Int) -> Style {
        let line = text.bytes(ofLine: text.line(at: offset))
        let indent = Self.blanks(line)
        // The file's first line that is further in shows by how much.
        let unit =
            (1..<text.lineCount).lazy.map { Self.blanks(self.text.bytes(ofLine: $0)) }
            .first { !$0.isEmpty } ?? "  "
        let isWindows = text.bytes(ofLine: 0).suffix(2).elementsEqual("\r\n".utf8)
        return Style(
            newline: isWindows ? "\r\n" : "\n", indent: indent, inner: indent + unit,
            column: offset - line.startIndex)
    }

    private static func blanks(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
    }

    /// A value as text: in one line if it fits, with its numbers and texts as they are.
    private func written(_ value: JSONValue, _ style: Style) -> String {
        let items: [(key: String, value: JSONValue)]
        switch value.content {
        case .object(let object):
            items = object.members.map {
                (String(decoding: text.bytes[keyBytes(of: $0)], as: UTF8.self) + ": ", $0.value)
            }
        case .list(let list): items = list.map { ("", $0) }
        default: return String(decoding: text.bytes[value.bytes], as: UTF8.self)
        }
        let (open, close) = value.object == nil ? ("[", "]") : ("{", "}")
        guard !items.isEmpty else {
            return open + close
        }
        // Lists of plain values have no blanks inside, as in ["2", "12.5"].
        let isPlain = value.list?.allSatisfy { $0.object == nil && $0.list == nil } ?? false
        let blank = isPlain ? "" : " "
        if style.isBroken != true {
            let flat =
                open + blank
                + items.map { $0.key + written($0.value, style.flat) }.joined(separator: ", ")
                + blank + close
            if style.isBroken == false || style.column + flat.utf8.count < Self.longestLine {
                return flat
            }
        }
        let lines = items.map { style.inner + $0.key + written($0.value, style.within($0.key)) }
        return open + style.newline + lines.joined(separator: "," + style.newline) + style.newline
            + style.indent + close
    }

    private func replacing(_ range: Range<Int>, by value: JSONDocument) -> Data {
        replacing(range, by: value.written(value.root, style(at: range.lowerBound)))
    }

    private func replacing(_ range: Range<Int>, by new: String) -> Data {
        var bytes = text.bytes
        bytes.replaceSubrange(range, with: Array(new.utf8))
        return Data(bytes)
    }

    /// A text in quotes.
    private static func text(of plain: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let data = try? encoder.encode(plain)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
