import Foundation
import TimeMaps

/// Two recordings of one event at 16 kHz: forty seconds, and one that starts 1.5 s later, by a clock that is 200 ppm off.
public struct TwoRecordings {
    public let reference: String
    public let recording: String

    /// - Parameter seconds: how long the second recording lasts.
    public init(in folder: TemporaryFolder, recordingSeconds seconds: Double = 30) throws {
        var random = SplitMix64(seed: 11)
        let notes = (0..<420).map { _ in Double.random(in: 120...1500, using: &random) }
        func event(_ time: Double) -> Float {
            let beat = Int(max(0, time) / 0.1)
            let age = time - Double(beat) * 0.1
            let wave: Double = sin(2 * Double.pi * notes[min(beat, 419)] * age)
            return Float(0.4 * exp(-age * 20) * wave)
        }
        let rate = 16_000.0
        let first = (0..<Int(40 * rate)).map { event(Double($0) / rate) }
        let second = (0..<Int(seconds * rate)).map { event(1.5 + Double($0) / rate * 1.0002) }
        (reference, recording) = (folder.path("reference.wav"), folder.path("recording.wav"))
        try ReferenceTools.writeSound([first], sampleRate: 16_000, to: reference)
        try ReferenceTools.writeSound([second], sampleRate: 16_000, to: recording)
    }
}
