import Foundation
import Media
import TestSupport

@testable import TimeWarp

/// Clips in which everything moves alike, and what frames between theirs should show.
enum PannedClip {
    static let (width, height) = (160, 96)

    /// Writes five lossless frames a tenth of a second apart: a pan by 4 samples to the left a frame, over an area that
    /// another program painted.
    ///
    /// - Parameter filter: what else is done to the frames, such as repeating some.
    static func write(
        _ format: String, in folder: TemporaryFolder, then filter: String? = nil
    ) throws -> String {
        let path = folder.path("pan-\(format).mkv")
        let filters =
            [
                "settb=AVTB", "loop=4:1:0", "setpts=N/10/TB", "gblur=sigma=2",
                "crop=\(width):\(height):4*n+100:40", "format=\(format)",
            ] + [filter].compactMap { $0 }
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=640x192:r=1:d=1", "-vf",
            filters.joined(separator: ","), "-r", "10", "-c:v",
            format == "nv12" ? "rawvideo" : "ffv1", path,
        ])
        return path
    }

    /// The samples of a file's frames, in one format.
    static func frames(
        _ path: String, as format: String, _ bytesPerFrame: Int
    ) throws -> [[UInt8]] {
        let raw = path + ".raw"
        try ReferenceTools.ffmpeg([
            "-i", path, "-f", "rawvideo", "-pix_fmt", format, "-fps_mode", "passthrough", raw,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        return stride(from: 0, to: bytes.count, by: bytesPerFrame).map {
            Array(bytes[$0..<$0 + bytesPerFrame])
        }
    }

    static func render(
        _ clip: Clip, to output: String, _ change: (inout RenderSettings) -> Void = { _ in }
    ) async throws -> RenderReport {
        let settings = RenderSettings {
            $0.output.existing = .overwrite
            $0.video.codec = .ffv1
            $0.video.frames = .motion
            change(&$0)
        }
        return try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
    }

    /// A frame moved to the left; its right edge comes from the later frame, moved to the right.
    static func moved(
        _ earlier: [UInt8], _ later: [UInt8], by pixels: Int, bytesPerPixel: Int
    ) -> [UInt8] {
        let shift = pixels * bytesPerPixel
        var result = earlier
        for place in earlier.indices {
            let isAtEdge = place / bytesPerPixel % width >= width - pixels
            result[place] = isAtEdge ? later[place - shift] : earlier[place + shift]
        }
        return result
    }
}
