import Foundation
import Media
import TimeMaps
import TimeWarp

/// Renders a story's segments once, and puts them with a manifest and the player into a folder that any
/// static web server can serve, or into one page.
///
/// ```
///  index.html  *.js  player.css    the player
///  story.json                      the manifest
///  media/init.mp4                  what all segments' tracks hold
///  media/001-prologue.m4s …        each segment: whole frames, starting on a closed key frame
///  captions/001-en.vtt …
/// ```
public struct StoryBuilder: Sendable {
    private let project: StoryProject
    private let settings: RenderSettings

    /// What is being done.
    public struct Progress: Sendable {
        /// The segment being rendered, counted from 1.
        public let number: Int
        public let count: Int
        public let name: String
        public let render: RenderProgress
    }

    /// Where the result goes.
    public enum Output: Hashable, Sendable {
        /// A folder; it appears whole or not at all.
        case folder(String)
        /// One HTML file with everything in it.
        case singleFile(String)
    }

    /// What was built.
    public struct Report: Sendable {
        public let manifest: StoryManifest
        /// Of all files.
        public let byteCount: Int
        public let warnings: [String]
    }

    /// A page that is larger takes long to load, because browsers read all of it before anything shows.
    static let largestComfortablePage = 50 << 20

    /// - Parameter settings: rate, codecs' quality and sound; what it writes is always H.264, with AAC or
    ///   Opus.
    public init(_ project: StoryProject, settings: RenderSettings = RenderSettings()) {
        self.project = project
        self.settings = settings
    }

    /// Builds. Cancelling the task stops it, and nothing is left.
    ///
    /// - Throws: ``StoryCheckError`` where the story has errors, `MediaError` for its files and for the
    ///   output.
    public func build(
        to output: Output, progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Report {
        let findings = project.findings()
        guard !findings.contains(where: { $0.severity == .error }) else {
            throw StoryCheckError(file: project.path, findings: findings)
        }
        let work = try WorkFolder(beside: output.path, overwriting: settings.existing)
        let rendering = try SegmentRendering(
            project, settings: settings, in: work, progress: progress)
        let (media, rendered) = try await rendering.renderAll()
        let manifest = try StoryManifest(
            project.story, rendered: rendered, media: media, mediaDigest: rendering.digest.bytes)
        let packer = StoryPacker(manifest: manifest, work: work)
        var warnings = rendering.warnings
        let byteCount: Int
        switch output {
        case .folder(let path):
            byteCount = try packer.finishFolder()
            try work.publish(as: path)
        case .singleFile(let path):
            byteCount = try packer.writePage(to: path, existing: settings.existing)
            if byteCount > Self.largestComfortablePage {
                warnings.append(
                    "the page has \(byteCount >> 20) MiB, and a browser reads all of it before "
                        + "anything shows; a folder loads segment by segment")
            }
        }
        return Report(manifest: manifest, byteCount: byteCount, warnings: warnings)
    }
}

extension StoryBuilder.Output {
    var path: String {
        switch self {
        case .folder(let path), .singleFile(let path): path
        }
    }
}

/// A story that isn't fit to be built: everything that was found.
public struct StoryCheckError: Error, CustomStringConvertible {
    public let file: String
    public let findings: [StoryFinding]

    public var description: String {
        let errors = findings.filter { $0.severity == .error }
        return errors.map { "\(file):\($0)" }.joined(separator: "\n")
    }
}
