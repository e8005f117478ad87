import TimeWarp

/// The colours of markers that formats have names for.
enum MarkerColour: String, CaseIterable {
    case red = "RED"
    case green = "GREEN"
    case blue = "BLUE"
    case cyan = "CYAN"
    case magenta = "MAGENTA"
    case yellow = "YELLOW"
    case black = "BLACK"
    case white = "WHITE"
    case purple = "PURPLE"
    case pink = "PINK"
    case orange = "ORANGE"

    /// As `#rrggbb`.
    var hexadecimal: String {
        "#" + String(rgb + 0x100_0000, radix: 16).dropFirst()
    }

    private var rgb: UInt32 {
        switch self {
        case .red: 0xff0000
        case .green: 0x00ff00
        case .blue: 0x0000ff
        case .cyan: 0x00ffff
        case .magenta: 0xff00ff
        case .yellow: 0xffff00
        case .black: 0x000000
        case .white: 0xffffff
        case .purple: 0x800080
        case .pink: 0xffc0cb
        case .orange: 0xffa500
        }
    }

    /// Whether a colour is a `#rrggbb`, or a `#aarrggbb` with an opacity.
    static func isHexadecimal(_ text: String) -> Bool { rgb(of: text) != nil }

    /// The colour of exactly this name, in any case, or of exactly this `#rrggbb`.
    init?(_ text: String) {
        let named = Self(rawValue: text.uppercased())
        guard let colour = named ?? Self.allCases.first(where: { $0.rgb == Self.rgb(of: text) })
        else {
            return nil
        }
        self = colour
    }

    /// The colour that is nearest to a name or a `#rrggbb`; nil if the text is neither.
    init?(nearest text: String) {
        if let exact = Self(text) {
            self = exact
            return
        }
        guard let rgb = Self.otherNames[text.uppercased()] ?? Self.rgb(of: text) else {
            return nil
        }
        self = Self.allCases.min { $0.distance(from: rgb) < $1.distance(from: rgb) } ?? .red
    }

    /// The further names of DaVinci Resolve.
    private static let otherNames: [String: UInt32] = [
        "FUCHSIA": 0xc13f80, "ROSE": 0xffa0b8, "LAVENDER": 0xa193c8, "SKY": 0x92e2fd,
        "MINT": 0x72db00, "LEMON": 0xdce95a, "SAND": 0xc4915e, "COCOA": 0x6e5143,
        "CREAM": 0xf5ebe1,
    ]

    /// The number of `#rrggbb`, or of `#aarrggbb` without its opacity.
    private static func rgb(of text: String) -> UInt32? {
        guard text.hasPrefix("#"), [7, 9].contains(text.utf8.count),
            let number = UInt32(text.dropFirst(), radix: 16)
        else {
            return nil
        }
        return number & 0xffffff
    }

    private func distance(from other: UInt32) -> Int {
        [0, 8, 16].reduce(0) { sum, shift in
            let difference = Int(rgb >> shift & 0xff) - Int(other >> shift & 0xff)
            return sum + difference * difference
        }
    }
}

extension MarkerColour {
    /// The colour that stands for that of a marker in a format that has only these, with a note if it differs.
    static func written(
        for marker: Marker, without colour: MarkerColour, _ notes: inout TimelineNotes
    ) -> MarkerColour {
        guard let text = marker.colour else {
            return colour
        }
        if let exact = MarkerColour(text) {
            return exact
        }
        let nearest = MarkerColour(nearest: text) ?? colour
        notes.add("The file has no marker colour \(text); \(nearest.rawValue) is in its place.")
        return nearest
    }
}
