import Foundation
import Media
import Stories
import TimeMaps
import TimeWarp

/// A story file, and the folder to which its paths are relative.
public struct StoryProject: Sendable {
    /// The path of the story file, as given.
    public let path: String
    /// The story, with the positions of its values in the text.
    public let file: StoryFile
    /// The folder of the story file; nil for the working directory.
    public let folder: String?
    /// What is known of the files that it names.
    private let known: KnownFiles

    /// The story in the file.
    public var story: Story { file.story }

    /// Reads a story file.
    ///
    /// - Throws: `MediaError` if the file can't be read, ``StoryFileError`` if it isn't a valid story.
    public init(contentsOfFile path: String) throws {
        try self.init(contentsOfFile: path, knowing: .none)
    }

    /// - Parameter known: where its files are, and what is in them.
    package init(contentsOfFile path: String, knowing known: KnownFiles) throws {
        let data = try SmallFile.data(
            at: known.place(of: path), kind: "a story", largest: StoryLimits.largestFile)
        self.path = path
        self.known = known
        do {
            file = try StoryFile(json: data)
        } catch {
            throw StoryFileError(file: path, error: error)
        }
        let folder = (path as NSString).deletingLastPathComponent
        self.folder = folder.isEmpty ? nil : folder
    }

    /// Whether a JSON file says near its beginning that it is a story.
    package static func seemsToBeOne(_ path: String) -> Bool {
        SmallFile.head(of: path).contains("\"\(Story.version)\"")
    }

    /// The path of a file that the story names, resolved relative to ``folder``.
    public func resolve(_ path: String) -> String {
        known.place(of: MediaPath.resolve(path, in: folder))
    }

    /// Opens a media file that the story names.
    func asset(_ path: String) throws -> Asset {
        let place = resolve(path)
        return try known.asset(at: place) ?? Asset(at: place)
    }

    /// Opens the media files of a composition, at their resolved paths.
    func opened(_ composition: Composition) throws -> MediaSource {
        try MediaSource(composition, catalogue: MediaCatalogue(.editFiles, knowing: known))
    }

    /// The paths of all files that the story is made of, resolved: its own, and those that it names.
    public var inputs: [String] {
        let segments = story.segments.values
        let maps = segments.compactMap { segment -> String? in
            guard case .timeMapFile(let path) = segment.retiming else {
                return nil
            }
            return path
        }
        let named = segments.flatMap { [$0.media] + $0.captions.map(\.file) } + maps
        let strings = story.strings.map { [$0] } ?? []
        return Set((named + strings).map(resolve) + [path]).sorted()
    }

    /// Looks up facts about the files that the story names, by opening them. Frames aren't decoded.
    public var media: StoryMedia {
        StoryMedia(
            facts: { path in
                do {
                    let file = try asset(path)
                    guard !file.videoStreams.isEmpty else {
                        return .damaged("it has no video track, and a segment needs one")
                    }
                    return .usable(
                        duration: file.duration, frameDuration: Clip.frameDuration(of: file)
                    )
                } catch let error as MediaError where error.code == .noInput {
                    return .missing
                } catch {
                    return .damaged((error as? MediaError)?.reason ?? "\(error)")
                }
            },
            timeMap: { path, segment in
                try Clip(
                    of: MediaSource(asset(segment.media)), range: segment.range,
                    timeMapFile: resolve(path)
                ).map
            },
            captionsTrouble: { path in
                do {
                    _ = try WebVTT(contentsOfFile: resolve(path))
                    return nil
                } catch {
                    return (error as? MediaError)?.reason ?? "\(error)"
                }
            }, strings: { try Self.strings(at: resolve($0)) })
    }

    /// The texts of the player's page: its own in the story's language, and those that the story names instead.
    ///
    /// - Throws: `MediaError` if the strings file can't be read, ``StoryError`` for what is wrong in it.
    public func words() throws -> PlayerWords {
        PlayerWords(
            for: story.language,
            strings: try story.strings.map { try Self.strings(at: resolve($0)) })
    }

    private static func strings(at path: String) throws -> PlayerStrings {
        try PlayerStrings(
            json: SmallFile.data(
                at: path, kind: "a strings file", largest: StoryLimits.largestStringsFile))
    }

    /// All problems of the story and its files, in the order of the story file. Opens the files.
    public func findings() -> [StoryFinding] {
        StoryLinter(file, media: media).findings()
    }
}

/// The error for a file that isn't a valid story.
public struct StoryFileError: Error, CustomStringConvertible {
    /// The path of the file, as given.
    public let file: String
    /// What is wrong with it.
    public let error: StoryError

    /// One line for each problem, in the form `FILE:LINE:COLUMN: PATH: SENTENCE`.
    public var description: String {
        error.description.split(separator: "\n").map { line in
            // A problem without a place has no line and column.
            "\(file):\(line.first?.isNumber ?? false ? "" : " ")\(line)"
        }.joined(separator: "\n")
    }
}

extension StoryFileError: LocalizedError {
    /// The whole message.
    public var errorDescription: String? { description }
}
