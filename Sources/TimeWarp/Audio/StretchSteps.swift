import Foundation
import TimeMaps

/// A step of output time, and the source that lies under it.
struct StretchStep {
    /// How many samples the engine is to be given, at the output's rate.
    let count: Int
    /// Where in the source they should end, in samples at the output's rate.
    let target: Double
    /// 1 forwards, −1 backwards.
    let direction: Double
}

/// Walks along a map in steps, and remembers which output belongs to which engine input.
struct StretchSteps {
    /// Input samples of a step where nothing is out of the ordinary.
    private static let usualCount = 256.0
    /// So close to normal speed the engine would cancel its own waves now and then. It is left at
    /// 1, where it changes nothing, and a fade to a matching wave some time away makes up for what
    /// is left: one in 20 s for a clock that is a second an hour off.
    private static let nearlyNormal = 0.02

    private let map: TimeMap
    private let rate: Double
    private var cursor: TimeMap.Cursor
    private var direction = 1.0
    /// Where the next step begins, in output samples.
    private var output = 0.0
    /// Engine input given so far, padding not counted.
    private(set) var fedCount: Int64 = 0
    /// Corners of the line from engine input to output, in samples; the last ones.
    private var corners: [(input: Double, output: Double)] = [(0, 0)]
    /// Source samples an output sample at the start, as the engine will be told.
    let firstPace: Double

    init(_ retiming: AudioRetiming) {
        map = retiming.map
        rate = retiming.outputRate
        cursor = map.cursor()
        firstPace = Self.pace(cursor.position(at: 0).speed)
    }

    /// The speed that the engine is used at.
    private static func pace(_ speed: Double) -> Double {
        let slowest = 1 / PitchEngine.timeRatios.upperBound
        let fastest = 1 / PitchEngine.timeRatios.lowerBound
        let pace = min(max(abs(speed), slowest), fastest)
        return abs(pace - 1) < nearlyNormal ? 1 : pace
    }

    /// What the engine may be asked for: output samples for an input sample.
    var ratios: ClosedRange<Double> {
        let speeds = map.speedRange
        let paces = [Self.pace(speeds.lowerBound), Self.pace(speeds.upperBound)]
        let slowest = speeds.contains(0) ? 1 / PitchEngine.timeRatios.upperBound : paces.min()!
        return 1 / paces.max()!...1 / slowest
    }

    /// The next step for a head that stands where the last one left it.
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
        // A head that has strayed is brought back over some steps; what is too much for that, it
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

    /// Source position in samples and speed at an output sample; straight on past the end.
    private mutating func position(at output: Double) -> (source: Double, speed: Double) {
        let last = map.outputDuration * rate
        let (source, speed) = cursor.position(at: min(output, last) / rate)
        return (source * rate + max(0, output - last) * speed, speed)
    }

    /// The output sample that an input sample should become, and how many it becomes there.
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
