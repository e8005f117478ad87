import Foundation
import Media
import TestSupport
import Testing

@testable import TimeWarp

/// Streams whose pictures aren't all alike, or carry something besides.
@Suite("Changing pictures")
struct ChangingPictureTests {
    /// A white picture that fills the frame, so that bars around it are seen.
    private static func part(
        _ size: String, aspect: String? = nil, from start: Int, to path: String,
        _ options: [String] = ["-c:v", "mpeg2video", "-q:v", "2"]
    ) throws {
        try ReferenceTools.ffmpeg(
            ["-f", "lavfi", "-i", "color=white:s=\(size):r=25:d=1"] + options
                + (aspect.map { ["-aspect", $0] } ?? []) + ["-output_ts_offset", "\(start)", path])
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sizes: [String]
        var aspects: [String?] = [nil, nil]
        var options = ["-c:v", "mpeg2video", "-q:v", "2"]
        /// The rows, or columns if negative, that are black at either end of the second part.
        let bars: Int
    }

    static let changes = [
        Change(testDescription: "wider", sizes: ["320x240", "320x160"], bars: 40),
        Change(testDescription: "higher", sizes: ["320x160", "320x240"], bars: -53),
        Change(
            testDescription: "16:9 after 4:3", sizes: ["320x240", "320x240"],
            aspects: ["4:3", "16:9"], bars: 30),
        Change(
            testDescription: "4:3 after 16:9", sizes: ["320x240", "320x240"],
            aspects: ["16:9", "4:3"], bars: -40),
        Change(
            testDescription: "H.264", sizes: ["320x240", "320x160"],
            options: ["-c:v", "libx264", "-bf", "0"], bars: 40),
        Change(testDescription: "as before", sizes: ["320x240", "320x240"], bars: 0),
    ]

    /// The luma of a frame of a file at some seconds.
    private static func luma(
        of path: String, at seconds: Double, in folder: TemporaryFolder
    ) throws -> [[UInt8]] {
        let raw = folder.path("frame.raw")
        try ReferenceTools.ffmpeg([
            "-y", "-ss", "\(seconds)", "-i", path, "-frames:v", "1", "-vf", "format=gray", "-f",
            "rawvideo", raw,
        ])
        let size = try ReferenceTools.ffprobe([
            "-select_streams", "v", "-show_entries", "stream=width,height", path,
        ])[0].split(separator: ",").compactMap { Int($0) }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        return (0..<size[1]).map { Array(bytes[$0 * size[0]..<($0 + 1) * size[0]]) }
    }

