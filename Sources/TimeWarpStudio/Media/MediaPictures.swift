import Foundation
import Media
import Overview
import TimeMaps
import TimeWarp

/// Makes the files by which the page shows a clip: poster, film strip and waveform.
enum MediaPictures {
    /// Writes poster and film strip if there is video, and the waveform if there is audio.
    ///
    /// - Returns: the layout of the film strip; nil without video.
    static func make(of asset: Asset, in folder: String) async throws -> MediaRecord.Strip? {
        try await runBlocking { checkCancelled in
            var layout: MediaRecord.Strip?
            if !asset.videoStreams.isEmpty {
                let strip = try FilmStrip(of: asset, checkCancelled: checkCancelled)
                try write(strip.image.png(), MediaLibrary.CachedFile.strip, folder)
                try write(
                    strip.image(at: strip.count / 2).png(), MediaLibrary.CachedFile.poster, folder)
                layout = MediaRecord.Strip(
                    count: strip.count, width: strip.width, height: strip.height)
            }
            if !asset.audioStreams.isEmpty {
                let waveform = try Waveform(of: asset, checkCancelled: checkCancelled)
                try write(
                    Array(StudioJSON.encoder.encode(waveform)), MediaLibrary.CachedFile.waveform,
                    folder)
            }
            return layout
        }
    }

    /// - Returns: the file's path.
    @discardableResult
    static func write(
        _ bytes: [UInt8], _ cached: MediaLibrary.CachedFile, _ folder: String
    ) throws -> String {
        let path = folder + "/" + cached.rawValue
        let file = try AtomicFile(at: path, existing: .overwrite)
        try file.write(bytes)
        try file.publish()
        return path
    }

    /// Writes a composition as a file, with every frame at its own time.
    static func makeCopy(of source: MediaSource, at path: String) async throws {
        let clip = try Clip(of: source) { .identity($0) }
        let settings = RenderSettings {
            $0.video.rate = .any
            $0.video.codec = .h264
            $0.audio.codec = .aac
            $0.video.preset = "veryfast"
            $0.video.quality = 23
            $0.output.existing = .overwrite
            // The other cores are left to what the user waits for.
            $0.resources.threads = 1
        }
        try await Renderer().render(try RenderPlan(clip, to: path, settings: settings))
    }
}
