import Figures
import Foundation

/// The input clips. Each size and length is made once.
struct Clips {
    let workshop: Workshop

    static let description = """
        ffmpeg's `testsrc2` (moving edges, counters, flat colour) blended half and half with \
        moving `gradients`, plus grain (`noise=alls=12:allf=t+u`); stereo sound of two rising \
        tones and a struck tone twice a second, different in each channel. 30 frames a second, \
        H.264 (x264 veryfast, crf 23, its default GOP of up to 250 frames), AAC 128 kbit/s at 48 kHz.
        """

    /// The settings for x264 and AAC, the same for every program in the comparison.
    static let encoding = videoEncoding + ["-c:a", "aac", "-b:a", "128k"]
    static let videoEncoding = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "23"]

    func path(width: Int, height: Int, seconds: Double) -> String {
        workshop.path("clip-\(width)x\(height)-\(plain(seconds))s.mp4")
    }

    func path(recordingOf seconds: Double) -> String {
        workshop.path("recording-\(plain(seconds))s.wav")
    }

    /// How many frames there are at most from one keyframe of x264's to the next, unless it is told otherwise.
    static let longGOP = 250

    /// The same clip with a keyframe every `gop` frames, as cameras write it.
    func clip(_ clip: String, gop: Int) throws -> String {
        let path = workshop.path("gop-\(gop)-" + URL(fileURLWithPath: clip).lastPathComponent)
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        try make(path, ["-i", clip] + Self.encoding + ["-g", "\(gop)"])
        return path
    }

    @discardableResult
    func clip(width: Int, height: Int, seconds: Double) throws -> String {
        let path = path(width: width, height: height, seconds: seconds)
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        let size = "s=\(width)x\(height):r=30:d=\(seconds)"
        let mix =
            "[0:v]format=yuv420p[a];"
            + "[1:v]format=yuv420p,noise=alls=12:allf=t+u[b];[a][b]blend=all_mode=average[v]"
        try make(
            path,
            [
                "-f", "lavfi", "-i", "testsrc2=\(size)",
                "-f", "lavfi", "-i", "gradients=\(size):n=4:speed=0.05:seed=1",
                "-f", "lavfi", "-i", sound(seconds: seconds),
                "-filter_complex", mix, "-map", "[v]", "-map", "2:a", "-pix_fmt", "yuv420p",
            ] + Self.encoding)
        return path
    }

    func path(repeating clip: String, times: Int) -> String {
        workshop.path("repeated-\(times)-" + URL(fileURLWithPath: clip).lastPathComponent)
    }

    /// A clip of this many seconds repeated several times, its packets copied. Its sound lasts a little longer than its
    /// video, so the length is stated for each, or frames wouldn't be evenly apart.
    @discardableResult
    func repeated(_ clip: String, of seconds: Double, times: Int) throws -> String {
        let path = path(repeating: clip, times: times)
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        let list = workshop.path("repeated.txt")
        try String(repeating: "file '\(clip)'\nduration \(plain(seconds))\n", count: times)
            .write(toFile: list, atomically: true, encoding: .utf8)
        try make(path, ["-f", "concat", "-safe", "0", "-i", list, "-c", "copy"])
        return path
    }

    @discardableResult
    func recording(seconds: Double) throws -> String {
        let path = path(recordingOf: seconds)
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        try make(path, ["-f", "lavfi", "-i", sound(seconds: seconds), "-c:a", "pcm_s16le"])
        return path
    }

    /// Two recorders at the same event: each hears it with noise of its own, and the second starts 3 s later, with a
    /// clock that is 42 ppm faster.
    func recordings(seconds: Double) throws -> (String, String) {
        let paths = (
            workshop.path("first-\(plain(seconds))s.wav"),
            workshop.path("second-\(plain(seconds))s.wav")
        )
        guard !FileManager.default.fileExists(atPath: paths.1) else { return paths }
        func noise(_ color: String, _ amplitude: Double, seed: Int) -> String {
            "anoisesrc=r=48000:c=\(color):a=\(amplitude):seed=\(seed):d=\(seconds + 3)"
        }
        let event = noise("pink", 0.5, seed: 1) + ",tremolo=f=0.7:d=0.9"
        for (path, seed, change) in [
            (paths.0, 2, "anull"),
            (paths.1, 3, "atrim=start=3,asetpts=PTS-STARTPTS,asetrate=47998,aresample=48000"),
        ] {
            let mix = "[0][1]amix=normalize=0,\(change)"
            try make(
                path,
                [
                    "-f", "lavfi", "-i", event, "-f", "lavfi", "-i",
                    noise("white", 0.05, seed: seed),
                    "-filter_complex", mix, "-c:a", "pcm_s16le",
                ])
        }
        return paths
    }

    private func make(_ path: String, _ arguments: [String]) throws {
        _ = try workshop.ask(["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments + [path])
    }

    private func sound(seconds: Double) -> String {
        func side(_ base: Int, _ rise: Int, _ struck: Int) -> String {
            "0.25*sin(2*PI*(\(base)+\(rise)*mod(t,60))*t)"
                + "+0.3*sin(2*PI*\(struck)*t)*exp(-12*mod(t,0.5))"
        }
        return "aevalsrc=exprs='\(side(200, 15, 880))|\(side(300, 11, 1320))':s=48000:d=\(seconds)"
    }
}
