import Foundation
import Media
import Stories
import WebPages

/// Adds the player to rendered media, as files in a folder or in a single page.
struct StoryPacker {
    let manifest: StoryManifest
    let work: WorkFolder

    /// Adds the player's files and the manifest to the folder.
    ///
    /// - Returns: the size of all files in bytes.
    func finishFolder() throws -> Int {
        for (name, file) in WebPages.player {
            try work.write(name == WebPages.first ? titled(file) : file, to: name)
        }
        try work.write(manifest.json(), to: "story.json")
        return try work.byteCount()
    }

    /// Writes one self-contained page.
    ///
    /// - Returns: the size of the page in bytes.
    func writePage(to path: String, existing: ExistingOutput) throws -> Int {
        let file = try AtomicFile(at: path, existing: existing)
        let page = try SinglePage(
            page: titled(SinglePage.file(WebPages.first)), manifest: inlined())
        let bytes = page.data
        try file.write(bytes)
        try file.publish()
        return bytes.count
    }

    /// The page with the story's language and title.
    private func titled(_ page: Data) -> Data {
        let title = SVGWriter.escaped(manifest.title)
        let text = String(decoding: page, as: UTF8.self)
            .replacing(
                "<html lang=\"en\">",
                with: "<html lang=\"\(SVGWriter.escaped(manifest.language))\">"
            )
            .replacing("<title>A story</title>", with: "<title>\(title)</title>")
            .replacing("<h1 id=\"title\">A story</h1>", with: "<h1 id=\"title\">\(title)</h1>")
        return Data(text.utf8)
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
