import Documents

/// Checks a story for problems that its viewers would notice.
///
/// Which choices are ever available is derived from the values that the variables can have; see ``findings()``.
/// The linter reports only what is certain.
public struct StoryLinter: Sendable {
    let story: Story
    private let file: StoryFile?
    let media: StoryMedia

    /// A linter for a story that was made in code. Its findings have no positions.
    ///
    /// - Parameter media: looks up facts about the story's files; by default, nothing is known about them.
    public init(_ story: Story, media: StoryMedia = .unknown) {
        self.story = story
        self.media = media
        file = nil
    }

    /// A linter for a story file. Its findings have positions in the text.
    ///
    /// - Parameter media: looks up facts about the story's files; by default, nothing is known about them.
    public init(_ file: StoryFile, media: StoryMedia = .unknown) {
        story = file.story
        self.media = media
        self.file = file
    }

    /// All findings, in the order of the file.
    ///
    /// Conditions are checked by following all combinations of values from segment to segment: individually for
    /// up to 16 combinations per segment, as intervals beyond that. Whatever is reported as impossible is
    /// impossible.
    /// - Complexity: O(n) in segments, choices and events, plus the cost of following the values: each
    ///   combination of a segment evaluates all its choices.
    public func findings() -> [StoryFinding] {
        let clips = clips()
        let isOffered = zip(story.segments.values, clips).map { segment, clip in
            ChoiceWindow.isOpen(in: segment, clip)
        }
        let graph = StoryGraph(story)
        let numbered = NumberedGraph(graph)
        let analysis = VariableAnalysis(story, numbered, isOffered: isOffered)
        var found = storyFindings()
        var all: [[StoryFinding]] = []
        for (index, (name, segment)) in story.segments.enumerated() {
            let place = SegmentPlace(
                index: index, name: name, segment: segment, clip: clips[index],
                isOffered: isOffered[index])
            all.append(
                targetFindings(place) + choiceFindings(place) + eventFindings(place)
                    + mediaFindings(place) + variableFindings(place)
                    + conditionFindings(place, numbered, analysis))
        }
        let ways = WayCheck(story, graph, numbered, analysis)
        for (index, finding) in ways.findings() {
            all[index].append(finding)
        }
        if let finding = ways.storyFinding {
            found.append(finding)
        }
        return hinted(located(found + all.flatMap { $0 }))
    }

    /// Adds the intended names to findings about unknown names. Only the first ones get such a hint, because
    /// searching for it is slow.
    private func hinted(_ findings: [StoryFinding]) -> [StoryFinding] {
        var left = Self.mostHints
        return findings.map { finding in
            guard left > 0 else {
                return finding
            }
            let kind: StoryFinding.Kind
            switch finding.kind {
            case .targetMissing(let name, _):
                kind = .targetMissing(
                    name, nearest: Spelling.nearest(to: name, in: story.segments.keys))
            case .undefinedVariable(let name, _):
                kind = .undefinedVariable(
                    name, nearest: Spelling.nearest(to: name, in: story.variables.keys))
            default:
                return finding
            }
            left -= 1
            return StoryFinding(kind, at: finding.path, position: finding.position)
        }
    }

    private static let mostHints = 100

    /// The known facts about the media. Each file is looked up once.
    private func clips() -> [ClipFacts] {
        var known: [String: StoryMedia.Facts] = [:]
        var trouble: [String: String?] = [:]
        return story.segments.values.map { segment in
            let facts = known[segment.media] ?? media.facts(segment.media)
            known[segment.media] = facts
            for captions in segment.captions where trouble[captions.file] == nil {
                trouble[captions.file] = .some(media.captionsTrouble(captions.file))
            }
            return ClipFacts(
                facts: facts, timing: KnownTiming(of: segment, media, facts),
                captionsTrouble: segment.captions.map { trouble[$0.file] ?? nil })
        }
    }

    private func located(_ findings: [StoryFinding]) -> [StoryFinding] {
        guard let file else {
            return findings
        }
        let located = findings.map { finding in
            StoryFinding(finding.kind, at: finding.path, position: file.position(of: finding.path))
        }
        let end = TextPosition(line: .max, column: 0)
        return located.enumerated().sorted { a, b in
            let (first, second) = (a.element.position ?? end, b.element.position ?? end)
            return first == second ? a.offset < b.offset : first < second
        }.map(\.element)
    }

    /// Findings about the story as a whole.
    private func storyFindings() -> [StoryFinding] {
        var findings: [StoryFinding] = []
        if story.segments[story.start] == nil {
            findings.append(missing(story.start, at: DocumentPath([.key("start")])))
        }
        let deciding = VariableUse(story).deciding
        for name in story.variables.keys where !deciding.contains(name) {
            findings.append(
                StoryFinding(
                    .variableNeverRead(name), at: DocumentPath([.key("variables"), .key(name)])))
        }
        return findings + playerFindings()
    }

    func missing(_ name: String, at path: DocumentPath) -> StoryFinding {
        StoryFinding(.targetMissing(name, nearest: nil), at: path)
    }
}

/// The known facts about a segment's files.
struct ClipFacts {
    let facts: StoryMedia.Facts
    let timing: KnownTiming
    /// For each of the segment's captions, why the file can't be used; nil if it can.
    let captionsTrouble: [String?]
}

/// A segment that is being checked.
struct SegmentPlace {
    let index: Int
    let name: String
    let segment: Story.Segment
    let clip: ClipFacts
    /// Whether its choices are ever shown.
    let isOffered: Bool

    var path: DocumentPath { .segment(name) }
}
