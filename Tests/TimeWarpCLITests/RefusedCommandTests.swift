import Foundation
import TestSupport
import Testing

@Suite("Command lines that are refused")
struct RefusedCommandTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let exitCode: Int32
        let says: String

        init(_ commandLine: String, _ exitCode: Int32, _ says: String) {
            testDescription = commandLine
            self.exitCode = exitCode
            self.says = says
        }
    }

    static let refusals = [
        Refusal("warp no.mp4 -o x.mp4", 66, "no such file"),
        Refusal("warp empty.mp4 -o x.mp4", 65, "empty"),
        Refusal("warp text.mp4 -o x.mp4", 65, "not a media file"),
        Refusal("warp cut.mp4 -o x.mp4", 65, "cut.mp4"),
        Refusal("warp subs.srt -o x.mp4", 65, "(srt) are not read"),
        Refusal("warp in.mp4 -o x.mp4 --curve wobble", 64, "tapered-sine"),
        Refusal("warp in.mp4 -o x.mp4 --scale 1+*t", 65, "column 3"),
        Refusal("warp in.mp4 -o x.mp4 --scale 1-3*t", 65, "at 0.33"),
        Refusal("warp in.mp4 -o x.mp4 --keyframes 0:0", 65, "nothing moves"),
        Refusal("warp in.mp4 -o x.mp4 --keyframes 0:1,50%:-1,4s:1", 65, "share"),
        Refusal("warp in.mp4 -o x.mp4 --keyframes 0:1,1:-1 --flip", 65, "reverse order"),
        Refusal("warp in.mp4 -o x.mp4 --time-map no.json", 66, "no such file"),
        Refusal("warp in.mp4 -o x.mp4 --time-map empty.mp4", 65, "empty.mp4"),
        Refusal("warp in.mp4 -o x.mp4 --time-map beyond.json", 65, "point 2"),
        Refusal("warp in.mp4 -o x.mp4 --time-map beyond.txt", 65, "500"),
        Refusal("warp in.mp4 -o x.mp4 --time-map text.mp4", 65, "text.mp4"),
        Refusal("warp in.mp4 -o x.mp4 --time-map beyond.json --curve ramp", 64, "--time-map"),
        Refusal("warp in.mp4 -o x.mp4 --shutter 400", 64, "360"),
        Refusal("reverse in.mp4 -o x.mp4 --memory lots", 64, "memory"),
        Refusal("reverse in.mp4 -o x.mp4 --audio varispeed", 64, "reverse"),
        Refusal("reverse in.mp4 -o in.mp4 --overwrite", 73, "input itself"),
        Refusal("reverse no.mp4 -o x.mp4", 66, "no such file"),
        Refusal("warp in.mp4 -o x.mp4 --curve-file text.mp4", 65, "isn't valid JSON"),
        Refusal("warp in.mp4 -o x.mp4 --frames flow", 64, "motion"),
        Refusal("warp in.mp4 -o x.mp4 --curve ramp --scale 1", 64, "give one of them"),
        Refusal("warp in.mp4 -o x.xyz", 64, ".mkv"),
        Refusal("warp in.mp4 -o x.bmp", 64, ".bmp isn't a kind of file that is written"),
        Refusal("warp in.mp4 -o x", 64, "has no extension"),
        Refusal("warp https://example.org/in.mp4 -o x.mp4", 66, "it is an address"),
        Refusal("warp -hat.mp4 -o x.mp4", 64, "./-hat.mp4"),
        Refusal("warp in.mp4 there.mp4 -o x.mp4", 64, "timewarp compose"),
        Refusal("warp in.mp4 -o x.mp4 --curve constant --factor -0.5", 65, "-0.5"),
        Refusal("warp in.mp4 -o x.mp4 --video-codec prores", 64, ".mov"),
        Refusal("warp in.mp4 -o x.mp4 --audio-codec pcm", 64, "aac"),
        Refusal("warp in.mp4 -o x.mp4 --crf 99", 64, "0 to 51"),
        Refusal("warp in.mp4 -o x.mp4 --preset warp9", 64, "veryfast"),
        Refusal("warp in.mp4 -o x.mp4 --range 5..9", 65, "to 9.0 s holds nothing of it"),
        Refusal("warp in.mp4 -o x.mp4 --range 2..1", 65, "to 1.0 s ends before it begins"),
        Refusal("warp in.mp4 -o none/x.mp4", 73, "no folder"),
        Refusal("stretch in.mp4 -o x.wav", 64, "Give one"),
        Refusal("stretch in.mp4 -o x.wav --to 2 --by +1s", 64, "Give one"),
        Refusal("stretch in.mp4 --to 2", 64, "-o"),
        Refusal("stretch in.mp4 -o x.wav --to 2 --audio mute", 64, "nothing to stretch"),
        Refusal("stretch in.mp4 -o x.mp4 --to 2 --with-picture", 64, "--match"),
        Refusal("stretch in.mp4 -o x.wav --by -9s", 65, "must be above 0"),
        Refusal("stretch in.mp4 -o x.wav --anchors subs.srt", 65, "line 1"),
        Refusal("stretch in.mp4 -o x.wav --anchors no.txt", 66, "no such file"),
        Refusal("stretch in.mp4 -o x.webm --to 2", 64, ".mkv"),
        Refusal("stretch in.mp4 -o in.mp4 --to 2 --overwrite", 73, "input itself"),
        Refusal("stretch in.mp4 --match in.mp4", 65, "1.0 s"),
        Refusal("warp in.mp4 -o in.mp4 --overwrite", 73, "input itself"),
        Refusal("warp in.mp4 -o link.mp4 --overwrite", 73, "input itself"),
        Refusal("warp in.mp4 -o there.mp4", 73, "--overwrite"),
        Refusal("warp in.mp4", 64, "--output"),
        Refusal("scale in.mp4 -o x.mp4", 64, "--factor"),
        Refusal("scale in.mp4 -o x.mp4 --factor 0", 64, "--factor must be above 0"),
        Refusal("scale in.mp4 -o x.mp4 --speed 0", 64, "--speed must be above 0"),
        Refusal("plot -o x.bmp", 64, ".svg"),
        Refusal("compose in.mp4 no.mp4 -o x.mp4", 66, "no.mp4"),
        Refusal("compose in.mp4 in.mp4 -o in.mp4 --overwrite", 73, "input itself"),
        Refusal("compose in.mp4 -o x.mp4 --size big", 64, "size"),
        Refusal("compose project.json -o x.mp4 --dissolve 1", 64, "where it belongs"),
        Refusal("compose project.json -o x.mp4", 65, "tracks[0].segments[0]: \"waarp\""),
        Refusal("compose in.mp4 -o x.mp4 --video-codec copy", 64, "--fps any"),
        Refusal("compose endless.json -o x.mp4", 65, "too long for a duration"),
        Refusal("compose no.otio -o x.mp4", 66, "no.otio"),
        Refusal("story check no.json", 66, "no such file"),
        Refusal("story build project.json -o x", 65, "project.json"),
        Refusal("story check project.json --log text.mp4", 64, "--graph"),
        Refusal("story play .", 66, "story build"),
        Refusal("story strings tlh", 64, "de, en, es, fr, ja"),
        Refusal("story walk text.mp4", 65, "text.mp4"),
        Refusal("nonsense", 64, "nonsense"),
        Refusal("wrap in.mp4 -o x.mp4", 64, "Did you mean \"warp\"?"),
        Refusal("freeze in.mp4 -o x.mp4", 64, "--easing hold"),
        Refusal("reverse in.mp4 -o x.mp4 --speed 2", 64, "commands have it: warp, scale"),
        Refusal("reverse in.mp4 -o x.mp4 --overwrit", 64, "Did you mean '--overwrite'?"),
        Refusal("scale in.mp4 -o x.mp4 --speed 2 -y", 64, "--overwrite"),
        Refusal("scale -i in.mp4 x.mp4 --speed 2", 64, "without an option"),
        Refusal("scale in.mp4 -o x.mp4 --speed 2x --factor 50%", 64, "only one"),
        Refusal("scale in.mp4 -o x.mp4 --speed 1/9223372036854775807%", 64, "--speed"),
        Refusal("verify in.mp4 there.mp4 --bogus 3", 64, "--bogus"),
        Refusal("verify in.mp4", 64, "Name two files"),
        Refusal("warp in.mp4 -o x.mp4 --keyframes 0:1,2:0.5,4:1", 65, "write 2s for seconds"),
    ]

    @Test(
        "wrong input gets its own sentence and exit code, and leaves no file", arguments: refusals)
    func refuses(refusal: Refusal) throws {
        let folder = try folderWithClip()
        let whole = try Data(contentsOf: folder.url.appendingPathComponent("in.mp4"))
        try Data().write(to: folder.url.appendingPathComponent("empty.mp4"))
        try Data().write(to: folder.url.appendingPathComponent("-hat.mp4"))
        try Data("not a film".utf8).write(to: folder.url.appendingPathComponent("text.mp4"))
        try whole.prefix(whole.count / 2).write(to: folder.url.appendingPathComponent("cut.mp4"))
        try Data("there".utf8).write(to: folder.url.appendingPathComponent("there.mp4"))
        try Data("1\n00:00:01,000 --> 00:00:02,000\nHello\n".utf8)
            .write(to: folder.url.appendingPathComponent("subs.srt"))
        try Data(
            #"{"timewarp":"time-map/1","points":[{"output":0,"source":0},{"output":1,"source":99}]}"#
                .utf8
        ).write(to: folder.url.appendingPathComponent("beyond.json"))
        try Data("1\t1\n10\t500\n".utf8)
            .write(to: folder.url.appendingPathComponent("beyond.txt"))
        try Data(
            #"{"timewarp":"composition/1","tracks":[{"segments":[{"media":"in.mp4","waarp":1}]}]}"#
                .utf8
        ).write(to: folder.url.appendingPathComponent("project.json"))
        try Data(
            #"{"timewarp":"composition/1","tracks":[{"segments":[{"gap":"1000000000000000000"}]}]}"#
                .utf8
        ).write(to: folder.url.appendingPathComponent("endless.json"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.mp4"), withDestinationPath: "in.mp4")
        let before = try folder.contents
        let result = try timewarp(
            refusal.testDescription.split(separator: " ").map(String.init), in: folder)
        #expect(result.exitCode == refusal.exitCode, "\(result.errors)")
        #expect(result.errors.contains(refusal.says), "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(try folder.contents == before)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("in.mp4")) == whole)
    }
}
