import Foundation
import Plotting
import TimeMaps
import TimeWarp

extension FuzzTarget {
    /// `--scale`, `--speed` and `--integral`.
    static let formula = FuzzTarget(
        "formula",
        text: { text in
            let formula = try Formula(text)
            for t in [0, 0.3, 1, -1, .infinity, .nan] {
                _ = formula(t)
            }
            // Only one of the three for each input, because refusing a wild formula takes a while.
            let curves = [Curve.scale(formula), .speed(formula), .integral(formula)]
            attempt { try check(curves[text.utf8.count % 3], lasting: 10) }
        })

    /// `--curve-file`.
    static let curveFile = FuzzTarget(
        "curve-file",
        data: { json in
            let curve = try Curve(json: json)
            let again = try Curve(json: curve.json())
            require(again == curve, "written and read again it is another curve")
            attempt { try check(curve, lasting: 10) }
            guard case .keyframes(let keyframes) = curve.shape else {
                return
            }
            attempt { try checkMap(of: keyframes) }
        })

    /// `--keyframes`.
    static let keyframes = FuzzTarget(
        "keyframes",
        text: { text in
            let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            let easing = parts.count == 2 ? try Easing(parsing: String(parts[1])) : .smooth
            let keyframes = try Keyframe.list(parsing: String(parts[0]), easing: easing)
            attempt { try check(.keyframes(keyframes), lasting: 10) }
            attempt { try checkMap(of: keyframes) }
        })

    private static func checkMap(of keyframes: [Keyframe]) throws {
        let duration = RationalTime(10, over: 1)
        try TimeMap(keyframes: keyframes, sourceDuration: duration).checkPromises()
        try TimeMap(
            keyframes: keyframes, sourceDuration: duration, lasting: RationalTime(7, over: 3)
        ).checkPromises()
    }

    /// Uses a curve as a map, fits it, flips it and plots it.
    static func check(_ curve: Curve, lasting seconds: Int64) throws {
        let duration = RationalTime(seconds, over: 1)
        let scale = try curve.timeScale(duration: duration)
        let map = try TimeMap(warping: duration, by: scale, frameDuration: 1.0 / 30)
        map.checkPromises()
        require(map.isRising, "a warp that doesn't rise")
        attempt {
            let lasting = RationalTime(20, over: 3)
            let fitted = try TimeMap(warping: duration, by: scale, lasting: lasting)
            fitted.checkPromises()
            require(abs(fitted.outputDuration - 20.0 / 3) < 1e-9, "a fit that doesn't")
        }
        attempt {
            var flipped = curve
            flipped.isFlipped.toggle()
            try TimeMap(warping: duration, by: flipped.timeScale(duration: duration))
                .checkPromises()
        }
        attempt {
            let evaluation = try CurveEvaluation(of: curve, duration: duration, sampleCount: 33)
            _ = try evaluation.plot.svg(width: 320, height: 240)
        }
    }
}
