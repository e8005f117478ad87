import Foundation
import Media
import TestSupport
import Testing
import TimeMaps

@testable import TimeWarp

@Suite("Framecurves of clips")
struct FrameCurveFileTests {
    @Test(
        "what is written is read again as the same map, also where the range begins within a frame",
        arguments: [0, 20, 70])
    func roundTrip(startMilliseconds: Int64) throws {
        let folder = try TemporaryFolder()
        let (path, file) = (folder.path("in.mp4"), folder.path("map.framecurve.txt"))
        try TestClip { ($0.rate, $0.frameCount) = (FrameRate(known: 25), 100) }.write(to: path)
        let asset = try Asset(at: path)
        let range = try TimeRange(
            start: RationalTime(startMilliseconds, over: 1000), end: RationalTime(3, over: 1))
        let clip = try Clip(
            of: MediaSource(asset), range: range,
            warpedBy: .builtIn(.ramp, factor: 2, modifier: 0.5))
        try Data(clip.frameCurve().text.utf8).write(to: URL(fileURLWithPath: file))
        let read = try Clip(of: MediaSource(asset), range: range, timeMapFile: file)
        for step in 0..<Int(clip.map.outputDuration * 25) {
            let instant = Double(step) / 25
            let error = read.map.sourceTime(at: instant) - clip.map.sourceTime(at: instant)
            // Records are rounded to a millionth of a frame.
            #expect(abs(error) < 1e-6, "at \(instant)")
        }
    }
}
