import Documents
import Foundation
import Media
import TimeMaps
import TimeWarp

/// What a build leaves beside its media, so that the next one into the same folder takes over the files that it would make
/// again.
struct BuildRecord: Codable {
    /// A media file of the build.
    struct File: Codable {
        /// Its path in the folder.
        let file: String
        /// What it was made from, and how: see ``BuildRecord/key(of:_:settings:)``.
        let key: String
        /// The hash of its bytes.
        let content: String
        /// Where it begins on the common timeline.
        let start: RationalTime
        /// What is unusual about it, a sentence each.
        let warnings: [String]
    }

    /// The path of the record in the folder.
    static let path = "media/parts.json"
    private static let version = "story-parts/1"

    let timewarp: String
    let files: [File]

    init(_ files: [File]) {
        timewarp = Self.version
        self.files = files
    }

    var isSound: Bool { timewarp == Self.version }
}

/// The files of an earlier build in the folder that a build replaces.
struct EarlierBuild {
    /// The initialisation segment.
    let head: Data
    private let folder: String
    private let files: [String: BuildRecord.File]

    /// - Returns: nil if there is none, or it doesn't say what its files were made from.
    init?(replacedBy output: StoryBuilder.Output) {
        guard case .folder(let folder) = output,
            WorkFolder.isBuiltStory(URL(fileURLWithPath: folder)),
            let text = FileManager.default.contents(atPath: folder + "/" + BuildRecord.path),
            let record = try? JSONDocument(text).decode(BuildRecord.self), record.isSound,
            let head = FileManager.default.contents(atPath: folder + "/media/init.mp4")
        else {
            return nil
        }
        self.head = head
        self.folder = folder
        files = Dictionary(record.files.map { ($0.key, $0) }) { first, _ in first }
    }

    /// Takes over a file, at its place on the common timeline.
    ///
    /// - Parameters:
    ///   - leads: how much earlier than its start each of its tracks has its time zero.
    /// - Returns: what was said of it; nil if there is no such file, or another program has changed it.
    func take(
        _ key: String, to path: String, start: RationalTime, leads: [RationalTime]
    ) throws -> BuildRecord.File? {
        guard let file = files[key],
            let content = try? ContentHash.text(ofFile: folder + "/" + file.file),
            content == file.content
        else {
            return nil
        }
        try FragmentedFile.move(
            folder + "/" + file.file, to: path, head: head,
            try leads.map { (try file.start.difference($0), try start.difference($0)) })
        return file
    }
}

extension StoryLayout {
    /// What a file is made from, and how, as a hash: nothing else changes its bytes, but its place on the common timeline.
    ///
    /// - Parameter program: what tells this program and its libraries from others, which may encode otherwise.
    func key(
        of part: StoryMediaPart, _ settings: RenderSettings, program: String
    ) throws -> String {
        func written(_ timeline: Composition) throws -> Data {
            var plain = timeline
            // Names aren't in the file, and a segment may be renamed.
            plain.name = ""
            for index in plain.tracks.indices {
                plain.tracks[index].name = ""
            }
            return try JSONDocument.data(of: RenderJob(plain, to: "", settings: settings))
        }
        var parts = [
            Data(program.utf8), try written(part.video),
            Data("\(part.place.kind == .rest) \(part.frames) \(format)".utf8),
        ]
        for segment in part.sources {
            let stamp = String(describing: try FileStamp(of: segment.asset.path))
            parts += [
                try written(segment.composition), Data("\(segment.rangeStart) \(stamp)".utf8),
            ]
        }
        return ContentHash.text(of: Array(Data(parts.joined(separator: [0]))))
    }
}
