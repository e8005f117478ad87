import Documents
import Foundation

/// A strings file: the author's own texts of the player's page.
///
/// ```json
/// { "play": "Comece", "chosen": "Escolhido: {label}." }
/// ```
/// Names that it leaves out keep the player's own texts in the story's language.
public struct PlayerStrings: Hashable, Sendable {
    /// The texts by name.
    public let texts: [String: String]

    /// The longest text, in characters.
    static let longestText = 500

    /// Reads a strings file of at most 1 MiB.
    ///
    /// - Throws: ``StoryError`` with every problem, each with its line and column: what isn't JSON, a name that the player
    ///   doesn't have, and a text with other placeholders than the player's own.
    public init(json: Data) throws(StoryError) {
        let document = try StoryError.reading { () throws(DocumentError) in
            try JSONDocument(
                json, kind: "strings file", largest: StoryLimits.largestStringsFile)
        }
        var problems: [DocumentProblem] = []
        func note(_ message: String, _ path: DocumentPath, at offset: Int) {
            problems.append(
                DocumentProblem(
                    path: path, position: document.text.position(at: offset), message: message))
        }
        guard let object = document.root.object else {
            note(
                "it is \(document.root.kind), not an object of names and texts", DocumentPath(),
                at: 0)
            throw StoryError(problems)
        }
        for member in object.repeated {
            note("the name appears twice", DocumentPath().key(member.key), at: member.offset)
        }
        var texts: [String: String] = [:]
        for member in object.members {
            let path = DocumentPath().key(member.key)
            guard let own = PlayerWords.english.texts[member.key] else {
                let hint =
                    problems.count < StoryError.mostProblems
                    ? Spelling.hint(for: member.key, in: PlayerWords.english.texts.keys) : ""
                note("the player has no text of this name.\(hint)", path, at: member.offset)
                continue
            }
            if let trouble = Self.trouble(of: member.value, replacing: own) {
                note(trouble, path, at: member.value.bytes.lowerBound)
            }
            texts[member.key] = member.value.text
        }
        guard problems.isEmpty else {
            throw StoryError(problems)
        }
        self.texts = texts
    }

    /// Why a value can't replace one of the player's own texts; nil if it can.
    private static func trouble(of value: JSONValue, replacing own: String) -> String? {
        guard let text = value.text else {
            return "it is \(value.kind), not a text"
        }
        guard !text.allSatisfy(\.isWhitespace) || own.allSatisfy(\.isWhitespace) else {
            return "it is empty"
        }
        guard text.count <= longestText, text.utf8.count <= longestText * 32 else {
            return "it has more than \(longestText) characters"
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            return "it contains a control character"
        }
        let (wanted, given) = (placeholders(in: own), placeholders(in: text))
        if let missing = wanted.first(where: { !given.contains($0) }) {
            return "it lacks {\(missing)}: the English text is \"\(own)\""
        }
        if let unknown = given.first(where: { !wanted.contains($0) }) {
            let known = wanted.map { "{\($0)}" }.joined(separator: ", ")
            return "{\(unknown)} means nothing here"
                + (wanted.isEmpty ? "" : "; the placeholders are \(known)")
        }
        return nil
    }

    /// The names in braces, in their order.
    private static func placeholders(in text: String) -> [String] {
        text.matches(of: #/\{(\w+)\}/#).map { String($0.1) }
    }
}
