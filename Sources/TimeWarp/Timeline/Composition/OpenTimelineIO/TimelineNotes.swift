/// Sentences on what could not be said in the other format. Only so many: a timeline of ten
/// thousand transitions needs no ten thousand sentences.
struct TimelineNotes {
    private static let most = 200

    private var sentences: [String] = []
    private var known: Set<String> = []
    private var count = 0

    /// Adds a sentence, unless it was said before.
    mutating func add(_ sentence: String) {
        guard known.insert(sentence).inserted else {
            return
        }
        count += 1
        if sentences.count < Self.most {
            sentences.append(sentence)
        }
    }

    var list: [String] {
        count > sentences.count
            ? sentences + ["And \(count - sentences.count) more of the like."] : sentences
    }
}
