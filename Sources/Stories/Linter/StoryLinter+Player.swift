import Documents

extension StoryLinter {
    /// Findings about the texts of the player's page, and about what it sends.
    func playerFindings() -> [StoryFinding] {
        var findings: [StoryFinding] = []
        if let file = story.strings {
            findings += stringsFindings(file, at: DocumentPath([.key("strings")]))
        } else if PlayerWords.builtIn(for: story.language) == nil {
            findings.append(
                StoryFinding(
                    .languageWithoutStrings(story.language), at: DocumentPath([.key("language")])))
        }
        if let address = story.analytics {
            let path = DocumentPath([.key("analytics")])
            findings.append(StoryFinding(.visitsAreSent(to: address), at: path))
            if let parsed = VisitAddress(address), !parsed.isPrivate {
                findings.append(StoryFinding(.visitsUnencrypted(to: address), at: path))
            }
        }
        return findings
    }

    private func stringsFindings(_ file: String, at path: DocumentPath) -> [StoryFinding] {
        do {
            guard let strings = try media.strings(file) else {
                return []
            }
            let missing = PlayerWords.missing(in: strings, for: story.language)
            guard !missing.isEmpty else {
                return []
            }
            let kind = StoryFinding.Kind.stringsMissing(file, missing, language: story.language)
            return [StoryFinding(kind, at: path)]
        } catch let error as StoryError {
            return error.problems.map { problem in
                StoryFinding(.stringsUnusable(file, trimmed("\(problem)")), at: path)
            }
        } catch {
            return [StoryFinding(.stringsUnusable(file, trimmed("\(error)")), at: path)]
        }
    }
}
