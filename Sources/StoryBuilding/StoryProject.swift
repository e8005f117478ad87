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

    /// The story in the file.
    public var story: Story { file.story }

    /// Reads a story file.
    ///
    /// - Throws: `MediaError` if the file can't be read, ``StoryFileError`` if it isn't a valid story.
    public init(contentsOfFile path: String) throws {
        let data = try SmallFile.data(
            at: path, kind: "a story", largest: StoryLimits.largestFile)
        self.path = path
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
        MediaPath.resolve(path, in: folder)
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
        let resolve = { @Sendable [folder] (path: String) in MediaPath.resolve(path, in: folder) }
        return StoryMedia(
            facts: { path in
                do {
                    let asset = try Asset(at: resolve(path))
                    guard !asset.videoStreams.isEmpty else {
                        return .damaged("it has no video track, and a segment needs one")
                    }
                    return .usable(
                        duration: asset.duration, frameDuration: Clip.frameDuration(of: asset)
                    )
                } catch let error as MediaError where error.code == .noInput {
                    return .missing
                } catch {
                    return .damaged((error as? MediaError)?.reason ?? "\(error)")
                }
            },
            timeMap: { path, segment in
                try Clip(
                    of: MediaSource(at: resolve(segment.media)), range: segment.range,
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
