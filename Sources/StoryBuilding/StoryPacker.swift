import Foundation
import Media
import Pages
import Stories

/// Adds the player to rendered media, as files in a folder or in a single page.
struct StoryPacker {
    let manifest: StoryManifest
    let words: PlayerWords
    let work: WorkFolder

    /// Adds the player's files and the manifest to the folder.
    ///
    /// - Returns: the size of all files in bytes.
    func finishFolder() throws -> Int {
        for (name, file) in WebPages.player {
            try work.makeFolder((name as NSString).deletingLastPathComponent)
            try work.write(name == WebPages.first ? page(file).data : file, to: name)
        }
        try work.write(manifest.json(), to: "story.json")
        return try work.byteCount()
    }

    /// Writes one self-contained page.
    ///
    /// - Returns: the size of the page in bytes.
    func writePage(to path: String, existing: ExistingOutput) throws -> Int {
        let file = try AtomicFile(at: path, existing: existing)
        let single = try SinglePage(
            page: page(SinglePage.file(WebPages.first)).data, manifest: inlined())
        let bytes = single.data
        try file.write(bytes)
        try file.publish()
        return bytes.count
    }

    private func page(_ file: Data) throws -> StoryPage {
        try StoryPage(String(decoding: file, as: UTF8.self), manifest, words)
    }

    /// The manifest with data URLs instead of file names.
    private func inlined() throws -> StoryManifest {
        func dataURL(_ name: String, _ type: String) throws -> String {
            "data:\(type);base64," + (try work.read(name)).base64EncodedString()
        }
        var manifest = manifest
        manifest.media.`init` = try dataURL(manifest.media.`init`, "video/mp4")
        for name in manifest.segments.keys.sorted() {
            guard var segment = manifest.segments[name] else {
                continue
            }
            segment.file = try dataURL(segment.file, "video/mp4")
            if var dissolve = segment.dissolve {
                dissolve.rest.file = try dataURL(dissolve.rest.file, "video/mp4")
                dissolve.from = try dissolve.from.mapValues {
                    StoryManifest.File(file: try dataURL($0.file, "video/mp4"), start: $0.start)
                }
                segment.dissolve = dissolve
            }
            segment.captions = try segment.captions.map {
                StoryCaptions(
                    file: try dataURL($0.file, "text/vtt"), language: $0.language, label: $0.label)
            }
            manifest.segments[name] = segment
        }
        return manifest
    }
}
