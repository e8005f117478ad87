import CLibXML2
import Foundation
import TimeWarp

extension XMLItem {
    /// How deep elements may nest.
    private static let deepest = 200
    private static let mostElements = 4_000_000

    /// Reads an XML file whose root has one of some names.
    ///
    /// - Parameter kind: what the file should be, for error messages: `a Final Cut Pro file`.
    /// - Throws: ``CompositionError`` as ``reading(_:as:)`` does, and if the root has another name.
    static func root(of file: Data, called names: [String], as kind: String) throws -> XMLItem {
        let root = try reading(file, as: kind)
        guard names.contains(root.name) else {
            let endings = ["fcpxml": ".fcpxml", "xmeml": ".xml", "mlt": ".mlt"]
            let hint = endings[root.name].map { "; name it \($0)" } ?? ""
            throw CompositionError(
                .malformed, "its root is <\(root.name)> instead of <\(names[0])>\(hint)")
        }
        return root
    }

    /// Reads an XML file.
    ///
    /// Files from elsewhere are not trusted: a file that declares entities or refers to another file is refused when its
    /// declarations have been read, before anything is expanded, and nothing but the given bytes is ever read.
    ///
    /// - Parameter kind: what the file should be, for error messages: `a Final Cut Pro file`.
    /// - Returns: the root element.
    /// - Throws: ``CompositionError`` if it isn't well-formed, declares entities, refers to other files, or has more than
    ///   4 000 000 elements or 200 levels.
    /// - Complexity: O(size); the memory is about ten times the file's size.
    static func reading(_ file: Data, as kind: String) throws -> XMLItem {
        guard !file.isEmpty else {
            throw CompositionError(.malformed, "it isn't \(kind): it is empty")
        }
        return try file.withUnsafeBytes { bytes in
            // Nothing is fetched, and entities stay what they are.
            let options =
                XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
                | XML_PARSE_NOWARNING.rawValue
            guard let count = Int32(exactly: bytes.count),
                let reader = xmlReaderForMemory(
                    bytes.bindMemory(to: CChar.self).baseAddress, count, nil, nil, Int32(options))
            else {
                throw CompositionError(.unsupported, "it is too large")
            }
            defer {
                xmlFreeTextReader(reader)
            }
            return try tree(reader, kind)
        }
    }

    private static func tree(_ reader: xmlTextReaderPtr, _ kind: String) throws -> XMLItem {
        var tree = XMLTree()
        var count = 0
        var result = xmlTextReaderRead(reader)
        while result == 1 {
            switch xmlReaderTypes(UInt32(bitPattern: xmlTextReaderNodeType(reader))) {
            case XML_READER_TYPE_ELEMENT:
                count += 1
                guard count <= mostElements else {
                    throw refusal("has more than \(mostElements) elements")
                }
                guard tree.depth < deepest else {
                    throw refusal("is nested more than \(deepest) levels deep")
                }
                let isEmpty = xmlTextReaderIsEmptyElement(reader) == 1
                tree.begin(
                    XMLItem(reading: string(xmlTextReaderConstName(reader)), attributes(reader)))
                if isEmpty {
                    tree.end()
                }
            case XML_READER_TYPE_END_ELEMENT:
                tree.end()
            case XML_READER_TYPE_TEXT, XML_READER_TYPE_CDATA:
                tree.add(string(xmlTextReaderConstValue(reader)))
            case XML_READER_TYPE_DOCUMENT_TYPE where tw_declares(reader) != 0:
                throw refusal(
                    "has a DOCTYPE that declares something or refers to another file, which is not read"
                )
            case XML_READER_TYPE_ENTITY_REFERENCE:
                throw refusal("uses entities, which are not read")
            default:
                break
            }
            result = xmlTextReaderRead(reader)
        }
        guard result == 0, let root = tree.root else {
            let line = max(1, xmlTextReaderGetParserLineNumber(reader))
            throw CompositionError(.malformed, "line \(line): it isn't \(kind)\(reason)")
        }
        return root
    }

    private static func refusal(_ reason: String) -> CompositionError {
        CompositionError(.unsupported, "it \(reason)")
    }

    private static func string(_ text: UnsafePointer<xmlChar>?) -> String {
        text.map { String(cString: $0) } ?? ""
    }

    private static func attributes(_ reader: xmlTextReaderPtr) -> [String: String] {
        var attributes: [String: String] = [:]
        while xmlTextReaderMoveToNextAttribute(reader) == 1 {
            attributes[string(xmlTextReaderConstName(reader))] = string(
                xmlTextReaderConstValue(reader))
        }
        return attributes
    }

    /// Why the last file can't be read.
    private static var reason: String {
        switch xmlParserErrors(UInt32(bitPattern: tw_last_xml_error())) {
        case XML_ERR_DOCUMENT_END, XML_ERR_TAG_NOT_FINISHED: " (it ends too early)"
        case XML_ERR_TAG_NAME_MISMATCH: " (an element is closed that wasn't open)"
        case XML_ERR_UNDECLARED_ENTITY: " (it uses an entity that isn't declared)"
        case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_ENCODING: " (a character of it can't be read)"
        default: " (it isn't well-formed XML)"
        }
    }
}

/// Elements while they are read.
private struct XMLTree {
    private var open: [XMLItem] = []
    private(set) var root: XMLItem?

    var depth: Int { open.count }

    mutating func begin(_ item: XMLItem) {
        open.append(item)
    }

    mutating func add(_ text: String) {
        if let last = open.indices.last, open[last].children.isEmpty {
            open[last].text += text
        }
    }

    mutating func end() {
        guard var item = open.popLast() else {
            return
        }
        if !item.children.isEmpty {
            item.text = ""
        } else if item.text.mayHaveSpaceAround {
            item.text = item.text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        if let parent = open.indices.last {
            open[parent].append(item)
        } else {
            root = item
        }
    }
}

extension String {
    /// Whether its first or last byte is anything but a visible character of ASCII. To look for other spaces takes long.
    fileprivate var mayHaveSpaceAround: Bool {
        guard let first = utf8.first, let last = utf8.last else {
            return false
        }
        return !(0x21...0x7E ~= first && 0x21...0x7E ~= last)
    }
}
