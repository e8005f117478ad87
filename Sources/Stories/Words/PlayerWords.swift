import Foundation

/// The texts of the player's page in one language.
///
/// The player has texts in ``languages``. A story in another language, or one that says things in its own way, names a
/// strings file: see ``PlayerStrings``.
public struct PlayerWords: Hashable, Sendable, Codable {
    /// The language of the texts, a BCP 47 tag.
    public let language: String
    /// The texts by name. A text may have placeholders, such as `{label}`.
    public let texts: [String: String]

    /// The languages in which the player has texts of its own.
    public static let languages = table.keys.sorted()

    /// The texts for a story.
    ///
    /// - Parameters:
    ///   - language: of the story, a BCP 47 tag. If the player has no texts in it, those in `strings` are completed by
    ///     English ones.
    ///   - strings: the author's own texts.
    public init(for language: String, strings: PlayerStrings? = nil) {
        let own = Self.builtIn(for: language)
        let base = own ?? Self.english
        self.language = own == nil && strings == nil ? base.language : language
        texts = base.texts.merging(strings?.texts ?? [:]) { $1 }
    }

    private init(language: String, texts: [String: String]) {
        self.language = language
        self.texts = texts
    }

    /// The player's own texts in a language, or in the one of which it is a variety: those in German for `de-AT`; nil if
    /// there are none.
    public static func builtIn(for language: String) -> PlayerWords? {
        let primary = language.split(separator: "-").first.map { $0.lowercased() } ?? ""
        return table[primary]
    }

    /// The names of texts that a strings file lacks, and that the player doesn't have in the language either; sorted.
    static func missing(in strings: PlayerStrings, for language: String) -> [String] {
        guard builtIn(for: language) == nil else {
            return []
        }
        return english.texts.keys.filter { strings.texts[$0] == nil }.sorted()
    }

    static let english = read("en", PackageResources.en_json)

    private static let table = [
        "de": read("de", PackageResources.de_json), "en": english,
        "es": read("es", PackageResources.es_json), "fr": read("fr", PackageResources.fr_json),
        "ja": read("ja", PackageResources.ja_json),
    ]

    private static func read(_ language: String, _ bytes: [UInt8]) -> PlayerWords {
        guard let texts = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) else {
            preconditionFailure("the player's texts in \(language) are damaged")
        }
        return PlayerWords(language: language, texts: texts)
    }

    /// The texts as a strings file, in the order in which the player's own are written.
    public var stringsFile: String {
        let order = String(decoding: PackageResources.en_json, as: UTF8.self)
        let names = texts.keys.sorted { first, second in
            let place = { (name: String) in order.range(of: "\"\(name)\":")?.lowerBound }
            return (place(first) ?? order.endIndex) < (place(second) ?? order.endIndex)
        }
        let lines = names.map { name in "  \(Self.quoted(name)): \(Self.quoted(texts[name] ?? ""))"
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n}"
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        // Encoding a text can't fail.
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// The direction in which a language is written.
public enum WritingDirection: String, Hashable, Sendable {
    /// From left to right.
    case leftToRight = "ltr"
    /// From right to left.
    case rightToLeft = "rtl"

    /// The direction of a language, by its script if the tag names one: `ar`, `he` and `az-Arab` are written from right
    /// to left, `en` and `ku-Latn` from left to right.
    ///
    /// - Parameter language: a BCP 47 tag.
    public init(of language: String) {
        let parts = language.lowercased().split(separator: "-")
        // A script has four letters, and follows the language and up to three letters that extend it.
        let script = parts.dropFirst().prefix { $0.count != 1 }.first {
            $0.count == 4 && $0.allSatisfy(\.isLetter)
        }
        let isRight =
            script.map { Self.rightScripts.contains(String($0)) }
            ?? Self.rightLanguages.contains(String(parts.first ?? ""))
        self = isRight ? .rightToLeft : .leftToRight
    }

    private static let rightScripts: Set = [
        "adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "syre",
        "syrj",
        "syrn", "thaa", "yezi",
    ]
    private static let rightLanguages: Set = [
        "ar", "arc", "azb", "bal", "bqi", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "khw", "ks",
        "lrc",
        "luz", "mzn", "nqo", "pnb", "prs", "ps", "rhg", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
    ]
}
