import Foundation

/// Writes SVG elements as text.
package struct SVGWriter {
    private(set) var text = ""

    /// Escapes text for use in elements and attributes. All text except names and numbers must be escaped.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += " "
            // XML 1.0 doesn't allow these characters.
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The number rounded to one decimal place.
    package static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let rest = abs(tenths) % 10
        return "\(sign)\(abs(tenths) / 10)\(rest == 0 ? "" : ".\(rest)")"
    }

    package mutating func raw(_ line: String) {
        text += line + "\n"
    }

    package mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String> = [:]) {
        raw("<\(name)\(Self.joined(attributes))>")
    }

    package mutating func close(_ name: String) {
        raw("</\(name)>")
    }

    package mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String>) {
        raw("<\(name)\(Self.joined(attributes))/>")
    }

    package mutating func element(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:], holding content: String
    ) {
        raw("<\(name)\(Self.joined(attributes))>\(Self.escaped(content))</\(name)>")
    }

    private static func joined(_ attributes: KeyValuePairs<String, String>) -> String {
        attributes.reduce(into: "") { $0 += " \($1.key)=\"\(escaped($1.value))\"" }
    }

    /// The text shortened to a width, measured in Latin letters; ideographs count twice.
    package static func fitted(_ text: String, letters: Int) -> String {
        var width = 0
        var fitting = ""
        for character in text {
            let isWide = (character.unicodeScalars.first?.value ?? 0) >= 0x1100
            width += isWide ? 2 : 1
            if width > letters {
                while let last = fitting.last, fitting.count >= letters || last == " " {
                    fitting.removeLast()
                }
                return fitting + "…"
            }
            fitting.append(character)
        }
        return fitting
    }

    /// The width of a text, measured in Latin letters; ideographs count twice.
    package static func letters(_ text: String) -> Int {
        text.reduce(0) { $0 + (($1.unicodeScalars.first?.value ?? 0) >= 0x1100 ? 2 : 1) }
    }
}
