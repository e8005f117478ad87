/// A plot of a time scale from samples, however the curve was computed.
///
/// The main panel shows the time scale s(u) over source time. The panel beneath it shows the output time
/// of each source time. On one system, equal plots give equal bytes; the shapes of the letters come from the
/// system's sans-serif font.
public struct CurvePlot: Sendable {
    /// The curve at one instant.
    public struct Sample: Hashable, Sendable, Codable {
        /// Source time on [0, 1].
        public var u: Double
        /// The time scale s(u), in output seconds per source second; at most 1e9.
        public var scale: Double
        /// F(u), the integral of s from 0 to u; at most 1e9.
        public var integral: Double

        /// A sample of the time scale and its integral. Nothing is checked; ``CurvePlot`` does that.
        public init(u: Double, scale: Double, integral: Double) {
            self.u = u
            self.scale = scale
            self.integral = integral
        }
    }

    /// The title: one line, without control characters.
    public let title: String
    /// The samples, at least two; `u` never falls. Two samples at the same `u` are a jump.
    public let samples: [Sample]
    /// How long the source lasts, in seconds; nil for a curve without a clip, whose times are shown as
    /// shares of the clip.
    public let sourceDuration: Double?
    /// The expected duration of the output in seconds; nil if it isn't known.
    public let outputDuration: Double?
    /// The lowest time scale, in output seconds per source second. It may lie between two samples.
    public let minimum: Double
    /// The highest time scale, in output seconds per source second. It may lie between two samples.
    public let maximum: Double

    /// Checks the data; nothing is drawn yet. O(n) samples.
    ///
    /// - Parameters:
    ///   - title: Any text. Control characters become spaces; a text that is too long is cut when drawn.
    ///   - samples: The curve, in order of `u`. The plot connects them with straight lines.
    ///   - sourceDuration: Seconds, above 0.
    ///   - outputDuration: Seconds, above 0. If it is nil and there is a source duration, the plot shows the
    ///     source duration times the average of s.
    ///   - minimum: The lowest s, if it is known more exactly than from the samples.
    ///   - maximum: The highest s, if it is known more exactly than from the samples.
    /// - Throws: `PlotError` with `.invalidData` for fewer than two samples, samples out of order
    ///   or outside of [0, 1], and for numbers that are not finite or are above 1e9.
    public init(
        title: String, samples: [Sample], sourceDuration: Double? = nil,
        outputDuration: Double? = nil, minimum: Double? = nil, maximum: Double? = nil
    ) throws {
        try Self.check(samples)
        try Self.check(sourceDuration, named: "source duration")
        try Self.check(outputDuration, named: "output duration")
        for extreme in [minimum, maximum].compactMap({ $0 }) where !PlotPage.canShow(extreme) {
            throw PlotError(
                .invalidData,
                "The curve's minimum or maximum, \(extreme), cannot be plotted; a plot shows "
                    + "numbers up to 1e9.")
        }
        let scales = samples.lazy.map(\.scale)
        self.title = PlotText.oneLine(title)
        self.samples = samples
        self.sourceDuration = sourceDuration
        self.outputDuration = outputDuration
        self.minimum = min(minimum ?? .infinity, scales.min() ?? .infinity)
        self.maximum = max(maximum ?? -.infinity, scales.max() ?? -.infinity)
    }

    /// The average of s over the samples' range, from the integral.
    public var average: Double {
        let (first, last) = (samples[0], samples[samples.count - 1])
        return (last.integral - first.integral) / (last.u - first.u)
    }

    /// The plot as an SVG document, in pixels.
    ///
    /// Letters are drawn as outlines, so the plot looks the same everywhere. The title and the captions are also
    /// included as text, in `<title>` and `<desc>`, for search and screen readers.
    ///
    /// - Throws: `PlotError` with `.invalidSize` below 320x240 or above 16384 pixels a side, or
    ///   `.drawing` if Cairo fails.
    public func svg(width: Int = 960, height: Int = 600) throws -> String {
        try page.svg(width: width, height: height)
    }

