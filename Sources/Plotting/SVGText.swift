import Foundation

/// Edits Cairo's SVG documents as text.
enum SVGText {
    /// The SVG document with a title and a description as its first children.
    static func describing(_ svg: String, title: String, description: String) -> String {
        guard let start = svg.range(of: "<svg"),
            let end = svg.range(of: ">", range: start.upperBound..<svg.endIndex)
        else { return svg }
        let text =
            "\n<title>\(escaped(title))</title>\n<desc>\(escaped(description))</desc>"
        return svg[..<start.upperBound] + " role=\"img\""
            + svg[start.upperBound..<end.upperBound] + text + svg[end.upperBound...]
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }

    /// The SVG document without the number in the page's id. Cairo counts the surfaces of the whole process for
    /// it, so without the number equal drawings give equal bytes.
    static func withoutSurfaceNumber(_ svg: String) -> String {
        guard let start = svg.range(of: " id=\"surface"),
            let end = svg.range(of: "\"", range: start.upperBound..<svg.endIndex),
            svg[start.upperBound..<end.lowerBound].allSatisfy(\.isNumber)
        else { return svg }
        return svg[..<start.lowerBound] + " id=\"plot\"" + svg[end.upperBound...]
    }
}
