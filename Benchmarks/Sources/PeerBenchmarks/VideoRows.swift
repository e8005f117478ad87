import Figures
import Foundation

/// Rows whose clips have video: 1080p30, H.264 and AAC in and out.
struct VideoRows {
    let workshop: Workshop
    let clip: String
    /// minterpolate takes about a second for each frame that it makes.
    static let motionSeconds = 3.0
    /// A clip of that length.
    let motionClip: String
    /// The clip ten times over.
    let longClip: String
    let seconds: Double

    private var ours: String { workshop.path("ours.mp4") }
    private var theirs: String { workshop.path("theirs.mp4") }

    func all() throws -> [Row] {
        [
            Row(
                work: "unit speed", peer: "ffmpeg", ours: timewarp("scale", ["--factor", "1"]),
                theirs: ffmpeg([]), wantedRatio: 1, decoded: clip),
            Row(
                work: "half speed, 30 fps", peer: "ffmpeg",
                ours: timewarp("scale", ["--factor", "2"]),
                theirs: ffmpeg(["-vf", "setpts=2*PTS,fps=30", "-af", "atempo=0.5"]),
                wantedRatio: 0.75, decoded: clip),
            faster(4, "atempo=2,atempo=2", wanted: 0.9),
            faster(16, "atempo=2,atempo=2,atempo=2,atempo=2", wanted: 0.5),
            try ramp(),
            Row(
                work: "\(plain(Self.motionSeconds)) s at half speed, frames from motion",
                peer: "ffmpeg minterpolate",
                ours: timewarp("scale", ["--factor", "2", "--frames", "motion"], of: motionClip),
                theirs: ffmpeg(
                    [
                        "-vf",
                        "setpts=2*PTS,minterpolate=fps=30:mi_mode=mci:mc_mode=aobmc:me_mode=bidir"
                            + ":vsbmc=1",
                        "-af", "atempo=0.5",
                    ], of: motionClip), wantedRatio: 0.2,
                note: "the frames in between are made in other ways; `Scripts/bench-motion` "
                    + "compares both with real frames"),
            copied(
                against: "ffmpeg re-encode", wanted: 0.08,
                ffmpeg(["-vf", "setpts=2*PTS", "-fps_mode", "vfr"] + Self.halfSpeedSound)),
            copied(
                against: "ffmpeg setts", wanted: 1.1, setts(),
                note: "ffmpeg's `setts=ts=TS*2` would set each frame's PTS to its DTS"),
            Row(
                work: Self.slowPart, peer: "ours in full",
                ours: timewarp("warp", Self.slowed + ["--smart"]),
                theirs: timewarp("warp", Self.slowed, to: theirs), wantedRatio: 0.5),
            Row(
                work: Self.slowPart + ", ten times as long", peer: "ffmpeg copy",
                ours: timewarp("warp", Self.slowed + ["--smart"], of: longClip),
                theirs: Row.Command(
                    arguments: [
                        "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", longClip, "-c", "copy",
                        theirs,
                    ], output: theirs),
                frames: .different("a copy has no slow motion: it is the least that a file costs")),
            Row(
                work: Self.slowPart + ", ten times as long", peer: "ffmpeg, parts joined",
                ours: timewarp("warp", Self.slowed + ["--smart"], of: longClip),
                theirs: partsJoined(),
                note: "their speed changes at once, ours within \(plain(0.0001 * 10 * seconds)) s; "
                    + "all their sound is encoded"),
            Row(
                work: "reverse", peer: "ffmpeg", ours: timewarp("reverse", []),
                theirs: ffmpeg(["-vf", "reverse", "-af", "areverse"]), wantedRatio: 0.8,
                decoded: clip),
            Row(
                work: "half speed", peer: "melt timewarp",
                ours: timewarp("scale", ["--factor", "2"]),
                theirs: melt(["-profile", "atsc_1080p_30", "timewarp:0.5:\(clip)"]),
                frames: .sameAFrameEarlier,
                note: "halfway between two frames MLT shows the later one, so PSNR compares frames "
                    + "one apart"),
            Row(
                work: "double speed", peer: "moviepy", ours: timewarp("scale", ["--speed", "2"]),
                theirs: moviepy(),
                note: "moviepy's memory is that of moviepy or of its ffmpeg, whichever is larger"),
            Row(
                work: "unit speed, two jobs", peer: "ours in one piece",
                ours: timewarp("scale", ["--factor", "1", "--jobs", "2"]),
                theirs: timewarp("scale", ["--factor", "1"], to: theirs)),
        ]
    }

