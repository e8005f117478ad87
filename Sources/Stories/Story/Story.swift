import OrderedCollections
import TimeMaps

/// A film that asks: segments, and the ways that a viewer's choices take through them.
///
/// It is read from a story file by ``StoryFile``. What it says may still be wrong, such as a choice
/// that leads nowhere; ``StoryLinter`` finds that.
public struct Story: Hashable, Sendable {
    /// The value of the key `timewarp`.
    public static let version = "story/1"
    /// What a story without a language is taken to be in.
    public static let defaultLanguage = "en"

    /// What a viewer reads above the player.
    public var title: String
    /// A BCP 47 tag.
    public var language: String
    /// The name of the first segment.
    public var start: String
    /// The variables and their first values, in the order of the file.
    public var variables: OrderedDictionary<String, Double>
    /// By name, in the order of the file.
    public var segments: OrderedDictionary<String, Segment>

    /// A story from its parts. Nothing is checked; ``StoryLinter`` does that.
    public init(
        title: String, language: String = Story.defaultLanguage, start: String,
        variables: OrderedDictionary<String, Double> = [:],
        segments: OrderedDictionary<String, Segment>
    ) {
        self.title = title
        self.language = language
        self.start = start
        self.variables = variables
        self.segments = segments
    }

    /// How a segment's clip is retimed.
    public enum Retiming: Hashable, Sendable {
        /// It plays as it is.
        case none
        /// Warped along a curve.
        case warp(Curve)
        /// From output time to source time, which counts from the start of the range.
        case timeMap(TimeMapDocument)
        /// The path of a time map or framecurve, as it is written.
        case timeMapFile(String)
    }

    /// An event at an instant of the clip.
    public struct Event: Hashable, Sendable {
        /// In the media file's own time, as its range is.
        public var at: RationalTime
        /// What happens then.
        public var cue: StoryCue

        /// An event at an instant of the media file's own time.
        public init(at: RationalTime, cue: StoryCue) {
            self.at = at
            self.cue = cue
        }
    }

    /// What a viewer may choose.
    public struct Choice: Hashable, Sendable {
        /// What a viewer reads on the button.
        public var label: String
        /// One character that takes it.
        public var key: Character?
        /// The name of the segment it leads to.
        public var target: String
        /// When it is offered; nil is always.
        public var condition: StoryExpression?
        /// New values for variables, all computed from the values before any of them.
        public var assignments: OrderedDictionary<String, StoryExpression>
        /// A hotspot on the picture instead of a button.
        public var area: StoryArea?

        /// A choice that leads to the segment named `target`.
        public init(
            _ label: String, key: Character? = nil, goto target: String,
            when condition: StoryExpression? = nil,
            set assignments: OrderedDictionary<String, StoryExpression> = [:],
            area: StoryArea? = nil
        ) {
            self.label = label
            self.key = key
            self.target = target
            self.condition = condition
            self.assignments = assignments
            self.area = area
        }
    }

    /// A clip, what happens in it, and what follows.
    public struct Segment: Hashable, Sendable {
        /// The path of the media file as it is written.
        public var media: String
        /// The part that is used, in the file's own time; nil is all of it.
        public var range: TimeRange?
        /// How the clip is retimed.
        public var retiming: Retiming
        /// What the segment is in the story.
        public var role: StoryRole
        /// Its subtitles, one entry a language; empty for none.
        public var captions: [StoryCaptions]
        /// In the order of the file.
        public var events: [Event]
        /// What a viewer may choose, in the order of the file; empty where nothing is asked.
        public var choices: [Choice]
        /// What follows where no choice is taken.
        public var defaultTarget: String?
        /// Whether it is played again where no choice is taken.
        public var loops: Bool
        /// What follows a segment without choices.
        public var next: String?

        /// A segment that plays a clip. Nothing is checked; ``StoryLinter`` does that.
        public init(
            media: String, range: TimeRange? = nil, retiming: Retiming = .none,
            role: StoryRole = .intermediate, captions: [StoryCaptions] = [], events: [Event] = [],
            choices: [Choice] = [], default defaultTarget: String? = nil, loop loops: Bool = false,
            then next: String? = nil
        ) {
            self.media = media
            self.range = range
            self.retiming = retiming
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
