import Foundation
import Media
import TestSupport
import Testing

@testable import TimeWarp

/// Film of which every other frame is shown for three fields, the others for two, as DVDs store it.
@Suite("Telecined film")
struct TelecineTests {
    private static let film = FrameRate(known: 24_000, over: 1001)
    private static let count = 48

    /// Marks the pictures of MPEG-2 video for display: whether the upper field comes first, and whether it comes again.
    ///
    /// - Parameter first: the place in the pattern at which the film begins.
    private func mark(_ path: String, to marked: String, from first: Int) throws {
        let pattern: [(isUpperFirst: Bool, isRepeated: Bool)] = [
            (true, true), (false, false), (false, true), (true, false),
        ]
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var (shown, base, next) = (0, 0, 0)
        for place in 0..<bytes.count - 8 where bytes[place..<place + 3] == [0, 0, 1] {
            switch bytes[place + 3] {
            case 0xB3:
                // The sequence says 30000/1001 frames a second …
                bytes[place + 7] = bytes[place + 7] & 0xF0 | 4
            case 0xB8:
                base = next
            case 0x00:
                shown = base + Int(bytes[place + 4]) << 2 + Int(bytes[place + 5]) >> 6
                next = max(next, shown + 1)
            case 0xB5 where bytes[place + 4] >> 4 == 1:
                // … and that frames may be interlaced; each picture, that it isn't.
                bytes[place + 5] &= 0xF7
            case 0xB5 where bytes[place + 4] >> 4 == 8:
                let mark = pattern[(shown + first) % 4]
                bytes[place + 7] =
                    bytes[place + 7] & 0x7D | (mark.isUpperFirst ? 0x80 : 0)
                    | (mark.isRepeated ? 2 : 0)
                bytes[place + 8] |= 0x80
            default: break
            }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: marked))
    }

    @Test(
        "it is shown at 5/4 of its rate, and at its own rate every frame of it comes once",
        arguments: ["m2v", "vob", "ts", "mkv", "mp4"], [0, 3])
    func film(ending: String, first: Int) async throws {
        let folder = try TemporaryFolder()
        let (plain, raw) = (folder.path("plain.m2v"), folder.path("raw.m2v"))
        let input = ending == "m2v" ? raw : folder.path("in." + ending)
        // Packets get their times in the order in which they are stored.
        let reordering = ending == "m2v" ? "2" : "0"
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "nullsrc=s=64x48:r=24000/1001,geq=lum='16+4*N':cb=128:cr=128",
            "-frames:v", "\(Self.count)",
            "-c:v", "mpeg2video", "-bf", reordering, "-g", "12", "-q:v", "3", plain,
        ])
        try mark(plain, to: raw, from: first)
        let fields = "(floor((N+\(first))/2)*5+mod(N+\(first)\\,2)*3-\(first == 0 ? 0 : 8))"
        let stamps = "\(fields)*1001/60000/TB"
        if reordering == "0" {
            let timed = folder.path("timed.mp4")
            try ReferenceTools.ffmpeg([
                "-f", "mpegvideo", "-i", raw, "-c", "copy", "-bsf:v",
                "setts=pts=\(stamps):dts=\(stamps)", timed,
            ])
            try ReferenceTools.ffmpeg(["-i", timed, "-c", "copy", input])
        }
        let asset = try Asset(at: input)
        let format = try #require(asset.videoStreams[0].videoFormat)
        #expect(format.cadence == .telecined(film: Self.film))
        #expect(format.usualRate == FrameRate(known: 30_000, over: 1001))
        let frames = try Finding.frameChecksums(in: plain)
        #expect(frames.count == Self.count)
        for rate in [RenderSettings.OutputRate.fixed(Self.film), .any, .source] {
            let settings = RenderSettings {
                ($0.video.codec, $0.video.rate, $0.output.existing) = (.ffv1, rate, .overwrite)
            }
            let clip = try Clip(of: MediaSource(asset)) { .identity($0) }
            let output = folder.path("out.mkv")
            try await Renderer().render(try RenderPlan(clip, to: output, settings: settings))
            let found = try Finding.frameChecksums(in: output)
            guard rate == .source else {
                #expect(found == frames)
                continue
            }
            #expect(found.count == Self.count * 5 / 4)
            #expect(found.reduce(into: []) { $0.last == $1 ? () : $0.append($1) } == frames)
        }
    }
}