    /// The default curve, and MLT's timeremap link with the same map, as straight lines between 100 points.
    private func ramp() throws -> Row {
        let map = try RampMap(seconds: seconds, workshop: workshop)
        let document = workshop.path("ramp.mlt")
        try map.mltDocument(clip: clip, points: 100)
            .write(toFile: document, atomically: true, encoding: .utf8)
        return Row(
            work: "default ramp", peer: "melt timeremap", ours: timewarp("warp", []),
            theirs: melt([document]), wantedRatio: 0.6, decoded: clip,
            note: "MLT shows the nearest frame, and TimeWarp the last frame whose time has come, "
                + "so some differ by one")
    }

    /// Frames are dropped. With `round=up` ffmpeg keeps the same frames as TimeWarp.
    private func faster(_ speed: Int, _ tempo: String, wanted: Double) -> Row {
        Row(
            work: "\(speed)×", peer: "ffmpeg", ours: timewarp("scale", ["--speed", "\(speed)"]),
            theirs: ffmpeg(["-vf", "setpts=PTS/\(speed),fps=30:round=up", "-af", tempo]),
            wantedRatio: wanted, decoded: clip)
    }

    private static let slowPart = "2 % at half speed in the middle, the rest kept"
    private static let slowed = [
        "--keyframes", "0:1, 50%:1, 50.01%:0.5, 52%:0.5, 52.01%:1, 1:1",
    ]

    private static let halfSpeedSound = ["-af", "asetrate=24000,aresample=48000"]

    private func copied(
        against peer: String, wanted: Double, _ theirs: Row.Command, note: String? = nil
    ) -> Row {
        let command = [
            workshop.timewarp, "scale", clip, "-o", ours, "--factor", "2", "--fps", "any",
            "--video-codec", "copy", "--audio-codec", "aac", "--audio-bitrate", "128k",
            "--overwrite",
        ]
        return Row(
            work: "half speed, variable rate, packets copied", peer: peer,
            ours: Row.Command(arguments: command, output: ours), theirs: theirs,
            wantedRatio: wanted, note: note)
    }

    /// The least that a script of ffmpeg's `concat` encodes for the same slow part.
    private func partsJoined() -> Row.Command {
        let arguments = [
            workshop.python, workshop.scripts + "/kept-parts.py", longClip, theirs,
            plain(5 * seconds), plain(5.2 * seconds),
        ]
        return Row.Command(arguments: arguments, output: theirs)
    }

    private func setts() -> Row.Command {
        let arguments =
            [
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", clip, "-map", "0:v", "-map", "0:a",
                "-c:v", "copy", "-bsf:v", "setts=pts=PTS*2:dts=DTS*2:duration=DURATION*2",
            ] + Self.halfSpeedSound + ["-c:a", "aac", "-b:a", "128k", theirs]
        return Row.Command(arguments: arguments, output: theirs)
    }

    private func timewarp(
        _ command: String, _ options: [String], of clip: String? = nil, to output: String? = nil
    ) -> Row.Command {
        let output = output ?? ours
        let arguments =
            [workshop.timewarp, command, clip ?? self.clip, "-o", output] + options
            + Self.timewarpEncoding
        return Row.Command(arguments: arguments, output: output)
    }

    static let timewarpEncoding = [
        "--preset", "veryfast", "--crf", "23", "--audio-bitrate", "128k", "--overwrite",
    ]

    private func ffmpeg(_ options: [String], of clip: String? = nil) -> Row.Command {
        let start = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", clip ?? self.clip]
        return Row.Command(arguments: start + options + Clips.encoding + [theirs], output: theirs)
    }

    /// melt without dropping frames, and with x264's own number of threads, as in the other rows.
    private func melt(_ producer: [String]) -> Row.Command {
        let consumer = [
            "-consumer", "avformat:\(theirs)", "vcodec=libx264", "preset=veryfast", "crf=23",
            "acodec=aac", "ab=128k", "ar=48000", "real_time=-1", "threads=0",
        ]
        return Row.Command(arguments: ["melt"] + producer + consumer, output: theirs)
    }

    private func moviepy() -> Row.Command {
        let arguments = [workshop.python, workshop.scripts + "/double-speed.py", clip, theirs]
        return Row.Command(arguments: arguments, output: theirs)
    }
}
