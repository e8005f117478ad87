import Foundation

/// One line of a log of visits: something that happened in a viewer's visit of a built story.
///
/// A line is a JSON object. `visit` names the visit by 16 hexadecimal digits, `story` is the manifest's id, `at` is the
/// time in UTC. What the other keys are depends on `type`:
///
/// ```json
/// {"at":"2026-03-01T10:00:00.000Z","segment":"door","story":"…","type":"start","visit":"…"}
/// {"at":"…","choice":0,"label":"Open it","segment":"door","story":"…","time":4.2,"type":"choice","visit":"…"}
/// {"at":"…","by":"choice","choice":0,"from":"door","story":"…","to":"hall","type":"way","visit":"…"}
/// ```
package struct StoryVisitLine: Hashable, Sendable {
    /// The name of the visit: 16 hexadecimal digits.
    package let visit: String
    /// The id of the built story: see ``StoryManifest/id``.
    package let story: String
    /// When it happened, by the viewer's clock: `2026-03-01T10:00:00.000Z`.
    package let at: String
    /// What happened.
    package let event: Event

    /// Something that happens in a visit. Times are in seconds of the segment as it is played.
    package enum Event: Hashable, Sendable {
        /// A segment began because the viewer wanted it.
        case began(segment: String, Beginning)
        /// A segment followed another one.
        case way(StoryEdge)
        /// The viewer took the choice with this index, counted from 0.
        case choice(segment: String, choice: Int, label: String, time: Double)
        /// An event of the story with a name of its own.
        case event(segment: String, name: String, time: Double)
        /// The story ended.
        case end(segment: String, time: Double)
    }

    /// How a segment begins that doesn't follow another one.
    package enum Beginning: String, Hashable, Sendable, CaseIterable {
        /// The story starts, also once more.
        case start
        /// The viewer goes on where an earlier visit ended.
        case resume
        /// The viewer goes back to the last choice.
        case back
        /// The viewer goes back to a scene.
        case scene
    }

    /// A line from its parts. Nothing is checked.
    package init(visit: String, story: String, at: String, event: Event) {
        self.visit = visit
        self.story = story
        self.at = at
        self.event = event
    }

    /// The name of the segment in which it happened, or that began.
    package var segment: String {
        switch event {
        case .began(let segment, _), .choice(let segment, _, _, _), .event(let segment, _, _),
            .end(let segment, _):
            segment
        case .way(let edge): edge.to
        }
    }

    /// Whether a text may be the first part of a line: it begins as one does, and isn't whole.
    package static func isTorn(_ text: Data) -> Bool {
        let beginning = Data("{\"".utf8)
        return text.count <= longest && text.prefix(beginning.count) == beginning.prefix(text.count)
            && (try? JSONSerialization.jsonObject(with: text)) == nil
    }
}

extension StoryVisitLine: Encodable {
    private enum Key: String, CodingKey {
        case visit, story, at, type, segment, choice, label, name, time
    }

    /// The line as JSON with sorted keys, without a newline.
    package var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding can't fail, because times are finite.
        return (try? encoder.encode(self)) ?? Data()
    }

    /// Encodes an object with the keys `visit`, `story`, `at` and `type`, and those of the type.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(visit, forKey: .visit)
        try container.encode(story, forKey: .story)
        try container.encode(at, forKey: .at)
        switch event {
        case .began(let segment, let beginning):
            try container.encode(beginning.rawValue, forKey: .type)
            try container.encode(segment, forKey: .segment)
        case .way(let edge):
            try container.encode("way", forKey: .type)
            try edge.encode(to: encoder)
        case .choice(let segment, let choice, let label, let time):
            try container.encode("choice", forKey: .type)
            try container.encode(segment, forKey: .segment)
            try container.encode(choice, forKey: .choice)
            try container.encode(label, forKey: .label)
            try container.encode(time, forKey: .time)
        case .event(let segment, let name, let time):
            try container.encode("event", forKey: .type)
            try container.encode(segment, forKey: .segment)
            try container.encode(name, forKey: .name)
            try container.encode(time, forKey: .time)
        case .end(let segment, let time):
            try container.encode("end", forKey: .type)
            try container.encode(segment, forKey: .segment)
            try container.encode(time, forKey: .time)
        }
    }
}
