/// A built story: all that a player needs to know. It is written as `story.json` beside the media.
///
/// All times are in seconds. The media of all segments lies on one common media timeline; see
/// ``Segment/start``.
public struct StoryManifest: Hashable, Sendable {
    /// The value of the key `timewarp` in the file.
    public static let version = "story-manifest/1"

    /// An identifier of 16 hexadecimal digits that changes with the content. A saved state can only be restored
    /// with the same id.
    public var id: String
    /// The title that the player displays.
    public var title: String
    /// The language of the story, a BCP 47 tag such as `en`.
    public var language: String
    /// What the player's page shows besides the film.
    public var controls: StoryControls
    /// The address to which the player's page sends what viewers choose: absolute, or relative to the page; nil if
    /// nothing is sent.
    public var analytics: String?
    /// The name of the first segment.
    public var start: String
    /// The names of the variables, and their initial values.
    public var variables: [String: Double]
    /// How the media files are encoded.
    public var media: Media
    /// The segments by name.
    public var segments: [String: Segment]

    /// A manifest from its parts; nothing is checked.
    public init(
        id: String, title: String, language: String, controls: StoryControls = StoryControls(),
        analytics: String? = nil, start: String, variables: [String: Double], media: Media,
        segments: [String: Segment]
    ) {
        self.id = id
        self.title = title
        self.language = language
        self.controls = controls
        self.analytics = analytics
        self.start = start
        self.variables = variables
        self.media = media
        self.segments = segments
    }

    /// The properties that the files of all segments share.
    public struct Media: Hashable, Sendable, Codable {
        /// The MIME type with its codecs, as Media Source Extensions need it.
        public var type: String
        /// The path of the initialisation segment: the boxes ftyp and moov.
        public var `init`: String
        /// The width of the video in pixels.
        public var width: Int
        /// The height of the video in pixels.
        public var height: Int
        /// Frames per second.
        public var frameRate: Double
        /// Audio samples per second; 0 if there is no sound.
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

    /// An event at its time in the retimed segment.
    public struct Event: Hashable, Sendable, Codable {
        /// The time of the event, in seconds from the segment's first frame.
        public var at: Double
        /// What the player does at this time.
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

    /// An assignment of a new value to a variable.
    public struct Assignment: Hashable, Sendable {
        /// The variable's name.
        public var variable: String
        /// The formula of the new value.
        public var formula: StoryFormula

        /// An assignment to `variable`.
        public init(variable: String, formula: StoryFormula) {
            self.variable = variable
            self.formula = formula
        }
    }

    /// A choice that a viewer can take.
    public struct Choice: Hashable, Sendable {
        /// The text on the button.
        public var label: String
        /// The key that takes the choice, one character; nil if there is none.
        public var key: String?
        /// The name of the segment that follows.
        public var target: String
        /// The condition under which the choice is offered; nil if it always is.
        public var condition: StoryFormula?
        /// The assignments when the choice is taken. All are computed from the values before any of them.
        public var assignments: [Assignment]
        /// A clickable area of the frame (hotspot) that replaces the button; nil for a button.
        public var area: StoryArea?
        /// Whether it is followed at once, and not only at the segment's end.
        public var isImmediate: Bool

        /// A choice that leads to the segment named `target`.
        public init(
            label: String, key: String?, target: String, condition: StoryFormula?,
            assignments: [Assignment], area: StoryArea?, immediately isImmediate: Bool = false
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

    /// A media file: fragments of the boxes moof and mdat.
    public struct File: Hashable, Sendable, Codable {
        /// The path of the file.
        public var file: String
        /// When its first frame is presented on the common media timeline, in seconds.
        public var start: Double

        /// A media file, with the time of its first frame in seconds.
        public init(file: String, start: Double) {
            self.file = file
            self.start = start
        }
    }

    /// How a segment dissolves with the one that was left for it. Its first frames are then in another file, and ``rest``
    /// has those after them. A player that shows the segment's own file instead shows a cut.
    public struct Dissolve: Hashable, Sendable, Codable {
        /// The number of frames that the dissolve lasts, less than the segment's.
        public var frames: Int
        /// The file of the dissolve for each segment that leads here, by that segment's name.
        public var from: [String: File]
        /// The file of the segment's frames after a dissolve.
        public var rest: File

        /// A dissolve; `frames` is above 0.
        public init(frames: Int, from: [String: File], rest: File) {
            self.frames = frames
            self.from = from
            self.rest = rest
        }
    }

    /// A segment of the story: one rendered clip.
    public struct Segment: Hashable, Sendable {
        /// The title that viewers see; nil for the segment's name.
        public var title: String?
        /// The role of the segment in the story.
        public var role: StoryRole
        /// The path of the segment's media: fragments of the boxes moof and mdat.
        public var file: String
        /// When its first frame is presented on the common media timeline, in seconds.
        public var start: Double
        /// The duration in seconds: `frames / frameRate`.
        public var duration: Double
        /// The number of frames.
        public var frames: Int
        /// How it dissolves with the segment before it; nil for a cut.
        public var dissolve: Dissolve?
        /// The captions, one entry for each language.
        public var captions: [StoryCaptions]
        /// The events in order of time; those at the same time are in the order of the story file.
        public var events: [Event]
        /// The choices, in the order in which they are displayed.
        public var choices: [Choice]
        /// The name of the segment that follows if no choice is taken; nil if there is none.
        public var defaultTarget: String?
        /// Whether the segment is played again if no choice is taken.
        public var loops: Bool
        /// The name of the segment that follows if this one has no choices; nil at the end of the story.
        public var next: String?

        /// A segment; `start` and `duration` are in seconds.
        public init(
            title: String? = nil, role: StoryRole, file: String, start: Double, duration: Double,
            frames: Int,
            dissolve: Dissolve? = nil,
            captions: [StoryCaptions], events: [Event], choices: [Choice], defaultTarget: String?,
            loops: Bool, next: String?
        ) {
            self.title = title
            self.role = role
            self.file = file
            self.start = start
            self.duration = duration
            self.frames = frames
            self.dissolve = dissolve
            self.captions = captions
            self.events = events
            self.choices = choices
            self.defaultTarget = defaultTarget
            self.loops = loops
            self.next = next
        }
    }
}
