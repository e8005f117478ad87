// The keys that a story file may hold, object by object. The published schema holds the same.

enum StoryKey: String, CaseIterable {
    case timewarp, title, language, start, variables, segments
}

enum SegmentKey: String, CaseIterable {
    case media, range, warp, timeMap, timeMapFile, role, captions, events, choices
    case defaultTarget = "default"
    case loop, then
}

enum ChoiceKey: String, CaseIterable {
    case label, key, goto, when, set, area
}

enum EventKey: String, CaseIterable {
    case at
    case cue = "do"
}

enum CaptionsKey: String, CaseIterable {
    case file, language, label
}

enum PointKey: String, CaseIterable {
    case output, source
}

/// How much a story file may hold; no film needs more, and a hostile file gets no further.
package enum StoryLimits {
    package static let largestFile = 16 << 20
    package static let mostSegments = 100_000
    package static let mostVariables = 1000
    package static let mostChoices = 100
    package static let mostEvents = 1000
    package static let mostCaptions = 100
    /// In characters: names, titles, labels.
    package static let longestName = 200
    package static let longestPath = 4096
}
