import Documents
import Foundation
import OrderedCollections
import TimeMaps

/// Converts a JSON value into a story and notes all problems.
struct StoryReader {
    let document: JSONDocument
    private var problems: [DocumentProblem] = []
    /// How many problems were found but not kept.
    private var uncounted = 0
    /// How many problems are kept. It is more than are reported, because they are sorted by their position in
    /// the text first.
    private static let mostKept = 100 * StoryError.mostProblems
    /// The names of the story's variables, which must be known before formulas are read.
    var variables: [String] = []

    /// - Throws: ``StoryError`` with every problem.
    static func story(in document: JSONDocument) throws(StoryError) -> Story {
        var reader = StoryReader(document: document)
        let story = reader.readStory(document.root)
        guard reader.problems.isEmpty, let story else {
            // Problems without a place in the text come first.
            let start = TextPosition(line: 0, column: 0)
            throw StoryError(
                reader.problems.sorted { ($0.position ?? start) < ($1.position ?? start) },
                further: reader.uncounted)
        }
        return story
    }

    private init(document: JSONDocument) {
        self.document = document
    }

    // MARK: Noting problems

    mutating func note(_ message: String, _ path: DocumentPath, at offset: Int) {
        note(
            DocumentProblem(
                path: path, position: document.text.position(at: offset), message: message))
    }

    mutating func note(_ problem: DocumentProblem) {
        guard problems.count < Self.mostKept else {
            uncounted += 1
            return
        }
        problems.append(problem)
    }

    mutating func note(_ message: String, _ path: DocumentPath, _ value: JSONValue) {
        note(message, path, at: value.bytes.lowerBound)
    }

    /// A hint at the intended word, as long as the problem is likely to be reported.
    func hint(for word: String, in words: [String]) -> String {
        problems.count < StoryError.mostProblems ? Spelling.hint(for: word, in: words) : ""
    }

    // MARK: The story

    private mutating func readStory(_ root: JSONValue) -> Story? {
        let path = DocumentPath()
        guard let object = object(root, path, known: StoryKey.self) else {
            return nil
        }
        readVersion(object, root)
        let variables = readVariables(object)
        self.variables = Array(variables.keys)
        let title = requiredName(.title, of: object, root, path)
        let start = requiredName(.start, of: object, root, path)
        let language = readLanguage(object["language"], path.key("language"))
        let strings = object["strings"].flatMap { filePath($0, path.key("strings")) }
        let controls = readControls(object["controls"], path.key("controls"))
        let analytics = readAnalytics(object["analytics"], path.key("analytics"))
        let segments = readSegments(object, root)
        guard let title, let start else {
            return nil
        }
        return Story(
            title: title, language: language ?? Story.defaultLanguage, strings: strings,
            controls: controls, analytics: analytics, start: start,
            variables: variables, segments: segments)
    }

    private mutating func readVersion(_ object: JSONObject, _ root: JSONValue) {
        let path = DocumentPath([.key("timewarp")])
        guard let value = object["timewarp"] else {
            note("\"timewarp\": \"\(Story.version)\" is missing", path, root)
            return
        }
        if value.text != Story.version {
            note("it must be \"\(Story.version)\"", path, value)
        }
    }

    private mutating func requiredName(
        _ key: StoryKey, of object: JSONObject, _ owner: JSONValue, _ path: DocumentPath
    ) -> String? {
        guard let value = object[key.rawValue] else {
            note("\"\(key.rawValue)\" is missing", path, owner)
            return nil
        }
        return name(value, path.key(key.rawValue))
    }

    private mutating func readVariables(_ object: JSONObject) -> OrderedDictionary<String, Double> {
        let path = DocumentPath([.key("variables")])
        guard let value = object["variables"], let members = members(of: value, path) else {
            return [:]
        }
        guard members.count <= StoryLimits.mostVariables else {
            note("there are more than \(StoryLimits.mostVariables) variables", path, value)
            return [:]
        }
        var variables: OrderedDictionary<String, Double> = [:]
        for member in members {
            let path = path.key(member.key)
            checkVariableName(member, path)
            guard let number = member.value.number else {
                note(
                    "a variable must be a number, not \(member.value.kind); write 0 for no and 1 "
                        + "for yes", path, member.value)
                continue
            }
            variables[member.key] = number
        }
        return variables
    }

    private mutating func checkVariableName(_ member: JSONObject.Member, _ path: DocumentPath) {
        if StoryExpression.isReserved(member.key) {
            note(
                "\"\(member.key)\" is reserved in formulas; choose another name", path,
                at: member.offset)
        } else if !StoryExpression.isVariableName(member.key) {
            note(
                "\"\(member.key)\" isn't a valid variable name; use ASCII letters, digits and _, "
                    + "and don't begin with a digit", path, at: member.offset)
        } else if member.key.count > StoryLimits.longestName {
            note(
                "a name may have at most \(StoryLimits.longestName) characters", path,
                at: member.offset)
        }
    }

    private mutating func readSegments(
        _ object: JSONObject, _ root: JSONValue
    ) -> OrderedDictionary<String, Story.Segment> {
        let path = DocumentPath([.key("segments")])
        guard let value = object["segments"] else {
            note("\"segments\" is missing", DocumentPath(), root)
            return [:]
        }
        guard let members = members(of: value, path) else {
            return [:]
        }
        guard (1...StoryLimits.mostSegments).contains(members.count) else {
            note("a story must have 1 to \(StoryLimits.mostSegments) segments", path, value)
            return [:]
        }
        var segments: OrderedDictionary<String, Story.Segment> = [:]
        segments.reserveCapacity(members.count)
        for member in members {
            let path = path.key(member.key)
            checkName(member.key, path, at: member.offset)
            if let segment = readSegment(member.value, path) {
                segments[member.key] = segment
            }
        }
        return segments
    }
}
