import Plotting
import TimeMaps

/// What is plotted: a curve over source time, or a time map over output time.
enum Plotted {
    case curve(CurveEvaluation)
    case map(TimeMapEvaluation)

    /// A curve on a clip: over output time where it freezes or plays backwards.
    ///
    /// - Throws: `CurveError` or `TimeError` if the curve can't be integrated.
    init(
        _ curve: Curve, duration: RationalTime, lasting: RationalTime? = nil,
        frameDuration: Double? = nil
    ) throws {
        guard curve.isOverOutput else {
            self = .curve(
                try CurveEvaluation(
                    of: curve, duration: duration, lasting: lasting, frameDuration: frameDuration))
            return
        }
        let map = try TimeMap(
            warping: duration, along: curve, frameDuration: frameDuration, lasting: lasting)
        self = .map(TimeMapEvaluation(of: map, title: curve.description))
    }

    var warnings: [String] {
        switch self {
        case .curve(let evaluation): evaluation.warnings
        case .map(let evaluation): evaluation.warnings
        }
    }

    func svg(width: Int, height: Int) throws -> String {
        switch self {
        case .curve(let evaluation): try evaluation.plot.svg(width: width, height: height)
        case .map(let evaluation): try evaluation.plot.svg(width: width, height: height)
        }
    }

    func png(width: Int, height: Int) throws -> [UInt8] {
        switch self {
        case .curve(let evaluation): try evaluation.plot.png(width: width, height: height)
        case .map(let evaluation): try evaluation.plot.png(width: width, height: height)
        }
    }

    func json() throws -> String {
        switch self {
        case .curve(let evaluation): try JSONOutput.text(evaluation, as: "curve-plot/1")
        case .map(let evaluation): try JSONOutput.text(evaluation, as: "time-map-plot/1")
        }
    }
}
