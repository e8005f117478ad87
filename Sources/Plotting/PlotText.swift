import Foundation

/// Formats numbers and texts for plots.
package enum PlotText {
    /// A number with four significant digits, without trailing zeros. Close to 1, where small differences
    /// matter, it has six.
    package static func number(_ value: Double) -> String {
        let digits = abs(value - 1) < 0.01 ? 6 : 4
        let magnitude = abs(value)
        guard magnitude == 0 || (1e-4..<1e6).contains(magnitude) else {
            return scientific(value)
        }
        let order = magnitude == 0 ? 0 : Int(floor(log10(magnitude)))
        return fixed(value, decimals: max(0, digits - 1 - order), keepingZeros: .no)
    }

    /// Whether a number keeps its trailing zeros, to line up with its neighbours.
    package enum TrailingZeros { case yes, no }

    /// A number with a fixed count of decimals and a proper minus sign. Zero never has a sign.
    package static func fixed(
        _ value: Double, decimals: Int, keepingZeros zeros: TrailingZeros = .yes
    ) -> String {
        var text = String(format: "%.\(decimals)f", value)
        if zeros == .no, text.contains(".") {
            while text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
        }
        guard text.hasPrefix("-") else { return text }
        let size = text.dropFirst()
        return size.allSatisfy { $0 == "0" || $0 == "." } ? String(size) : "−" + size
    }

    /// A number in scientific notation, such as `1.2e−7`.
    package static func scientific(_ value: Double) -> String {
        guard value != 0 else { return "0" }
        guard value.isFinite else { return value < 0 ? "−∞" : "∞" }
        let order = Int(floor(log10(abs(value))))
        let mantissa = fixed(value / pow(10, Double(order)), decimals: 2, keepingZeros: .no)
        return "\(mantissa)e\(order < 0 ? "−" : "")\(abs(order))"
    }

    /// A duration: `12.5 s` below two minutes, otherwise `2:05` or `1:02:03.5`.
    package static func duration(_ seconds: Double) -> String {
        guard seconds >= 120 else {
            return fixed(seconds, decimals: seconds < 1 ? 4 : 3, keepingZeros: .no) + " s"
        }
        return clock(seconds, decimals: 3, keepingZeros: .no)
    }

    /// A time of 0 or more as `m:ss` or `h:mm:ss`, with decimals of the second.
    package static func clock(
        _ seconds: Double, decimals: Int = 0, keepingZeros zeros: TrailingZeros = .yes
    ) -> String {
        let unit = pow(10, Double(decimals))
        let whole = (seconds * unit).rounded() / unit
        let minutes = floor(whole / 60)
        let rest = fixed(whole - minutes * 60, decimals: decimals, keepingZeros: zeros)
        let tail = whole - minutes * 60 < 10 ? "0" + rest : rest
        guard minutes >= 60 else { return fixed(minutes, decimals: 0) + ":" + tail }
        let hours = floor(minutes / 60)
        let middle = String(format: "%02.0f", minutes - hours * 60)
        return fixed(hours, decimals: 0) + ":" + middle + ":" + tail
    }

    /// The text on one line, without characters that Cairo or XML don't accept.
    package static func oneLine(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate: " "
            default: Character(scalar)
            }
        }
        return String(scalars).split(separator: " ").joined(separator: " ")
    }

    /// The longest beginning of `text` that is at most `limit` wide, with an ellipsis if it was cut.
    package static func ellipsised(
        _ text: String, to limit: Double, measuredBy width: (String) -> Double
    ) -> String {
        // No image is wide enough for more, and measuring a very long text would take long.
        let letters = Array(text.prefix(2000))
        if letters.count < 2000, width(text) <= limit { return text }
        var (fits, tooLong) = (0, letters.count + 1)
        while tooLong - fits > 1 {
            let middle = (fits + tooLong) / 2
            if width(String(letters.prefix(middle)) + "…") <= limit {
                fits = middle
            } else {
                tooLong = middle
            }
        }
        while fits > 0, letters[fits - 1] == " " { fits -= 1 }
        return String(letters.prefix(fits)) + "…"
    }
}
