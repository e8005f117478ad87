import Foundation
import Media
import Stories
import TimeMaps
import TimeWarp

/// Renders each segment of a story once, and writes the segments with a manifest and the player to a folder
/// that any static web server can serve, or to one HTML page.
///
/// ```
///  index.html  *.js  player.css    the player
///  story.json                      the manifest
///  media/init.mp4                  the initialisation segment that all segments share
///  media/001-prologue.m4s …        the segments: whole frames, starting with a closed GOP
///  media/parts.json                what they were made from, by which the next build takes them over; not of pieces
///  captions/001-prologue-1.vtt …
/// ```
public struct StoryBuilder: Sendable {
    let project: StoryProject
    let settings: RenderSettings

    /// The progress of a build.
    public struct Progress: Sendable {
        /// The segment being rendered, counted from 1.
        public let number: Int
        /// The total number of segments.
        public let count: Int
        /// The segment's name.
        public let name: String
        /// The progress of rendering this segment.
        public let render: RenderProgress
    }

    /// Where the result is written.
    public enum Output: Hashable, Sendable {
        /// A folder at this path. It appears when it is complete, or not at all.
        case folder(String)
        /// One self-contained HTML file at this path.
        case singleFile(String)
    }

    /// The result of a build.
    public struct Report: Sendable {
        /// The manifest that the player reads: segments with their files, choices and events.
        public let manifest: StoryManifest
        /// The size of all written files, in bytes.
        public let byteCount: Int
        /// Warnings about anything that can't be preserved or is unusual, one sentence each.
        public let warnings: [String]
    }

    /// Larger pages get a warning, in bytes: browsers load the whole page before they show anything.
    static let largestComfortablePage = 50 << 20

    /// A builder for a story.
    ///
    /// - Parameter settings: frame rate, quality and sound. The video codec is always H.264; the audio codec is
    ///   AAC or Opus.
    public init(_ project: StoryProject, settings: RenderSettings = RenderSettings()) {
        self.project = project
        self.settings = settings
    }

    /// Builds the story. If the task is cancelled, the build stops and leaves no files. A folder that is replaced gives its
    /// media files, if nothing of what they are made from has changed: the result has the same bytes as without it.
    ///
    /// - Parameters:
    ///   - output: where the result is written. It can't be, or contain, a file of the story.
    ///   - pieces: the media files, if they were rendered before: see ``render(_:to:identity:progress:)``.
    ///   - progress: called repeatedly while segments are rendered.
    /// - Returns: what was built.
    /// - Throws: ``StoryCheckError`` if the linter finds errors in the story, `MediaError` for problems with
    ///   its files or the output, and `CancellationError`.
    public func build(
        to output: Output, joining pieces: RenderedPieces? = nil,
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Report {
        try requireNoErrors()
        try requireApart(output)
        let work =
            switch output {
            case .folder(let path):
                try WorkFolder(beside: path, overwriting: settings.output.existing)
            case .singleFile(let path):
                try WorkFolder(beside: path + ".parts", overwriting: .refuse)
            }
        let rendering = try SegmentRendering(
            project, settings: settings, in: work, replacing: EarlierBuild(replacedBy: output),
            progress: progress)
        let (media, rendered) = try await rendering.renderAll(joining: pieces)
        let manifest = try StoryManifest(
            project.story, rendered: rendered, media: media, mediaDigest: rendering.digest.bytes)
        let packer = StoryPacker(manifest: manifest, words: try project.words(), work: work)
        var warnings = rendering.warnings
        let byteCount: Int
        switch output {
        case .folder:
            byteCount = try packer.finishFolder()
            try work.publish()
        case .singleFile(let path):
            byteCount = try packer.writePage(to: path, existing: settings.output.existing)
            if byteCount > Self.largestComfortablePage {
                warnings.append(
                    "the page has \(byteCount >> 20) MiB, and a browser loads all of it before it "
                        + "shows anything; a folder is loaded segment by segment")
            }
        }
        return Report(manifest: manifest, byteCount: byteCount, warnings: warnings)
    }

    /// Throws if the linter finds errors.
    func requireNoErrors() throws {
        let findings = project.findings()
        guard !findings.contains(where: { $0.severity == .error }) else {
            throw StoryCheckError(file: project.path, findings: findings)
        }
    }

    /// Whether a folder contains a story that ``build(to:joining:progress:)`` has built.
    public static func isBuiltStory(at folder: String) -> Bool {
        WorkFolder.isBuiltStory(URL(fileURLWithPath: folder))
    }

    /// Checks that the output isn't a file of the story, or a folder that contains one.
    private func requireApart(_ output: Output) throws {
        let place = Self.realPath(output.path)
        for input in project.inputs {
            if case .singleFile(let path) = output {
                try AtomicFile.requireWritable(
                    path, notBeing: input, existing: settings.output.existing)
            }
            guard !(Self.realPath(input) + "/").hasPrefix(place + "/") else {
                throw MediaError(
                    .exists, file: output.path, reason: "it is or contains an input file: \(input)",
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

/// The error for a story that can't be built. It lists all findings.
public struct StoryCheckError: Error, CustomStringConvertible {
    /// The path of the story file, as given.
    public let file: String
    /// All findings, including warnings.
    public let findings: [StoryFinding]

    /// One line for each error, in the form `FILE:LINE:COLUMN: error: PATH: SENTENCE REMEDY`. Warnings are left
    /// out.
    public var description: String {
        let errors = findings.filter { $0.severity == .error }
        return errors.map { "\(file):\($0)" }.joined(separator: "\n")
    }
}

extension StoryCheckError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
