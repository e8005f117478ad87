import Foundation
import Synchronization

/// Clips of every kind that is hard to play backwards, made by independent encoders.
public struct HardClip: Sendable, CustomStringConvertible {
    public let name: String
    let encoder: String
    /// The largest number of frames that are decoded for each frame that is shown.
    public var work = 1.0

    public var description: String { name }

    public static let all: [HardClip] = [
        HardClip(name: "every-frame.mp4", encoder: "libx264 -g 1"),
        HardClip(name: "twelve.mp4", encoder: "libx264 -g 12"),
        HardClip(name: "endless.mkv", encoder: "libx264 -g 9999 -sc_threshold 0"),
        // Open GOPs: each keyframe is decoded for its own GOP, and again for the leading frames before it.
        HardClip(
            name: "open-pyramid.mp4", encoder: "libx264 -x264-params " + openGroups, work: 1.06),
        HardClip(
            name: "open-pyramid.ts", encoder: "libx264 -x264-params " + openGroups, work: 1.06),
        HardClip(
            name: "leading.mkv",
            encoder:
                "libx265 -x265-params log-level=error:keyint=24:open-gop=1:bframes=4:scenecut=0",
            work: 1.06),
        // A GOP of this clip is exact only when decoding starts two GOPs earlier.
        HardClip(
            name: "intra-refresh.mp4",
            encoder: "libx264 -x264-params intra-refresh=1:keyint=30", work: 3),
        // One thread: on a busy machine libvpx's threads may wait for each other forever.
        HardClip(
            name: "hidden.webm",
            encoder:
                "libvpx-vp9 -threads 1 -b:v 300k -g 40 -deadline realtime -cpu-used 6 -auto-alt-ref 1 "
                + "-lag-in-frames 16"),
        HardClip(
            name: "hidden-packets.webm",
            encoder:
                "libvpx -threads 1 -b:v 300k -g 40 -deadline realtime -cpu-used 6 -auto-alt-ref 1 "
                + "-lag-in-frames 16"),
        HardClip(name: "hidden.mp4", encoder: "libsvtav1 -preset 12 -g 40"),
        HardClip(name: "program.mpg", encoder: "mpeg2video -bf 2 -g 15 -b:v 1M", work: 1.1),
        HardClip(name: "ten-bit.mkv", encoder: "libx264 -pix_fmt yuv422p10le -g 40"),
        HardClip(name: "one.mp4", encoder: "libx264 -frames:v 1"),
        HardClip(
            name: "uneven.mp4",
            encoder: "libx264 -g 30 -vf select='not(mod(n\\,3))+eq(mod(n\\,7)\\,1)' -vsync vfr"),
        HardClip(
            name: "fields.mp4", encoder: "libx264 -g 30 -flags +ildct+ilme -x264-params tff=1"),
    ]
    private static let openGroups =
        "open-gop=1:keyint=24:b-pyramid=normal:bframes=6:scenecut=0:b-adapt=0"

    /// Copies the clip into a folder and returns its path.
    public func write(to folder: TemporaryFolder) throws -> String {
        let path = folder.path(name)
        try FileManager.default.copyItem(atPath: Self.kept.file(name, made: make), toPath: path)
        return path
    }

    /// The clip's frames, decoded once by an independent program.
    public func decodedFrames() throws -> [Finding.DecodedFrame] {
        try Self.decoded.withLock { decoded in
            if let frames = decoded[name] {
                return frames
            }
            let frames = try Finding.decodedFrames(in: Self.kept.file(name, made: make))
            decoded[name] = frames
            return frames
        }
    }

    /// Each clip is encoded once, however many tests ask for it.
    private static let kept = KeptFiles()
    private static let decoded = Mutex<[String: [Finding.DecodedFrame]]>([:])

    private func make(_ path: String) throws {
        let source = ["-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=4", "-pix_fmt", "yuv420p"]
        let options = encoder.split(separator: " ").map { String($0.filter { $0 != "'" }) }
        try ReferenceTools.ffmpeg(source + ["-c:v"] + options + [path])
    }
}
