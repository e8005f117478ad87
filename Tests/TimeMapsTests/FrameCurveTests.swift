import ProcessorTime
import Testing

@testable import TimeMaps

@Suite("Frame curves")
struct FrameCurveTests {
    /// The map for a clip of frames of equal duration.
    private func map(
        _ text: String, frames: Int64, at frameDuration: RationalTime = Strip.seconds(1),
        output: RationalTime = Strip.seconds(1)
    ) throws -> TimeMap {
        let duration = try frameDuration.multiplied(by: frames, over: 1)
        return try FrameCurve(parsing: text).map(
            outputFrameDuration: output,
            frameStart: { min($0 * frameDuration.seconds, duration.seconds) },
            sourceDuration: duration)
    }

    private func message(_ text: String, frames: Int64 = 100) -> String {
        do {
            _ = try map(text, frames: frames)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test("comments, empty lines, blanks and both line ends are read")
    func parsing() throws {
        let text = "\u{FEFF}# framecurve.org\r\n\r\n1\t1\r\n 3 \t 2.5 \n# note 9 9\n10\t0\n12 1e1"
        let curve = try FrameCurve(parsing: text)
        #expect(
            curve.points == [
                .init(atFrame: 1, sourceFrame: 1), .init(atFrame: 3, sourceFrame: 2.5),
                .init(atFrame: 10, sourceFrame: 1), .init(atFrame: 12, sourceFrame: 10),
            ])
    }

    @Test("errors name the line")
    func parsingErrors() {
        let cases = [
            ("", "no record"), ("# only this\n\n", "no record"),
            ("1\t1\n2\n", "line 2"), ("1\t1\t1\n", "line 1"),
            ("# c\n0\t1\n", "line 2"), ("1.5\t1\n", "at_frame \"1.5\""),
            ("-1\t1\n", "at_frame \"-1\""), ("1\t-1\n", "source frame \"-1\""),
            ("1\tnan\n", "source frame \"nan\""), ("1\t0x10\n", "source frame \"0x10\""),
            ("1\tone\r\n", "source frame \"one\""), ("1\t1e99\n", "source frame \"1e99\""),
            ("1\t1\r\n5\t5\r\n5\t6\r\n", "line 3"), ("1\t1\n5\t5\n\n4\t6\n", "line 4"),
            ("99999999999999999999\t1\n", "line 1"),
        ]
        for (text, word) in cases {
            #expect(message(text).contains(word), "\(text) gives: \(message(text))")
        }
    }

    @Test("a frame beyond the clip is named with its record")
    func beyond() {
        let text = message("1\t1\n50\t101\n", frames: 100)
        for word in ["50", "101", "100 frames"] {
            #expect(text.contains(word), "\(text)")
        }
        #expect(message("1\t1\n50\t100\n") == "none")
        #expect(message("1\t100.5\n") == "none")
        #expect(message("1\t1e12\n").contains("100 frames"))
    }

    static let examples = [
        ("1 1\n4 4", "ABCD"), ("1 4\n4 1", "DCBA"), ("1 1\n4 4\n7 1", "ABCDCBA"),
        ("1 4\n4 1\n7 4", "DCBABCD"), ("1 2\n4 2", "BBBB"), ("3 2\n4 3", "BBBC"),
        ("3 3", "CCC"), ("1 1\n7 4", "AABBCCD"), ("1 4\n7 1", "DCCBBAA"),
        ("1 1\n2 3\n3 4\n4 2\n5 2", "ACDBB"), ("1 1\n3 1\n5 3", "AAABC"),
    ]

    @Test("strips", arguments: examples)
    func strips(text: String, shown: String) throws {
        let map = try map(text, frames: 4)
        #expect(Strip.shown(by: map, of: "ABCD") == shown)
        #expect(map.exactOutputDuration == Strip.seconds(Int64(shown.count)))
    }

    @Test("between records the source moves straight, also to a part of a frame")
    func straight() throws {
        let map = try map("1 1\n5 2.5\n6 2.5\n7 2", frames: 4)
        #expect(abs(map.sourceTime(at: 2) - 0.75) < 3e-6)
        #expect(abs(map.sourceTime(at: 4.5) - 1.5) < 3e-6)
        // A curve that falls keeps clear of the ends of frames.
        #expect(abs(map.sourceTime(at: 5) - 1.5) < 3e-6)
        #expect(abs(map.sourceTime(at: 5.5) - 1.25) < 3e-6)
        #expect(abs(map.sourceTime(at: 6.5) - 0.5) < 3e-6)
    }

    @Test("at every record its frame is shown, at film rates and through turns (seed 51)")
    func recordsAreShown() throws {
        var generator = SplitMix64(seed: 51)
        let durations = [Strip.seconds(1001, 24_000), Strip.seconds(1, 25), Strip.seconds(1, 60)]
        for round in 0..<200 {
            var records: [(at: Int, use: Int)] = []
            var at = Int.random(in: 1...3, using: &generator)
            for _ in 0..<Int.random(in: 1...60, using: &generator) {
                let last = records.last?.use ?? 1
                let use =
                    Bool.random(using: &generator)
                    ? Int.random(in: 1...500, using: &generator)
                    : min(500, max(1, last + Int.random(in: -1...1, using: &generator)))
                records.append((at, use))
                at += Int.random(in: 1...3, using: &generator)
            }
            let source = durations[round % 3]
            let output = durations[(round / 3) % 3]
            let text = records.map { "\($0.at)\t\($0.use)" }.joined(separator: "\n")
            let map = try map(text, frames: 500, at: source, output: output)
            for record in records {
                let y = try output.multiplied(by: Int64(record.at - 1), over: 1).seconds
                let frame = Strip.frame(at: y, of: map) { $0 / source.seconds }
                #expect(frame == record.use - 1, "seed 51, round \(round), record \(record)")
            }
        }
    }

    @Test("a long curve of normal speed is one piece, backwards too")
    func merging() throws {
        let film = Strip.seconds(1001, 24_000)
        let count = 100_000
        let forward = (1...count).map { "\($0)\t\($0)" }.joined(separator: "\n")
        let seconds = try processorSeconds {
            let map = try map(forward, frames: Int64(count), at: film, output: film)
            #expect(map.pieces.count == 1)
            #expect(abs(map.outputDuration - map.sourceDuration) < 1e-9)
        }
        // For a debug build; released code takes a tenth.
        #expect(seconds < 20)
        let backward = (1...1000).map { "\($0)\t\(1001 - $0)" }.joined(separator: "\n")
        #expect(try self.map(backward, frames: 1000, at: film, output: film).playsBackward)
        // In the last output frame the source stays at its start.
        #expect(try self.map(backward, frames: 1000, at: film, output: film).pieces.count == 2)
        let turns = "1 1\n2 2\n3 3\n4 2\n5 1\n6 1\n7 1\n8 2"
        #expect(try self.map(turns, frames: 4).pieces.count == 4)
    }

    @Test("joined lines stay within a nanosecond of their records")
    func drift() throws {
        // Each step is off by half of what is tolerated, but together the steps bend the line.
        let frames = stride(from: 0.0, to: 2000, by: 1).map { (place: Double) -> Double in
            1 + place + place * place * 2e-10
        }
        let lines = frames.enumerated().map { (index, frame) -> String in "\(index + 1)\t\(frame)" }
        let text = lines.joined(separator: "\n")
        let map = try map(text, frames: 2001)
        #expect((2...1999).contains(map.pieces.count))
        for (index, frame) in frames.enumerated() {
            #expect(abs(map.sourceTime(at: Double(index)) - (frame - 1)) < 1e-9)
        }
    }
}
