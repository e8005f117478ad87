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
    /// - Throws: `MediaError` if the file can't be read or isn't a valid story; its reason lists every problem.
    public init(contentsOfFile path: String) throws {
        let data = try SmallFile.data(
            at: path, kind: "a story", largest: StoryLimits.largestFile)
        self.path = path
        do {
            file = try StoryFile(json: data)
        } catch {
            throw MediaError(.damaged, file: path, reason: error.description)
        }
        let folder = (path as NSString).deletingLastPathComponent
        self.folder = folder.isEmpty ? nil : folder
    }

    /// The path of a file that the story names, resolved relative to ``folder``.
    public func resolve(_ path: String) -> String {
        MediaPath.resolve(path, in: folder)
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
                    of: Asset(at: resolve(segment.media)), range: segment.range,
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
            })
    }

    /// All problems of the story and its files, in the order of the story file. Opens the files.
    public func findings() -> [StoryFinding] {
        StoryLinter(file, media: media).findings()
    }
}
