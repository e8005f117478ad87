/// Finds the intended word for a misspelt one.
package enum Spelling {
    /// The nearest word of a list; nil if none is near enough to be the intended one.
    ///
    /// - Complexity: O(n) in the number of words; only the first 2000 are compared.
    package static func nearest(to word: String, in words: some Sequence<String>) -> String? {
        let letters = Array(word.lowercased().utf8.prefix(40))
        let most = letters.count < 4 ? 1 : 2
        let near = words.prefix(2000).compactMap { candidate -> (String, Int)? in
            let other = Array(candidate.lowercased().utf8.prefix(40))
            guard abs(other.count - letters.count) <= most else {
                return nil
            }
            let distance = distance(letters, other)
            return distance <= most ? (candidate, distance) : nil
        }
        return near.min { $0.1 < $1.1 }?.0
    }

    /// ` Did you mean "…"?`, or nothing.
    package static func hint(for word: String, in words: some Sequence<String>) -> String {
        nearest(to: word, in: words).map { " Did you mean \"\($0)\"?" } ?? ""
    }

    /// How many letters must be inserted, removed or replaced (Levenshtein distance).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[b.count]
    }
}
