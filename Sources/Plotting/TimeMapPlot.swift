/// A plot of a time map, which may freeze, play backwards and jump.
///
/// The main panel shows the speed over output time. The panel beneath it shows the source time of each output
/// time. On one system, equal plots give equal bytes; the shapes of the letters come from the system's sans-serif
/// font.
public struct TimeMapPlot: Sendable {
    /// The title: one line, without control characters.
    public let title: String
    /// The samples, at least two; output times never fall. Two at one output time are a jump.
    public let samples: [TimeMapEvaluation.Sample]
    /// How long the source lasts, in seconds.
    public let sourceDuration: Double

    /// Checks the data; nothing is drawn yet. O(n) samples.
    ///
    /// - Parameters:
    ///   - title: any text. Control characters become spaces; a text that is too long is cut when drawn.
    ///   - samples: the map, in order of output time. The plot connects them with straight lines.
    ///   - sourceDuration: seconds, above 0.
    /// - Throws: ``PlotError`` with `.invalidData` for fewer than two samples, samples out of order, and for
    ///   numbers that are not finite or are above 1e9.
    public init(
        title: String, samples: [TimeMapEvaluation.Sample], sourceDuration: Double
    ) throws {
        guard let first = samples.first, let last = samples.last, first.output < last.output else {
            throw PlotError(.invalidData, "A plot needs samples at two or more output times.")
        }
        var before = 0.0
        for sample in samples {
            let numbers = [sample.output, sample.source, sample.speed]
            guard numbers.allSatisfy(PlotPage.canShow) else {
                throw PlotError(
                    .invalidData,
                    "The time map cannot be plotted at output time \(sample.output) s: it shows "
                        + "\(sample.source) s at speed \(sample.speed); a plot shows numbers up to 1e9."
                )
            }
            guard sample.output >= before else {
                throw PlotError(
                    .invalidData,
                    "A plot's samples must be in order of output time, from 0 s on, but "
                        + "\(sample.output) s comes after \(before) s.")
            }
            before = sample.output
        }
        guard PlotPage.canShow(sourceDuration), sourceDuration > 0 else {
            throw PlotError(
                .invalidData,
                "The source duration of a plot must be above 0 s and at most 1e9 s, not "
                    + "\(sourceDuration) s.")
        }
        self.title = PlotText.oneLine(title)
        self.samples = samples
        self.sourceDuration = sourceDuration
    }

    /// The plot as an SVG document, in pixels. The title and the captions are also included as text, in `<title>`
    /// and `<desc>`.
    ///
    /// - Throws: ``PlotError`` with `.invalidSize` below 320x240 or above 16384 pixels a side, or
    ///   `.drawing` if Cairo fails.
    public func svg(width: Int = 960, height: Int = 600) throws -> String {
        try page.svg(width: width, height: height)
    }

    /// The plot as a PNG file with `width` by `height` pixels.
    ///
    /// - Throws: ``PlotError`` with `.invalidSize` below 320x240 or above 16384 pixels a side, or
    ///   `.drawing` if Cairo fails.
    public func png(width: Int, height: Int) throws -> [UInt8] {
        try page.png(width: width, height: height)
    }
}

// MARK: - Page

extension TimeMapPlot {
    /// Between two samples, a source that moves by less, in seconds, is frozen.
    private static let still = 1e-9

    private var outputDuration: Double { samples[samples.count - 1].output }

    /// For how many seconds of the output the source moves as described.
    private func seconds(where moves: (_ bySeconds: Double) -> Bool) -> Double {
        zip(samples, samples.dropFirst()).reduce(0) { sum, pair in
            moves(pair.1.source - pair.0.source) ? sum + pair.1.output - pair.0.output : sum
        }
    }

    var captions: [PlotPage.Caption] {
        let speeds = samples.map(\.speed)
        let frozen = seconds { abs($0) <= Self.still }
        let backwards = seconds { $0 < -Self.still }
        let held = [("Frozen", "Frozen", frozen), ("Backwards", "Back", backwards)]
        return [
            PlotPage.Caption(
                name: "Minimum speed", shortName: "Min. speed", speed: speeds.min() ?? 1),
            PlotPage.Caption(
                name: "Maximum speed", shortName: "Max. speed", speed: speeds.max() ?? 1),
        ]
            + held.filter { $0.2 > 0 }.map {
                PlotPage.Caption(name: $0, shortName: $1, value: PlotText.duration($2))
            } + [.source(sourceDuration), .expected(outputDuration, source: sourceDuration)]
    }

    private var page: PlotPage {
        let speeds = samples.map(\.speed)
        let (low, high) = (min(speeds.min() ?? 0, 0), max(speeds.max() ?? 1, 1))
        let margin = 0.09 * (high - low)
        let backwards = PlotPage.Band(
            word: "backwards", colour: PlotColour.backwards, upper: 0, base: 0)
        return PlotPage(
            title: title, subject: "Speed over output time.", captions: captions,
            across: .init(
                name: "output time", scale: PlotScale(from: 0, to: outputDuration), isTimed: true),
            upwards: .init(
                name: "source time", scale: .covering(samples.map(\.source), .linear),
                isTimed: true),
            rateScale: PlotScale(from: low - margin, to: high + margin),
            rateTitles: ["speed, source s per output s", "speed"],
            bands: [
                .init(word: "faster", colour: PlotColour.faster, lower: 1),
                .init(word: "slower", colour: PlotColour.slower, lower: 0, upper: 1),
            ] + (low < 0 ? [backwards] : []),
            marks: [
                .init(rate: 1, label: "normal speed"), .init(rate: 0, label: "frozen"),
            ],
            rates: samples.map { .init(x: $0.output, y: $0.speed) },
            times: samples.map { .init(x: $0.output, y: $0.source) },
            legend: "dashed: normal speed")
    }
}

extension PlotPage.Caption {
    fileprivate init(name: String, shortName: String, speed: Double) {
        let note =
            switch speed {
            case 0: "frozen"
            case 1: "normal speed"
            case ..<0: "backwards"
            case ..<1: "slower"
            default: "faster"
            }
        self.init(
            name: name, shortName: shortName, value: PlotText.number(speed) + "×", note: note)
    }
}
