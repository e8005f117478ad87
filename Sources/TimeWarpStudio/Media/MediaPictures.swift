import Foundation
import Media
import Overview
import TimeMaps
import TimeWarp

/// Makes the files by which the page shows a clip: poster, film strip, waveform, and a playable copy.
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

    /// Writes a copy that browsers can play: H.264 and AAC, with every frame at its own time.
    ///
    /// - Parameters:
    ///   - range: the part that is copied; nil for everything.
    ///   - threads: one leaves the other cores to renders, for which the user waits; 0 takes all.
    static func makeProxy(
        of source: MediaSource, range: TimeRange? = nil, at path: String, threads: Int = 0
    ) async throws {
        let clip = try Clip(of: source, range: range) { .identity($0) }
        let settings = RenderSettings {
            $0.video.rate = .any
            $0.video.codec = .h264
            $0.audio.codec = .aac
            $0.video.preset = "veryfast"
            $0.video.quality = 23
            $0.output.existing = .overwrite
            $0.resources.threads = threads
        }
        try await Renderer().render(try RenderPlan(clip, to: path, settings: settings))
    }
}
