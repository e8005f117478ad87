import Foundation
import Media
import Stories
import TimeMaps
import TimeWarp

/// A story file, and the folder that its paths start in.
public struct StoryProject: Sendable {
    /// The file as the caller named it.
    public let path: String
    /// The story, with its places in the text.
    public let file: StoryFile
    /// Nil for the working directory.
    public let folder: String?

    /// The story.
    public var story: Story { file.story }

    /// Reads a story file.
    ///
    /// - Throws: `MediaError` when it can't be read, or is no story: with everything that is wrong.
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

    /// Where a file that the story names lies.
    public func resolve(_ path: String) -> String {
        MediaPath.resolve(path, in: folder)
    }

    /// What is known of the files that the story names: each is opened, not decoded.
    public var media: StoryMedia {
        let resolve = { @Sendable [folder] (path: String) in MediaPath.resolve(path, in: folder) }
        return StoryMedia(
            facts: { path in
                do {
                    let asset = try Asset(at: resolve(path))
                    guard !asset.videoStreams.isEmpty else {
                        return .damaged("it has no pictures, and a segment needs some")
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

    /// Everything that is wrong with the story and its files.
    public func findings() -> [StoryFinding] {
        StoryLinter(file, media: media).findings()
    }
}