    @Test(
        "a picture whose size or shape changes is fitted with bars, and one note says so",
        arguments: changes)
    func fitted(change: Change) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.ts")
        var bytes = Data()
        for (number, (size, aspect)) in zip(change.sizes, change.aspects).enumerated() {
            let path = folder.path("\(number).ts")
            try Self.part(size, aspect: aspect, from: number, to: path, change.options)
            bytes += try Data(contentsOf: URL(fileURLWithPath: path))
        }
        try bytes.write(to: URL(fileURLWithPath: input))
        let asset = try Asset(at: input)
        for isReversed in [false, true] {
            let clip =
                try isReversed
                ? Clip(reversing: MediaSource(asset))
                : Clip(of: MediaSource(asset), scaled: .factor(1, over: 1))
            let output = folder.path("\(isReversed).mp4")
            let report = try await Renderer().render(try RenderPlan(clip, to: output))
            let notes = report.warnings.filter { $0.contains("with bars") }
            #expect(notes.count == (change.bars == 0 ? 0 : 1))
            for (part, bars) in [(0, 0), (1, change.bars)] {
                let at = isReversed ? 1.5 - Double(part) : 0.5 + Double(part)
                let rows = try Self.luma(of: output, at: at, in: folder)
                let column = rows.map { $0[$0.count / 2] }
                let row = rows[rows.count / 2]
                let black = { (line: [UInt8]) in line.prefix { $0 < 64 }.count }
                #expect(abs(black(column) - max(bars, 0)) <= 2, "rows of part \(part)")
                #expect(abs(black(column.reversed()) - max(bars, 0)) <= 2)
                #expect(abs(black(row) - max(-bars, 0)) <= 2, "columns of part \(part)")
                #expect(abs(black(row.reversed()) - max(-bars, 0)) <= 2)
            }
        }
    }

    // MARK: - Transparency

    @Test(
        "transparency beside the packets of WebM is kept where it can be, else a note says so",
        arguments: [["libvpx-vp9"], ["libvpx", "-auto-alt-ref", "0"]])
    func transparency(codec: [String]) async throws {
        let folder = try TemporaryFolder()
        let input = folder.path("in.webm")
        // Opaque on the right only.
        try ReferenceTools.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "color=red:s=64x64:r=10:d=1,format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='255*gte(X,32)'",
                "-c:v",
            ] + codec + ["-b:v", "1M", input])
        let asset = try Asset(at: input)
        func alpha(_ path: String, _ decoder: [String]) throws -> [UInt8] {
            let raw = folder.path("alpha.raw")
            try ReferenceTools.ffmpeg(
                ["-y"] + decoder + [
                    "-i", path, "-frames:v", "1", "-vf", "alphaextract,format=gray", "-f",
                    "rawvideo",
                    raw,
                ])
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        }
        for (ending, codec) in [("mov", VideoCodec.prores), ("mkv", .ffv1), ("webm", .vp9)] {
            let output = folder.path("out." + ending)
            let settings = RenderSettings { $0.video.codec = codec }
            let plan = try RenderPlan(
                Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)), to: output,
                settings: settings)
            #expect(!plan.warnings.contains { $0.contains("transparency") })
            try await Renderer().render(plan)
            let values = try alpha(output, ending == "webm" ? ["-c:v", "libvpx-vp9"] : [])
            #expect(values[32 * 64 + 8] < 16 && values[32 * 64 + 56] > 239, "\(codec)")
        }
        let opaque = folder.path("out.mp4")
        let plan = try RenderPlan(Clip(reversing: MediaSource(asset)), to: opaque)
        #expect(plan.warnings.contains { $0.contains("transparency is lost") })
        try await Renderer().render(plan)
        #expect(try Asset(at: opaque).videoStreams[0].tags["alpha_mode"] == nil)
        // Copies keep it, and say so.
        let copy = folder.path("copy.mkv")
        try await Renderer().render(try RenderPlan(copying: asset, to: copy))
        let values = try alpha(copy, ["-c:v", codec[0]])
        #expect(values[32 * 64 + 8] < 16 && values[32 * 64 + 56] > 239)
    }

    // MARK: - Closed captions

    /// Puts two letters of a closed caption (CEA-608) into each picture of raw MPEG-2.
    private static func addCaptions(to video: Data) -> Data {
        var bytes = Data()
        var isInPicture = false
        var picture: UInt8 = 0
        var index = 0
        let video = [UInt8](video)
        while index < video.count {
            if index + 3 < video.count, video[index] == 0, video[index + 1] == 0,
                video[index + 2] == 1
            {
                let code = video[index + 3]
                if code == 0 {
                    isInPicture = true
                } else if isInPicture, (1...0xAF).contains(code) {
                    let letter = 0x61 + picture % 26
                    bytes.append(contentsOf: [0, 0, 1, 0xB2] + Array("GA94".utf8))
                    bytes.append(contentsOf: [3, 0x41, 0xFF, 0xFC, letter, letter, 0xFF])
                    (isInPicture, picture) = (false, picture + 1)
                }
            }
            bytes.append(video[index])
            index += 1
        }
        return bytes
    }

    @Test("closed captions in the pictures stay whole, or are dropped with a note")
    func captions() async throws {
        let folder = try TemporaryFolder()
        let (plain, input) = (folder.path("plain.m2v"), folder.path("in.m2v"))
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1", "-c:v", "mpeg2video", "-f",
            "mpeg2video", plain,
        ])
        try Self.addCaptions(to: Data(contentsOf: URL(fileURLWithPath: plain)))
            .write(to: URL(fileURLWithPath: input))
        func captions(_ path: String) throws -> Int {
            try ReferenceTools.ffprobe(["-show_entries", "frame_side_data_list", path])
                .joined().components(separatedBy: "A53").count - 1
        }
        #expect(try captions(input) == 25)
        let asset = try Asset(at: input)
        let any = RenderSettings { $0.video.rate = .any }
        let cases: [(clip: Clip, settings: RenderSettings, count: Int)] = try [
            (Clip(of: MediaSource(asset), scaled: .factor(1, over: 1)), RenderSettings(), 25),
            (Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)), any, 25),
            (Clip(of: MediaSource(asset), scaled: .factor(2, over: 1)), RenderSettings(), 0),
            (Clip(of: MediaSource(asset), scaled: .factor(1, over: 2)), RenderSettings(), 0),
            (Clip(reversing: MediaSource(asset)), any, 0),
        ]
        for (index, test) in cases.enumerated() {
            let output = folder.path("\(index).mp4")
            let report = try await Renderer().render(
                try RenderPlan(test.clip, to: output, settings: test.settings))
            #expect(try captions(output) == test.count, "case \(index)")
            let isNoted = report.warnings.contains { $0.contains("closed captions") }
            #expect(isNoted == (test.count == 0), "case \(index)")
        }
    }
}
