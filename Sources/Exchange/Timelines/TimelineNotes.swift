/// Notes (sentences) on what could not be represented in the other format. Their number is limited: a project may have ten
/// thousand transitions.
struct TimelineNotes {
    private static let most = 200

    private var sentences: [String] = []
    private var known: Set<String> = []
    private var count = 0

    /// Adds a note unless it was added before. Control characters, which names from a file may have, become spaces.
    mutating func add(_ sentence: String) {
        guard known.insert(sentence).inserted else {
            return
        }
        count += 1
        if sentences.count < Self.most {
            let scalars = sentence.unicodeScalars.map {
                $0.properties.generalCategory == .control ? " " : $0
            }
            sentences.append(String(String.UnicodeScalarView(scalars)))
        }
    }

    /// Adds several notes.
    mutating func add(all sentences: [String]) {
        for sentence in sentences {
            add(sentence)
        }
    }

    var list: [String] {
        let rest = count - sentences.count
        return rest > 0
            ? sentences + [rest == 1 ? "And 1 more note." : "And \(rest) more notes."] : sentences
    }
}
