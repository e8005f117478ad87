import OrderedCollections
import TimeMaps

/// An interactive video: segments, and the branching between them by a viewer's choices.
///
/// Read it from a story file with ``StoryFile``. A story may still contain mistakes, such as a choice that
/// leads to a missing segment; ``StoryLinter`` finds them.
public struct Story: Hashable, Sendable {
    /// The value of the key `timewarp` in the file.
    public static let version = "story/1"
    /// The language of a story that states none.
    public static let defaultLanguage = "en"

    /// The title that the player displays.
    public var title: String
    /// The language of the story, a BCP 47 tag such as `en`.
    public var language: String
    /// The path of a file with texts of the player's page, as written in the story; nil if the player's own are used.
    public var strings: String?
    /// What the player's page shows besides the film.
    public var controls: StoryControls
    /// The address to which the player's page sends what viewers choose, `http` or `https`; nil if nothing is sent.
    public var analytics: String?
    /// The name of the first segment.
    public var start: String
    /// The names of the variables and their initial values, in the order of the file.
    public var variables: OrderedDictionary<String, Double>
    /// The segments by name, in the order of the file.
    public var segments: OrderedDictionary<String, Segment>

    /// A story from its parts. Nothing is checked; ``StoryLinter`` does that.
    public init(
        title: String, language: String = Story.defaultLanguage, strings: String? = nil,
        controls: StoryControls = StoryControls(), analytics: String? = nil, start: String,
        variables: OrderedDictionary<String, Double> = [:],
        segments: OrderedDictionary<String, Segment>
    ) {
        self.title = title
        self.language = language
        self.strings = strings
        self.controls = controls
        self.analytics = analytics
        self.start = start
        self.variables = variables
        self.segments = segments
    }

    /// How a segment's clip is retimed.
    public enum Retiming: Hashable, Sendable {
        /// The clip isn't retimed.
        case none
        /// The speed follows a curve (speed ramp).
        case warp(Curve)
        /// A time map from output time to source time, which counts from the start of the range.
        case timeMap(TimeMapDocument)
        /// A time map or framecurve file: its path as written in the story.
        case timeMapFile(String)
    }

    /// An event at a time of the clip.
    public struct Event: Hashable, Sendable {
        /// The time of the event in the media file's own time, as in ``Segment/range``.
        public var at: RationalTime
        /// What the player does at this time.
        public var cue: StoryCue

        /// An event at a time of the media file's own time.
        public init(at: RationalTime, cue: StoryCue) {
            self.at = at
            self.cue = cue
        }
    }

    /// A choice that a viewer can take.
    public struct Choice: Hashable, Sendable {
        /// The text on the button.
        public var label: String
        /// The key that takes the choice; nil if there is none.
        public var key: Character?
        /// The name of the segment that follows.
        public var target: String
        /// The condition under which the choice is offered; nil if it always is.
        public var condition: StoryExpression?
        /// New values for variables when the choice is taken. All are computed from the values before any of
        /// them.
        public var assignments: OrderedDictionary<String, StoryExpression>
        /// A clickable area of the frame (hotspot) that replaces the button; nil for a button.
        public var area: StoryArea?
        /// Whether it is followed at once, and not only where the segment decides or ends.
        public var isImmediate: Bool

        /// A choice that leads to the segment named `target`.
        public init(
            _ label: String, key: Character? = nil, goto target: String,
            when condition: StoryExpression? = nil,
            set assignments: OrderedDictionary<String, StoryExpression> = [:],
            area: StoryArea? = nil, immediately isImmediate: Bool = false
        ) {
            self.label = label
            self.key = key
            self.target = target
            self.condition = condition
            self.assignments = assignments
            self.area = area
            self.isImmediate = isImmediate
        }
    }

    /// A segment of the story: a clip, its events, and what follows it.
    public struct Segment: Hashable, Sendable {
        /// The title of the scene that viewers see in lists and on the map; nil for the segment's name.
        public var title: String?
        /// The path of the media file as written in the story.
        public var media: String
        /// The part of the file that is played, in the file's own time; nil for the whole file.
        public var range: TimeRange?
        /// How the clip is retimed.
        public var retiming: Retiming
        /// For how long it dissolves with the segment that was left for it, from its first frame on; nil for a cut. Where a
        /// choice is followed at once, and where a viewer goes back, there is a cut.
        public var dissolve: RationalTime?
        /// The role of the segment in the story.
        public var role: StoryRole
        /// The captions, one entry for each language.
        public var captions: [StoryCaptions]
        /// The events, in the order of the file.
        public var events: [Event]
        /// The choices, in the order of the file.
        public var choices: [Choice]
        /// The name of the segment that follows if no choice is taken; nil if there is none.
        public var defaultTarget: String?
        /// Whether the segment is played again if no choice is taken.
        public var loops: Bool
        /// The name of the segment that follows if this one has no choices; nil at the end of the story.
        public var next: String?

        /// A segment that plays a clip. Nothing is checked; ``StoryLinter`` does that.
        public init(
            title: String? = nil, media: String, range: TimeRange? = nil,
            retiming: Retiming = .none,
            dissolve: RationalTime? = nil,
            role: StoryRole = .intermediate, captions: [StoryCaptions] = [], events: [Event] = [],
            choices: [Choice] = [], default defaultTarget: String? = nil, loop loops: Bool = false,
            then next: String? = nil
        ) {
            self.title = title
            self.media = media
            self.range = range
            self.retiming = retiming
            self.dissolve = dissolve
            self.role = role
            self.captions = captions
            self.events = events
            self.choices = choices
            self.defaultTarget = defaultTarget
            self.loops = loops
            self.next = next
        }
    }
}
