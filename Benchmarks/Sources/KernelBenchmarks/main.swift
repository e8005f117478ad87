import Foundation
import TimeMaps

/// What the source position of the next sound sample costs, against four calls of `sin` measured
/// in turn with it.

let sampleCount = 480_000
let blockSize = 4096
let rounds = 7

func nanosecondsPerSample(_ work: () -> Double) -> Double {
    let start = ContinuousClock.now
    let result = work()
    precondition(result.isFinite, "a result that is used can't be optimised away")
    return (ContinuousClock.now - start) / .nanoseconds(1) / Double(sampleCount)
}

func walk(_ map: TimeMap) -> Double {
    var cursor = map.cursor()
    let sources = UnsafeMutableBufferPointer<Double>.allocate(capacity: blockSize)
    let speeds = UnsafeMutableBufferPointer<Double>.allocate(capacity: blockSize)
    defer {
        sources.deallocate()
        speeds.deallocate()
    }
    let rate = Double(sampleCount) / map.outputDuration
    var sum = 0.0
    for first in stride(from: 0, to: sampleCount, by: blockSize) {
        cursor.fill(sources, speeds, firstTick: Int64(first), ticksPerSecond: rate)
        sum += sources[blockSize - 1]
    }
    return sum
}

func fourSines() -> Double {
    var sum = 0.0
    for index in 0..<sampleCount {
        let x = Double(index) * 0.001
        sum += sin(x) + sin(x + 1) + sin(x + 2) + sin(x + 3)
    }
    return sum
}

func median(_ numbers: [Double]) -> Double {
    numbers.sorted()[numbers.count / 2]
}

let duration = RationalTime(10, over: 1)
let curves: [Curve] =
    BuiltInCurve.allCases.map { .builtIn($0, factor: 1.7, modifier: 0.6) } + [
        .scale(try Formula("1 + 0.8*sin(2*pi*t)")), .scale(try Formula("sqrt(2*t + 1/9)")),
        .integral(try Formula("t^2/2 + t")),
        .keyframes(try Keyframe.list(parsing: "0:1, 40%:0.25, 6s:2, 1:1")),
    ]

print("| curve | ns a sample | four sines, ns | ratio |")
print("| --- | --- | --- | --- |")
for curve in curves {
    let map = try TimeMap(warping: duration, by: curve.timeScale(duration: duration))
    var ours: [Double] = []
    var theirs: [Double] = []
    for _ in 0..<rounds {
        ours.append(nanosecondsPerSample { walk(map) })
        theirs.append(nanosecondsPerSample(fourSines))
    }
    let (a, b) = (median(ours), median(theirs))
    print("| \(curve) | " + String(format: "%.1f | %.1f | %.2f |", a, b, a / b))
}
