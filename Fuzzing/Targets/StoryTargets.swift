import Foundation
import Stories
import StoryBuilding
import TimeMaps

extension FuzzTarget {
    /// A story: parsed, linted, drawn and walked.
    static let story = FuzzTarget(
        "story",
        data: { json in
            let file = try StoryFile(json: json)
            for media in [StoryMedia.unknown, tenSeconds] {
                for finding in StoryLinter(file, media: media).findings() {
                    require(!finding.description.isEmpty, "a finding without words")
                }
            }
            attempt {
                let manifest = try StoryManifest.outline(of: file.story)
                try check(manifest)
            }
        })

    /// The manifest of a built story.
    static let manifest = FuzzTarget(
        "manifest",
        data: { json in
            let manifest = try StoryManifest(json: json)
            let again = try StoryManifest(json: manifest.json())
            require(again == manifest, "written and read again it is another manifest")
            try check(manifest)
        })

    /// The texts of a player's page.
    static let strings = FuzzTarget(
        "strings",
        data: { json in
            let strings = try PlayerStrings(json: json)
            let words = PlayerWords(for: "de", strings: strings)
            let again = try PlayerStrings(json: Data(words.stringsFile.utf8))
            require(again.texts == words.texts, "printed and read again they are other texts")
        })

    /// A log of visits, counted and drawn, and its lines written again.
    static let visits = FuzzTarget(
        "visits",
        data: { log in
            for line in log.split(separator: UInt8(ascii: "\n")) {
                attempt {
                    let line = try StoryVisitLine(json: Data(line))
                    let again = try StoryVisitLine(json: line.json)
                    require(again == line, "written and read again it is another line")
                }
            }
            let visits = try StoryVisits(log: log)
            let story = Story(
                title: "t", start: "a",
                segments: [
                    "a": Story.Segment(media: "m", then: "b"), "b": Story.Segment(media: "m"),
                ])
            _ = visits.unknownWays(in: StoryGraph(story))
            require(!StoryPicture(of: story, visits: visits).svg.isEmpty, "no picture")
        })

    /// WebVTT.
    static let captions = FuzzTarget(
        "captions",
        text: { text in
            let captions = try WebVTT(text: text, path: "captions.vtt")
            let map = try TimeMap.uniform(
                from: RationalTime(10, over: 1), to: RationalTime(25, over: 1))
            let retimed = captions.retimed(through: map, from: 1)
            _ = try WebVTT(text: retimed, path: "captions.vtt")
        })

    private static let tenSeconds = StoryMedia(facts: { path in
        path.hasSuffix("missing.mp4")
            ? .missing : .usable(duration: RationalTime(10, over: 1), frameDuration: 0.04)
    })

    private static func check(_ manifest: StoryManifest) throws {
        let walker = try StoryWalker(manifest, mostStates: 200)
        let coverage = walker.walk()
        require(coverage.stateCount <= 200, "\(coverage.stateCount) states")
        _ = coverage.coveringWalks()
        _ = walker.randomWalks(2, seed: 1, steps: 40)
    }
}
