import Foundation
import Media
import Stories
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
///  captions/001-prologue-1.vtt …
/// ```
public struct StoryBuilder: Sendable {
    private let project: StoryProject
    private let settings: RenderSettings

    /// What is being done.
    public struct Progress: Sendable {
        /// The segment being rendered, counted from 1.
        public let number: Int
        /// How many segments are rendered in all.
        public let count: Int
        /// The segment's name.
        public let name: String
        /// How far its render is.
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
        /// What a player reads: the segments, their files, choices and events.
        public let manifest: StoryManifest
        /// Of all files.
        public let byteCount: Int
        /// What cannot be kept, and what is remarkable; a sentence each.
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
        try requireApart(output)
        let work =
            switch output {
            case .folder(let path):
                try WorkFolder(beside: path, overwriting: settings.existing)
            case .singleFile(let path):
                try WorkFolder(beside: path + ".parts", overwriting: .refuse)
            }
        let rendering = try SegmentRendering(
            project, settings: settings, in: work, progress: progress)
        let (media, rendered) = try await rendering.renderAll()
        let manifest = try StoryManifest(
            project.story, rendered: rendered, media: media, mediaDigest: rendering.digest.bytes)
        let packer = StoryPacker(manifest: manifest, work: work)
        var warnings = rendering.warnings
        let byteCount: Int
        switch output {
        case .folder:
            byteCount = try packer.finishFolder()
            try work.publish()
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

    /// Whether a folder is what ``build(to:progress:)`` makes.
    public static func isBuiltStory(at folder: String) -> Bool {
        WorkFolder.isBuiltStory(URL(fileURLWithPath: folder))
    }

    /// The output may not be, nor hold, anything that the story is made of.
    private func requireApart(_ output: Output) throws {
        let segments = project.story.segments.values
        let maps = segments.compactMap { segment -> String? in
            guard case .timeMapFile(let path) = segment.retiming else {
                return nil
            }
            return path
        }
        let named = segments.flatMap { [$0.media] + $0.captions.map(\.file) } + maps
        let inputs = Set(named.map(project.resolve) + [project.path]).sorted()
        let place = Self.realPath(output.path)
        for input in inputs {
            if case .singleFile(let path) = output {
                try AtomicFile.requireWritable(path, notBeing: input, existing: settings.existing)
            }
            guard !(Self.realPath(input) + "/").hasPrefix(place + "/") else {
                throw MediaError(
                    .exists, file: output.path, reason: "it is, or holds, an input: \(input)",
                    remedy: "Choose another name for the output")
            }
        }
    }

    private static func realPath(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
}

extension StoryBuilder.Output {
    fileprivate var path: String {
        switch self {
        case .folder(let path), .singleFile(let path): path
        }
    }
}

/// A story that isn't fit to be built: everything that was found.
public struct StoryCheckError: Error, CustomStringConvertible {
    /// The story file, as the caller named it.
    public let file: String
    /// All findings, warnings included.
    public let findings: [StoryFinding]

    /// One line for each error, in the form `FILE:LINE:COLUMN: error: PATH: SENTENCE REMEDY`. Warnings are left
    /// out.
    public var description: String {
        let errors = findings.filter { $0.severity == .error }
        return errors.map { "\(file):\($0)" }.joined(separator: "\n")
    }
}
