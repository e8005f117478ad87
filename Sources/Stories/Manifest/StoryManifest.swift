/// A built story: what a player needs to know, written as `story.json` beside the media.
///
/// All times are seconds. Every segment's media lies on one common media timeline; see
/// ``Segment/start``.
public struct StoryManifest: Hashable, Sendable {
    /// The value of the key `timewarp`.
    public static let version = "story-manifest/1"

    /// 16 hexadecimal digits that change with the content; a saved state belongs to one id.
    public var id: String
    /// What a viewer reads above the player.
    public var title: String
    /// A BCP 47 tag.
    public var language: String
    /// The name of the first segment.
    public var start: String
    /// The variables and their first values.
    public var variables: [String: Double]
    /// How the media files are encoded.
    public var media: Media
    /// By name.
    public var segments: [String: Segment]

    /// A manifest from its parts; nothing is checked.
    public init(
        id: String, title: String, language: String, start: String, variables: [String: Double],
        media: Media, segments: [String: Segment]
    ) {
        self.id = id
        self.title = title
        self.language = language
        self.start = start
        self.variables = variables
        self.media = media
        self.segments = segments
    }

    /// What all segments' files have in common.
    public struct Media: Hashable, Sendable, Codable {
        /// The MIME type with its codecs.
        public var type: String
        /// The file that begins the stream: ftyp and moov.
        public var `init`: String
        /// In pixels.
        public var width: Int
        /// In pixels.
        public var height: Int
        /// Frames a second.
        public var frameRate: Double
        /// Samples a second; 0 where there is no sound.
        public var sampleRate: Int

        /// A description of the common media stream.
        public init(
            type: String, init file: String, width: Int, height: Int, frameRate: Double,
            sampleRate: Int
        ) {
            self.type = type
            self.`init` = file
            self.width = width
            self.height = height
            self.frameRate = frameRate
            self.sampleRate = sampleRate
        }
    }

    /// An event at its time in the segment as it is played.
    public struct Event: Hashable, Sendable, Codable {
        /// Seconds from the segment's first picture.
        public var at: Double
        /// What happens then.
        public var cue: StoryCue

        private enum CodingKeys: String, CodingKey {
            case at
            case cue = "do"
        }

        /// An event, in seconds from the segment's first frame.
        public init(at: Double, cue: StoryCue) {
            self.at = at
            self.cue = cue
        }
    }

    /// A new value for a variable.
    public struct Assignment: Hashable, Sendable {
        /// The variable's name.
        public var variable: String
        /// What its new value is computed by.
        public var formula: StoryFormula

        /// A new value for a variable.
        public init(variable: String, formula: StoryFormula) {
            self.variable = variable
            self.formula = formula
        }
    }

    /// What a viewer may choose.
    public struct Choice: Hashable, Sendable {
        /// What a viewer reads on the button.
        public var label: String
        /// A character that takes it.
        public var key: String?
        /// The segment it leads to.
        public var target: String
        /// When it is offered; nil is always.
        public var condition: StoryFormula?
        /// All are computed from the values before any of them.
        public var assignments: [Assignment]
        /// A hotspot on the picture instead of a button.
        public var area: StoryArea?

        /// A choice that leads to the segment named `target`.
        public init(
            label: String, key: String?, target: String, condition: StoryFormula?,
            assignments: [Assignment], area: StoryArea?
        ) {
            self.label = label
            self.key = key
            self.target = target
            self.condition = condition
            self.assignments = assignments
            self.area = area
        }
    }

    /// A clip of the story.
    public struct Segment: Hashable, Sendable {
        /// What the segment is in the story.
        public var role: StoryRole
        /// Fragments: moof and mdat.
        public var file: String
        /// When its first picture is shown on the common media timeline.
        public var start: Double
        /// `frames / frameRate`.
        public var duration: Double
        /// How many frames it has.
        public var frames: Int
        /// Its subtitles, one entry a language.
        public var captions: [StoryCaptions]
        /// In order of time; those at one time in the order of the story file.
        public var events: [Event]
        /// What a viewer may choose, in order.
        public var choices: [Choice]
        /// What follows where no choice is taken.
        public var defaultTarget: String?
        /// Whether it is played again where no choice is taken.
        public var loops: Bool
        /// What follows a segment without choices.
        public var next: String?

        /// A segment; `start` and `duration` are in seconds.
        public init(
            role: StoryRole, file: String, start: Double, duration: Double, frames: Int,
            captions: [StoryCaptions], events: [Event], choices: [Choice], defaultTarget: String?,
            loops: Bool, next: String?
        ) {
            self.role = role
            self.file = file
            self.start = start
            self.duration = duration
            self.frames = frames
            self.captions = captions
            self.events = events
            self.choices = choices
            self.defaultTarget = defaultTarget
            self.loops = loops
            self.next = next
        }
    }
}