    /// The plot as a PNG file with `width` by `height` pixels.
    ///
    /// - Throws: `PlotError` with `.invalidSize` below 320x240 or above 16384 pixels a side, or
    ///   `.drawing` if Cairo fails.
    public func png(width: Int, height: Int) throws -> [UInt8] {
        try page.png(width: width, height: height)
    }
}

// MARK: - Page

extension CurvePlot {
    /// The duration of the output in seconds: as given, or from the average of s.
    var expectedDuration: Double? {
        outputDuration ?? sourceDuration.map { $0 * average }
    }

    var captions: [PlotPage.Caption] {
        [
            PlotPage.Caption(name: "Minimum s", shortName: "Min. s", scale: minimum),
            PlotPage.Caption(name: "Maximum s", shortName: "Max. s", scale: maximum),
            PlotPage.Caption(name: "Average s", shortName: "Mean s", scale: average),
        ] + (sourceDuration.map { [.source($0)] } ?? [])
            + (expectedDuration.map { [.expected($0, source: sourceDuration)] } ?? [])
    }

    private var page: PlotPage {
        let isTimed = sourceDuration != nil
        let unit = sourceDuration ?? 1
        let integrals = samples.lazy.map(\.integral)
        let scale = PlotScale.timeScale(minimum: minimum, maximum: maximum)
        let suffix = scale.kind == .logarithmic ? ", logarithmic" : ""
        return PlotPage(
            title: title, subject: "Time scale s over source time.", captions: captions,
            across: .init(
                name: "source time", scale: PlotScale(from: 0, to: unit), isTimed: isTimed),
            upwards: .init(
                name: "output time",
                scale: .outputTime(
                    highest: (integrals.max() ?? 0) * unit, lowest: (integrals.min() ?? 0) * unit,
                    sourceDuration: unit), isTimed: isTimed),
            rateScale: scale,
            rateTitles: [
                "time scale s, output s per source s" + suffix, "time scale s" + suffix,
                "time scale s", "s",
            ],
            bands: [
                .init(word: "slower", colour: PlotColour.slower, lower: 1),
                .init(word: "faster", colour: PlotColour.faster, upper: 1),
            ],
            marks: [.init(rate: 1, label: "normal speed, s = 1")],
            rates: samples.map { .init(x: $0.u * unit, y: $0.scale) },
            times: samples.map { .init(x: $0.u * unit, y: $0.integral * unit) },
            legend: "dashed: as long as the source")
    }
}

extension PlotPage.Caption {
    fileprivate init(name: String, shortName: String, scale: Double) {
        let value = PlotText.number(scale)
        let speed = scale > 0 ? "\(PlotText.number(1 / scale))× speed" : "skips"
        self.init(
            name: name, shortName: shortName, value: value,
            note: value == "1" ? "normal speed" : speed)
    }
}

// MARK: - Checks

extension CurvePlot {
    private static func check(_ duration: Double?, named name: String) throws {
        guard let duration else { return }
        guard PlotPage.canShow(duration), duration > 0 else {
            throw PlotError(
                .invalidData,
                "The \(name) of a plot must be above 0 s and at most 1e9 s, not \(duration) s.")
        }
    }

    private static func check(_ samples: [Sample]) throws {
        guard let first = samples.first, let last = samples.last, first.u < last.u else {
            throw PlotError(.invalidData, "A plot needs samples at two or more source times.")
        }
        var before = 0.0
        for sample in samples {
            guard PlotPage.canShow(sample.u), PlotPage.canShow(sample.scale),
                PlotPage.canShow(sample.integral)
            else {
                throw PlotError(
                    .invalidData,
                    "The curve cannot be plotted at u = \(sample.u): s is \(sample.scale) and its "
                        + "integral \(sample.integral); a plot shows numbers up to 1e9.")
            }
            guard sample.u >= before, sample.u <= 1 else {
                throw PlotError(
                    .invalidData,
                    "A plot's samples must be in order from u = 0 to 1, but \(sample.u) comes "
                        + "after \(before).")
            }
            before = sample.u
        }
    }
}
