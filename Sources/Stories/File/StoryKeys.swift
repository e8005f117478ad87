// The keys that a story file may contain, for each kind of object. The published schema has the same keys.

enum StoryKey: String, CaseIterable {
    case timewarp, title, language, strings, controls, analytics, start, variables, segments
}

enum ControlsKey: String, CaseIterable {
    case progress, map
}

enum SegmentKey: String, CaseIterable {
    case title, media, range, warp, timeMap, timeMapFile, dissolve, role, captions, events, choices
    case defaultTarget = "default"
    case loop, then
}

enum ChoiceKey: String, CaseIterable {
    case label, key, goto, when, set, area, immediately
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

/// Limits on the size of a story file. No real story reaches them; they bound the cost of a hostile file.
package enum StoryLimits {
    package static let largestFile = 16 << 20
    package static let mostSegments = 100_000
    package static let mostVariables = 1000
    package static let mostChoices = 100
    package static let mostEvents = 1000
    package static let mostCaptions = 100
    /// The longest name, title or label, in characters.
    package static let longestName = 200
    package static let longestPath = 4096
    package static let largestStringsFile = 1 << 20
    /// The longest address to which visits are sent, in characters.
    package static let longestAddress = 2000
}
