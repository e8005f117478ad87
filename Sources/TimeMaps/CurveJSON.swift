import Documents
import Foundation

extension Curve {
    /// The largest curve file that can be read, in bytes: 1 MiB.
    public static let largestFile = 1 << 20

    /// Reads a curve file.
    ///
    /// ```json
    /// { "timewarp": "curve/1", "curve": "triangle", "factor": 2, "modifier": 0.5, "flip": true }
    /// { "timewarp": "curve/1", "scale": "1 + t" }
    /// { "timewarp": "curve/1", "keyframes": [ { "at": "40%", "speed": 0.25, "easing": "hold" } ] }
    /// { "timewarp": "curve/1", "components": [ { "range": [0.2, 0.5], "curve": { … } } ] }
    /// ```
    /// - Throws: ``DocumentError`` with line, column and path, such as `components[1].curve.factor`.
    public init(json: Data) throws(DocumentError) {
        self = try JSONDocument(json, kind: "curve file", largest: Self.largestFile)
            .decode(Curve.self)
    }

    /// The curve file's content: JSON with sorted keys, ending in a newline.
    ///
    /// - Throws: `EncodingError` when a number isn't finite.
    public func json() throws -> Data { try JSONDocument.data(of: self) }
}

extension Curve: Codable {
    private enum Key: String, CodingKey {
        case timewarp, curve, factor, modifier, flip, scale, speed, integral, keyframes, components
    }

    /// How many keys deep a curve may lie in a file. Curves can contain curves.
    private static let deepestNesting = 40

    /// Decodes a curve as ``init(json:)`` describes. Only the outermost curve needs the key `timewarp`.
    ///
    /// - Throws: ``CurveError`` or `DecodingError` for keys that exclude each other and values that aren't valid.
    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.deepestNesting else {
            throw CurveError(.malformed, "curves are nested too deeply")
        }
        let container = try decoder.container(keyedBy: Key.self)
        if decoder.codingPath.isEmpty {
            try container.requireVersion("curve/1", forKey: .timewarp)
        }
        let given = [Key.curve, .scale, .speed, .integral, .keyframes, .components].filter {
            container.contains($0)
        }
        guard given.count == 1, let key = given.first else {
            throw CurveError(
                .malformed, "it needs one of curve, scale, speed, integral, keyframes, components")
        }
        if key != .curve, let extra = [Key.factor, .modifier].first(where: container.contains) {
            throw container.wrong(extra, "it is only for built-in curves")
        }
        self.init(
            try Self.shape(key, container),
            isFlipped: try container.decodeIfPresent(Bool.self, forKey: .flip) ?? false)
    }

    private static func shape(
        _ key: Key, _ container: KeyedDecodingContainer<Key>
    ) throws -> Shape {
        switch key {
        case .scale: return .scale(try formula(key, container))
        case .speed: return .speed(try formula(key, container))
        case .integral: return .integral(try formula(key, container))
        case .keyframes: return .keyframes(try container.decode([Keyframe].self, forKey: key))
        case .components: return .components(try container.decode([Component].self, forKey: key))
        default:
            let curve = try container.decode(String.self, forKey: .curve) { name in
                guard let curve = BuiltInCurve(rawValue: name) else {
                    let known = BuiltInCurve.allCases.map(\.rawValue).joined(separator: ", ")
                    throw CurveError(
                        .malformed, "there is no curve \"\(name)\"; there are \(known)")
                }
                return curve
            }
            return .builtIn(
                curve,
                factor: try container.decodeIfPresent(Double.self, forKey: .factor)
                    ?? BuiltInCurve.defaultFactor,
                modifier: try container.decodeIfPresent(Double.self, forKey: .modifier)
                    ?? BuiltInCurve.defaultModifier)
        }
    }

    private static func formula(
        _ key: Key, _ container: KeyedDecodingContainer<Key>
    ) throws -> Formula {
        try container.decode(String.self, forKey: key) { try Formula($0) }
    }

    /// Encodes the curve in the form that ``init(json:)`` reads.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if encoder.codingPath.isEmpty {
            try container.encode("curve/1", forKey: .timewarp)
        }
        if isFlipped {
            try container.encode(true, forKey: .flip)
        }
        switch shape {
        case .builtIn(let curve, let factor, let modifier):
            try container.encode(curve, forKey: .curve)
            try container.encode(factor, forKey: .factor)
            try container.encode(modifier, forKey: .modifier)
        case .scale(let formula): try container.encode(formula.text, forKey: .scale)
        case .speed(let formula): try container.encode(formula.text, forKey: .speed)
        case .integral(let formula): try container.encode(formula.text, forKey: .integral)
        case .keyframes(let keyframes): try container.encode(keyframes, forKey: .keyframes)
        case .components(let components): try container.encode(components, forKey: .components)
        }
    }
}

extension Curve.Component: Codable {
    private enum Key: String, CodingKey {
        case range, curve
    }

    /// Decodes `range`, an array of two numbers, and `curve`.
    ///
    /// - Throws: ``CurveError`` as ``init(from:to:curve:)`` does, or when `range` doesn't hold two numbers;
    ///   `DecodingError` when a key is missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let range = try container.decode([Double].self, forKey: .range)
        guard range.count == 2 else {
            throw container.wrong(.range, "it must hold two numbers")
        }
        try self.init(
            from: range[0], to: range[1],
            curve: try container.decode(Curve.self, forKey: .curve))
    }

    /// Encodes `range` and `curve`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode([start, end], forKey: .range)
        try container.encode(curve, forKey: .curve)
    }
}

extension Keyframe: Codable {
    private enum Key: String, CodingKey {
        case at, speed, easing, source
    }

    /// Decodes `at`, a text such as `"40%"`, `speed` and, optionally, `easing`, which is `smooth` by default, and
    /// `source`, a time.
    ///
    /// - Throws: ``CurveError`` when the instant or the easing can't be read; `DecodingError` when a key is
    ///   missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let instant = try container.decode(String.self, forKey: .at) { text in
            guard let instant = Self.instant(text) else {
                throw CurveError(
                    .malformed,
                    "\"\(text)\" is not an instant; write \"0.4\", \"40%\" or \"6s\"")
            }
            return instant
        }
        let speed = try container.decode(Double.self, forKey: .speed)
        let easing = try container.decodeIfPresent(String.self, forKey: .easing) {
            try Easing(parsing: $0)
        }
        let source = try container.decodeIfPresent(FileTime.self, forKey: .source)
        self.init(instant, speed: speed, easing: easing ?? .smooth, source: source?.time)
    }

    /// Encodes `at`, `speed`, `easing` and, for a cut, `source`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(instantText, forKey: .at)
        try container.encode(speed, forKey: .speed)
        try container.encode(easing.description, forKey: .easing)
        try container.encodeIfPresent(sourceText, forKey: .source)
    }
}

extension Curve: SchemaNaming {
    package static var schemaName: String { "curve" }
}
