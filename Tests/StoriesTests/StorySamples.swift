import Foundation
import TimeMaps

@testable import Stories

/// Stories for the tests.
enum Sample {
    static let lockedRoom = """
        { "timewarp": "story/1", "title": "The locked room", "start": "prologue",
          "variables": { "courage": 0 },
          "segments": {
            "prologue": { "media": "intro.mp4", "range": ["0", "12.5"], "role": "prologue",
              "then": "door" },
            "door": { "media": "door.mp4", "warp": { "curve": "triangle", "factor": 2 },
              "events": [ { "at": "4", "do": "showControls" }, { "at": "8", "do": "hideControls" },
                          { "at": "8", "do": "decide" } ],
              "choices": [ { "label": "Open it", "key": "o", "goto": "hall",
                             "set": { "courage": "courage + 1" } },
                           { "label": "Walk away", "goto": "garden", "when": "courage < 2" } ],
              "default": "garden", "loop": false },
            "garden": { "media": "garden.mp4", "role": "losing", "then": "door" },
            "hall": { "media": "hall.mp4", "role": "epilogue" } } }
        """

    static func file(_ json: String) throws -> StoryFile {
        try StoryFile(json: Data(json.utf8))
    }

    /// A story with the given segments, which are written as in a file.
    static func json(
        _ segments: String, variables: String = "{}", start: String = "a"
    ) -> String {
        """
        { "timewarp": "story/1", "title": "T", "start": "\(start)", "variables": \(variables),
          "segments": { \(segments) } }
        """
    }

    static func story(
        _ segments: String, variables: String = "{}", start: String = "a"
    ) throws -> Story {
        try file(json(segments, variables: variables, start: start)).story
    }

    /// Every segment lasts ten seconds, or as long as its range.
    static let tenSeconds = StoryMedia(facts: { _ in
        .usable(duration: RationalTime(10, over: 1), frameDuration: 0.04)
    })

    static func manifest(
        _ segments: String, variables: String = "{}", start: String = "a"
    ) throws -> StoryManifest {
        try .outline(
            of: story(segments, variables: variables, start: start), media: tenSeconds,
            frameRate: 25)
    }

    static func runtime(
        _ segments: String, variables: String = "{}"
    ) throws -> StoryRuntime {
        try StoryRuntime(manifest(segments, variables: variables))
    }
}

/// Generates random stories. They can be parsed, but many of them make no sense.
struct StoryMaker {
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// - Parameter counters: whether variables may grow without bound.
    mutating func json(segments count: Int, counters: Bool = true) -> String {
        let segments = (0..<count).map { index in
            "\"s\(index)\": \(segment(index, of: count, counters: counters))"
        }
        return Sample.json(
            segments.joined(separator: ",\n"), variables: "{ \"p\": 0, \"q\": 1, \"r\": 0.5 }",
            start: "s0")
    }

    private mutating func chance(_ share: Double) -> Bool {
        random.share() < share
    }

    private mutating func segment(_ index: Int, of count: Int, counters: Bool) -> String {
        var parts = ["\"media\": \"m.mp4\""]
        if chance(0.2) {
            parts.append("\"role\": \"epilogue\"")
        }
        if chance(0.7) {
            let choices = (0...random.below(3)).map { choice($0, of: count, counters: counters) }
            parts.append("\"choices\": [ \(choices.joined(separator: ", ")) ]")
        }
        if chance(0.4) {
            parts.append("\"default\": \"\(target(of: count))\"")
        }
        if chance(0.2) {
            parts.append("\"loop\": true")
        }
        if chance(0.6) {
            parts.append("\"then\": \"\(target(of: count))\"")
        }
        if chance(0.8) {
            let names = ["showControls", "showControls", "hideControls", "decide", "flash"]
            let events = (0...random.below(4)).map { _ in
                "{ \"at\": \(random.below(40)), \"do\": \"\(names[random.below(names.count)])\" }"
            }
            parts.append("\"range\": [0, \(random.below(30) + 10)]")
            parts.append("\"events\": [ \(events.joined(separator: ", ")) ]")
        }
        return "{ \(parts.joined(separator: ", ")) }"
    }

    private mutating func target(of count: Int) -> String {
        "s\(random.below(count))"
    }

    private mutating func choice(_ index: Int, of count: Int, counters: Bool) -> String {
        var parts = ["\"label\": \"L\(index)\"", "\"goto\": \"\(target(of: count))\""]
        if chance(0.4) {
            let all = ["p < 2", "q > 3", "p == q", "p + q >= 4", "r != 0.5 ? p : q - 1", "p > 100"]
            parts.append("\"when\": \"\(all[random.below(all.count)])\"")
        }
        if chance(0.4) {
            let bounded = ["min(p + 1, 3)", "3 - p", "q > 2 ? 0 : p", "0", "min(floor(r * 4), 3)"]
            let all = counters ? bounded + ["p + 1", "p * 2 - 1", "1/p", "-p"] : bounded
            let name = ["p", "q", "r"][random.below(3)]
            parts.append("\"set\": { \"\(name)\": \"\(all[random.below(all.count)])\" }")
        }
        if chance(0.2) {
            parts.append("\"immediately\": true")
        }
        return "{ \(parts.joined(separator: ", ")) }"
    }
}
