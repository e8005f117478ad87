import Foundation
import TestSupport
import Testing

@Suite("The command beats")
struct BeatsCommandTests {
    @Test("it prints beats for scripts, and everything as JSON")
    func beats() throws {
        let folder = try TemporaryFolder()
        let rate = 44100
        var sound = [Float](repeating: 0, count: 12 * rate)
        let beats = stride(from: 0.25, to: 11.5, by: 0.5)
        for beat in beats {
            for place in 0..<400 {
                sound[Int(beat * Double(rate)) + place] = 0.7 * sin(Float(place) * 0.3)
            }
        }
        try ReferenceTools.writeSound([sound], sampleRate: rate, to: folder.path("a.wav"))
        let text = try timewarp(["beats", "a.wav"], in: folder)
        let lines = text.output.split(separator: "\n").compactMap { Double($0) }
        #expect(lines.count == Array(beats).count)
        #expect(zip(lines, beats).allSatisfy { abs($0 - $1) <= 0.005 })
        #expect(text.errors.contains("120.00 beats a minute, 23 beats, 23 onsets"))
        let json = try timewarp(["beats", "a.wav", "--json"], in: folder)
        let object =
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["tempo"] as? Double == 120)
        #expect((object?["beats"] as? [Double])?.count == 23)
        #expect(json.errors.isEmpty)
    }

    @Test("a clip without sound is refused")
    func silent() throws {
        let folder = try TemporaryFolder()
        try TestClip { $0.audioCodec = nil }.write(to: folder.path("a.mp4"))
        let result = try timewarp(["beats", "a.mp4"], in: folder)
        #expect(result.exitCode == 65)
        #expect(result.errors.contains("it has no audio track to find beats in"))
        #expect(try timewarp(["beats", "none.wav"], in: folder).exitCode == 66)
    }
}
