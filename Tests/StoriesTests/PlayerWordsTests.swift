import Foundation
import Testing

@testable import Stories

@Suite("The player's texts")
struct PlayerWordsTests {
    private func placeholders(_ text: String) -> Set<String> {
        Set(text.matches(of: #/\{\w+\}/#).map { String($0.0) })
    }

    @Test("every language has every text, with the same placeholders")
    func complete() throws {
        #expect(PlayerWords.languages == ["de", "en", "es", "fr", "ja"])
        for language in PlayerWords.languages {
            let words = try #require(PlayerWords.builtIn(for: language))
            #expect(words.texts.keys.sorted() == PlayerWords.english.texts.keys.sorted())
            for (name, text) in words.texts {
                let own = try #require(PlayerWords.english.texts[name])
                #expect(placeholders(text) == placeholders(own), "\(language) \(name)")
                #expect(!text.isEmpty && text.count <= PlayerStrings.longestText)
            }
        }
    }

    @Test("a variety of a language has its texts, and a language without texts English ones")
    func varieties() {
        let austrian = PlayerWords(for: "de-AT")
        #expect(austrian.language == "de-AT" && austrian.texts["play"] == "Abspielen")
        let upper = PlayerWords(for: "FR")
        #expect(upper.texts["settings"] == "Réglages")
        let portuguese = PlayerWords(for: "pt-BR")
        #expect(portuguese.language == "en" && portuguese.texts["play"] == "Play")
    }

    @Test("a strings file replaces some texts or brings another language")
    func strings() throws {
        let own = try PlayerStrings(
            json: Data(#"{ "ended": "Finis.", "chosen": "{label}!" }"#.utf8))
        let german = PlayerWords(for: "de", strings: own)
        #expect(german.texts["ended"] == "Finis." && german.texts["chosen"] == "{label}!")
        #expect(german.texts["play"] == "Abspielen")
        #expect(PlayerWords.missing(in: own, for: "de") == [])
        let latin = PlayerWords(for: "la", strings: own)
        #expect(latin.language == "la" && latin.texts["play"] == "Play")
        let missing = PlayerWords.missing(in: own, for: "la")
        #expect(missing.count == PlayerWords.english.texts.count - 2)
        #expect(missing == missing.sorted() && missing.contains("play"))
    }

    @Test(
        "the printed strings file can be read, and holds every text in the order of the player's own"
    )
    func printed() throws {
        for language in PlayerWords.languages {
            let words = PlayerWords(for: language)
            let file = words.stringsFile
            #expect(try PlayerStrings(json: Data(file.utf8)).texts == words.texts)
            #expect(file.hasPrefix("{\n  \"play\": "))
        }
    }

    @Test(
        "what is wrong in a strings file is told with its place",
        arguments: [
            (#"[ "play" ]"#, "1:1: the file: it is a list, not an object"),
            (
                #"{ "plya": "Los" }"#,
                #"1:3: plya: the player has no text of this name. Did you mean "play"?"#
            ),
            ("{\n  \"play\": 3 }", "2:11: play: it is a number, not a text"),
            (#"{ "play": "" }"#, "1:11: play: it is empty"),
            (#"{ "play": "a", "play": "b" }"#, "1:16: play: the name appears twice"),
            (#"{ "play": "a\u0007" }"#, "1:11: play: it contains a control character"),
            (
                #"{ "chosen": "Chosen." }"#,
                #"1:13: chosen: it lacks {label}: the English text is "Chosen: {label}.""#
            ),
            (
                #"{ "chosen": "{label} {lable}" }"#,
                "1:13: chosen: {lable} means nothing here; the placeholders are {label}"
            ),
            (#"{ "play": "{x}" }"#, "1:11: play: {x} means nothing here"),
            (#"{ "play": "a" "#, "1:15: the file: this isn't valid JSON"),
        ])
    func wrong(json: String, message: String) throws {
        let error = try #require(throws: StoryError.self) {
            try PlayerStrings(json: Data(json.utf8))
        }
        #expect(error.description.hasPrefix(message), "\(error)")
    }

    @Test("a text that is too long, and a file that is too large, are refused")
    func bounds() throws {
        let long = String(repeating: "x", count: PlayerStrings.longestText + 1)
        #expect(throws: StoryError.self) {
            try PlayerStrings(json: Data(#"{ "play": "\#(long)" }"#.utf8))
        }
        #expect(throws: StoryError.self) {
            try PlayerStrings(json: Data(count: StoryLimits.largestStringsFile + 1))
        }
    }

    @Test(
        "the direction follows from the script, or else from the language",
        arguments: [
            ("ar", true), ("he-IL", true), ("fa", true), ("ur-PK", true), ("yi", true),
            ("az-Arab", true), ("en-Hebr", true), ("AR-eg", true), ("zh-min-nan", false),
            ("en", false), ("ku-Latn", false), ("ar-Latn", false), ("ja", false), ("de-AT", false),
            ("en-x-arab", false),
        ])
    func direction(language: String, isRight: Bool) {
        #expect(WritingDirection(of: language) == (isRight ? .rightToLeft : .leftToRight))
    }
}
