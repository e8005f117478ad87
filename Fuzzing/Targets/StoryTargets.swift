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
