import Foundation
import TimeMaps

/// A step of output time, and the source samples for it.
struct StretchStep {
    /// How many samples the engine is to get, at the output's rate.
    let count: Int
    /// The source position at which they should end, in samples at the output's rate.
    let target: Double
    /// The direction: 1 forwards, −1 backwards.
    let direction: Double
}

/// Goes along a map in steps, and remembers which output belongs to which engine input.
struct StretchSteps {
    /// The usual number of input samples in a step.
    private static let usualCount = 256.0
    /// If the speed differs from 1 by less than this, the engine would sometimes cancel its own waves. So it is
    /// kept at 1, where it changes nothing. A crossfade to a matching waveform now and then corrects the
    /// difference: once in 20 s for a clock that is off by a second an hour.
    private static let nearlyNormal = 0.02

    private let map: TimeMap
    private let rate: Double
    private var cursor: TimeMap.Cursor
    private var direction = 1.0
    /// The output sample at which the next step begins.
    private var output = 0.0
    /// The number of samples that the engine got, without the padding.
    private(set) var fedCount: Int64 = 0
    /// The last corners of the line from engine input to output, in samples.
    private var corners: [(input: Double, output: Double)] = [(0, 0)]
    /// Source samples for each output sample at the start, as the engine gets them.
    let firstPace: Double

    init(_ retiming: AudioRetiming) {
        map = retiming.map
        rate = retiming.outputRate
        cursor = map.cursor()
        firstPace = Self.pace(cursor.position(at: 0).speed)
    }

    /// The speed at which the engine is used.
    private static func pace(_ speed: Double) -> Double {
        let slowest = 1 / PitchEngine.timeRatios.upperBound
        let fastest = 1 / PitchEngine.timeRatios.lowerBound
        let pace = min(max(abs(speed), slowest), fastest)
        return abs(pace - 1) < nearlyNormal ? 1 : pace
    }

    /// The range of ratios, output samples for each input sample, that the engine may be asked for.
    var ratios: ClosedRange<Double> {
        let speeds = map.speedRange
        let paces = [Self.pace(speeds.lowerBound), Self.pace(speeds.upperBound)]
        let slowest = speeds.contains(0) ? 1 / PitchEngine.timeRatios.upperBound : paces.min()!
        return 1 / paces.max()!...1 / slowest
    }

    /// The next step for a head that is where the last step left it.
    mutating func next(from head: GrainHead) -> StretchStep {
        let start = position(at: output)
        let pace = Self.pace(start.speed)
        let length = min(max(Self.usualCount / pace, 64), 4096).rounded()
        let end = position(at: output + length)
        if end.source != start.source {
            direction = end.source < start.source ? -1 : 1
        }
        let wanted = (end.source - head.position) * direction
        let usual = pace * length
        // A head that is off its position is brought back over some steps. If it is too far off for that, it
        // jumps.
        let give = pace == 1 ? 0 : usual / 10
        let count = Int(min(max(wanted, usual - give), usual + give).rounded())
        fedCount += Int64(count)
        output += length
        corners.append((Double(fedCount), output))
        if corners.count > 256 {
            corners.removeFirst(128)
        }
        return StretchStep(count: count, target: end.source, direction: direction)
    }

    /// The source position in samples, and the speed, at an output sample. Past the end the map goes straight
    /// on.
    private mutating func position(at output: Double) -> (source: Double, speed: Double) {
        let last = map.outputDuration * rate
        let (source, speed) = cursor.position(at: min(output, last) / rate)
        return (source * rate + max(0, output - last) * speed, speed)
    }

    /// The output sample that an input sample should become, and the ratio (output samples for each input
    /// sample) there.
    func outputPosition(ofInput input: Double) -> (output: Double, ratio: Double) {
        guard corners.count > 1 else {
            return (input / firstPace, 1 / firstPace)
        }
        let below = min(corners.lastIndex { $0.input <= input } ?? 0, corners.count - 2)
        let (a, b) = (corners[below], corners[below + 1])
        let ratio = (b.output - a.output) / (b.input - a.input)
        return (a.output + (input - a.input) * ratio, ratio)
    }
}
