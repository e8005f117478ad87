import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Alignment

/// Sounds made once for all tests.
enum Fixtures {
    static let seconds = 125.0
    static let noise = Result { try SyntheticEvent(.noise, seconds: seconds, seed: 1) }
    static let music = Result { try SyntheticEvent(.music, seconds: seconds, seed: 2) }
    static let speech = Result { try SyntheticEvent(.speech, seconds: seconds, seed: 3) }
    static let otherNoise = Result { try SyntheticEvent(.noise, seconds: 42, seed: 11) }
    static let otherMusic = Result { try SyntheticEvent(.music, seconds: 42, seed: 12) }
    static let otherSpeech = Result { try SyntheticEvent(.speech, seconds: 42, seed: 13) }

    static func event(_ kind: SyntheticEvent.Kind) throws -> SyntheticEvent {
        switch kind {
        case .noise: try noise.get()
        case .music: try music.get()
        case .speech: try speech.get()
        }
    }

    static func otherEvent(_ kind: SyntheticEvent.Kind) throws -> SyntheticEvent {
        switch kind {
        case .noise: try otherNoise.get()
        case .music: try otherMusic.get()
        case .speech: try otherSpeech.get()
        }
    }

    /// A recording by a recorder with one steady clock.
    static func take(
        of event: SyntheticEvent, sampleRate: Double = 16000, from start: Double, seconds: Double,
        ppm: Double = 0
    ) -> Take {
        Take(
            of: event, sampleRate: sampleRate, seconds: seconds,
            clock: ClockPiece.following(from: start, [(seconds, ppm)]))
    }
}

extension Take {
    /// A different microphone: a filter without delay, two echoes, gain, noise 10 dB below the sound,
    /// and rounding to 16 bits.
    func throughAnotherMicrophone(seed: UInt64) -> Take {
        var generator = SplitMix64(seed: seed)
        var power = 0.0
        for value in values { power += Double(value * value) }
        let level = Float((power / Double(values.count) / 10).squareRoot())
        let echoes = [(Int(0.011 * sampleRate), Float(0.3)), (Int(0.027 * sampleRate), Float(0.2))]
        let (near, nearSize) = echoes[0]
        let (far, farSize) = echoes[1]
        var changed = self
        changed.values.withUnsafeMutableBufferPointer { changed in
            values.withUnsafeBufferPointer { values in
                for index in far..<(values.count - 1) {
                    var value = values[index] - 0.3 * (values[index - 1] + values[index + 1])
                    value += nearSize * values[index - near] + farSize * values[index - far]
                    value = 0.4 * (value + level * generator.bell())
                    changed[index] = Float(Int(value * 32768)) / 32768
                }
            }
        }
        return changed
    }

    /// Replaces the sound between two recording times by other sound.
    func replaced(_ range: Range<Double>, by other: Take) -> Take {
        let indices = Int(range.lowerBound * sampleRate)..<Int(range.upperBound * sampleRate)
        var changed = self
        changed.values.replaceSubrange(indices, with: other.values.prefix(indices.count))
        return changed
    }
}

/// The largest distance between the found map and the true one, at every half second, except within
/// `margin` seconds around `breaks`.
func largestError(
    of found: RecordingAlignment, _ recording: Take, _ reference: Take,
    apartFrom breaks: [Double] = [],
    margin: Double = 5
) -> Double {
    stride(from: 0, through: recording.duration, by: 0.5)
        .filter { time in breaks.allSatisfy { abs(time - $0) > margin } }
        .map { time in
            let truth = reference.time(ofEvent: recording.eventTime(of: time))
            return abs(found.referenceTime(of: time) - truth)
        }
        .max() ?? .infinity
}

func align(_ recording: Take, to reference: Take) throws -> RecordingAlignment {
    try DriftEstimator().align(recording.sound, to: reference.sound, checkCancelled: {})
}

/// The code of the error that is thrown, `nil` if none is thrown.
func refusal(of recording: Take, to reference: Take) throws -> AlignmentError.Code? {
    do {
        let found = try align(recording, to: reference)
        print("not refused:", found)
        return nil
    } catch let error as AlignmentError {
        return error.code
    }
}
