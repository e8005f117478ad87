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
    /// - Throws: ``CurveError`` that names the place in the file, such as `components[1].curve.factor`.
    public init(json: Data) throws(CurveError) {
        guard json.count <= Self.largestFile else {
            throw CurveError(.malformed, "the curve file is larger than 1 MiB")
        }
        do {
            self = try JSONDecoder().decode(Curve.self, from: json)
        } catch let error as CurveError {
            throw error
        } catch let error as DecodingError {
            throw CurveError(.malformed, error.explained(as: "a curve"))
        } catch {
            throw CurveError(.malformed, "the curve file can't be read: \(error)")
        }
    }

    /// The curve file's content: JSON with sorted keys, ending in a newline.
    ///
    /// - Throws: `EncodingError` when a number isn't finite.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// A path in a JSON file, such as `components[1].curve.factor`.
    package static func path(_ keys: [any CodingKey]) -> String {
        let path = keys.reduce("") { path, key in
            if let index = key.intValue {
                return path + "[\(index)]"
            }
            return path.isEmpty ? key.stringValue : path + "." + key.stringValue
        }
        return path.isEmpty ? "the file" : path
    }
}

extension DecodingError {
    /// A sentence that says what is wrong and where in the file.
    ///
    /// - Parameter content: what the file should contain, such as "a curve".
    package func explained(as content: String) -> String {
        switch self {
        case .keyNotFound(let key, let context):
            return "\(Curve.path(context.codingPath)): \"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(Curve.path(context.codingPath)): it has the wrong type"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "it is not JSON, or not \(content): \(context.debugDescription)"
                : "\(Curve.path(context.codingPath)): \(context.debugDescription)"
        @unknown default:
            return "it can't be read: \(self)"
        }
    }
}

extension Curve: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case timewarp, curve, factor, modifier, flip, scale, speed, integral, keyframes, components
    }

    /// How many keys deep a curve may lie in a file. Curves can contain curves.
    private static let deepestNesting = 40

    /// Decodes a curve as ``init(json:)`` describes. Only the outermost curve needs the key `timewarp`.
    ///
    /// - Throws: ``CurveError`` or `DecodingError` for unknown keys, keys that exclude each other, and values
    ///   that aren't valid.
    public init(from decoder: any Decoder) throws {
        let path = Self.path(decoder.codingPath)
        func wrong(_ what: String) -> CurveError {
            CurveError(.malformed, "\(path): \(what)")
        }
        guard decoder.codingPath.count <= Self.deepestNesting else {
            throw wrong("curves are nested too deeply")
        }
        try decoder.refuseUnknownKeys(besides: Key.allCases)
        let container = try decoder.container(keyedBy: Key.self)
        if decoder.codingPath.isEmpty {
            let version = try container.decode(String.self, forKey: .timewarp)
            guard version == "curve/1" else {
                throw wrong("\"timewarp\" must be \"curve/1\", not \"\(version)\"")
            }
        }
        let given = [Key.curve, .scale, .speed, .integral, .keyframes, .components].filter {
            container.contains($0)
        }
        guard given.count == 1, let key = given.first else {
            throw wrong("it needs one of curve, scale, speed, integral, keyframes, components")
        }
        if key != .curve, let extra = [Key.factor, .modifier].first(where: container.contains) {
            throw wrong("\"\(extra.rawValue)\" is only for built-in curves")
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
            let name = try container.decode(String.self, forKey: .curve)
            guard let curve = BuiltInCurve(rawValue: name) else {
                let known = BuiltInCurve.allCases.map(\.rawValue).joined(separator: ", ")
                throw CurveError(
                    .malformed,
                    "\(path(container.codingPath + [Key.curve])): there is no curve \"\(name)\"; "
                        + "there are \(known)")
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
        do {
            return try Formula(try container.decode(String.self, forKey: key))
        } catch let error as FormulaError {
            throw CurveError(
                .malformed, column: error.column,
                "\(path(container.codingPath + [key])): \(error)")
        }
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
            try container.encode(curve.rawValue, forKey: .curve)
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
            throw CurveError(
                .malformed, "\(Curve.path(decoder.codingPath)): \"range\" must hold two numbers")
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
        case at, speed, easing
    }

    /// Decodes `at`, a text such as `"40%"`, `speed` and, optionally, `easing`, which is `smooth` by default.
    ///
    /// - Throws: ``CurveError`` when the instant or the easing can't be read; `DecodingError` when a key is
    ///   missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let text = try container.decode(String.self, forKey: .at)
        guard let instant = Self.instant(text) else {
            throw CurveError(
                .malformed,
                "\(Curve.path(decoder.codingPath)): \"\(text)\" is not an instant; write \"0.4\", "
                    + "\"40%\" or \"6s\"")
        }
        let easing = try container.decodeIfPresent(String.self, forKey: .easing)
        self.init(
            instant, speed: try container.decode(Double.self, forKey: .speed),
            easing: try easing.map { try Easing(parsing: $0) } ?? .smooth)
    }

    /// Encodes `at`, `speed` and `easing`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(instantText, forKey: .at)
        try container.encode(speed, forKey: .speed)
        try container.encode(easing.description, forKey: .easing)
    }
}
