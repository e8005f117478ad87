/// What a plot of a time scale shows, however the curve was computed.
///
/// The main picture is the time scale s(u) over the source; beneath it, the output time that each
/// source time lands at. Equal plots give equal bytes on one system; the letters' shapes come from
/// the system's sans-serif font.
public struct CurvePlot: Sendable {
    /// The curve at one instant.
    public struct Sample: Hashable, Sendable, Codable {
        /// Source time on [0, 1].
        public var u: Double
        /// The time scale s(u), in output seconds per source second.
        public var scale: Double
        /// F(u), the integral of s from 0 to u.
        public var integral: Double

        /// The scale and its integral at a place.
        public init(u: Double, scale: Double, integral: Double) {
            self.u = u
            self.scale = scale
            self.integral = integral
        }
    }

    /// One line, without control characters.
    public let title: String
    /// At least two, with rising `u`. Two at the same `u` are a jump.
    public let samples: [Sample]
    /// Seconds, or `nil` if the plot is of a curve without a clip: times are then shown as shares
    /// of the clip.
    public let sourceDuration: Double?
    /// The expected duration of the output in seconds, or `nil` if it is not known.
    public let outputDuration: Double?
    /// The lowest time scale. It may lie between two samples.
    public let minimum: Double
    /// The highest time scale. It may lie between two samples.
    public let maximum: Double

    /// Checks the data; nothing is drawn yet. Linear in the number of samples.
    ///
    /// - Parameters:
    ///   - title: Any text. Control characters become spaces; what does not fit is cut when drawn.
    ///   - samples: The curve, in order of `u`; the plot is as exact as these are dense.
    ///   - sourceDuration: Seconds, above 0.
    ///   - outputDuration: Seconds, above 0. Without it, and with a source duration, the plot shows
    ///     the source duration times the average of s.
    ///   - minimum: The lowest s if it is known more exactly than from the samples.
    ///   - maximum: The highest s if it is known more exactly than from the samples.
    /// - Throws: `PlotError` with `.invalidData` for fewer than two samples, samples out of order
    ///   or outside of [0, 1], and numbers that are not finite or are above 1e9.
    public init(
        title: String, samples: [Sample], sourceDuration: Double? = nil,
        outputDuration: Double? = nil, minimum: Double? = nil, maximum: Double? = nil
    ) throws {
        try Self.check(samples)
        try Self.check(sourceDuration, named: "source duration")
        try Self.check(outputDuration, named: "output duration")
        for extreme in [minimum, maximum].compactMap({ $0 }) where !Self.canShow(extreme) {
            throw PlotError(.invalidData, "The curve's extreme \(extreme) cannot be plotted.")
        }
        let scales = samples.lazy.map(\.scale)
        self.title = PlotText.oneLine(title)
        self.samples = samples
        self.sourceDuration = sourceDuration
        self.outputDuration = outputDuration
        self.minimum = min(minimum ?? .infinity, scales.min() ?? .infinity)
        self.maximum = max(maximum ?? -.infinity, scales.max() ?? -.infinity)
    }

    /// The average of s over the samples, from the integral.
    public var average: Double {
        let (first, last) = (samples[0], samples[samples.count - 1])
        return (last.integral - first.integral) / (last.u - first.u)
    }

    /// The plot as an SVG document, in pixels.
    ///
    /// Letters are outlines, so it looks the same everywhere; the title and the captions are also
    /// there as text, in `<title>` and `<desc>`, for search and screen readers.
    ///
    /// - Throws: `PlotError` with `.invalidSize` below 320x240 or above 16384 pixels a side, or
    ///   `.drawing` if Cairo fails.
    public func svg(width: Int = 960, height: Int = 600) throws -> String {
        let content = PlotContent(of: self, layout: try PlotLayout(width: width, height: height))
        let layout = try PlotLayout(
            width: width, height: height, labelLength: content.labelLength)
        let surface = try CairoSurface.svg(width: width, height: height)
        PlotRenderer(content: content, layout: layout, surface: surface).draw()
        let document = String(decoding: try surface.finishedSVG(), as: UTF8.self)
        return SVGText.describing(
            SVGText.withoutSurfaceNumber(document), title: title, description: spokenCaptions)
    }

    /// The plot as a PNG file.
    ///
    /// - Throws: `PlotError` with `.invalidSize` below 320x240 or above 16384 pixels a side, or
    ///   `.drawing` if Cairo fails.
    public func png(width: Int, height: Int) throws -> [UInt8] {
        let content = PlotContent(of: self, layout: try PlotLayout(width: width, height: height))
        let layout = try PlotLayout(
            width: width, height: height, labelLength: content.labelLength)
        let surface = try CairoSurface.image(width: width, height: height)
        PlotRenderer(content: content, layout: layout, surface: surface).draw()
        return try surface.png()
    }
}

// MARK: - Captions

extension CurvePlot {
    /// A figure beside the plot: what it is, its value, and what that means.
    struct Caption: Hashable {
        var name: String
        /// For plots too narrow for the name.
        var shortName: String
        var value: String
        var note: String
    }

    /// Seconds: the output duration as given, or as the average makes it.
    var expectedDuration: Double? {
        outputDuration ?? sourceDuration.map { $0 * average }
    }

    var captions: [Caption] {
        var captions = [
            Caption(name: "Minimum s", shortName: "Min. s", scale: minimum),
            Caption(name: "Maximum s", shortName: "Max. s", scale: maximum),
            Caption(name: "Average s", shortName: "Mean s", scale: average),
        ]
        if let sourceDuration {
            captions.append(
                Caption(
                    name: "Source duration", shortName: "Source",
                    value: PlotText.duration(sourceDuration), note: ""))
        }
        if let expectedDuration {
            captions.append(
                Caption(
                    name: "Expected duration", shortName: "Expected",
                    value: PlotText.duration(expectedDuration),
                    note: sourceDuration.map { Self.change(from: $0, to: expectedDuration) } ?? ""))
        }
        return captions
    }

    private var spokenCaptions: String {
        let figures = captions.map { caption in
            let note = caption.note.isEmpty ? "" : " (\(caption.note))"
            return "\(caption.name): \(caption.value)\(note)"
        }
        return "Time scale s over source time. " + figures.joined(separator: "; ") + "."
    }

    private static func change(from source: Double, to output: Double) -> String {
        let difference = output - source
        guard abs(difference) >= 0.0005 else { return "unchanged" }
        return PlotText.duration(abs(difference)) + (difference > 0 ? " longer" : " shorter")
    }
}

extension CurvePlot.Caption {
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
    private static func canShow(_ value: Double) -> Bool {
        value.isFinite && abs(value) <= 1e9
    }

    private static func check(_ duration: Double?, named name: String) throws {
        guard let duration else { return }
        guard canShow(duration), duration > 0 else {
            throw PlotError(
                .invalidData,
                "The \(name) of a plot is above 0 s and at most 1e9 s, not \(duration).")
        }
    }

    private static func check(_ samples: [Sample]) throws {
        guard let first = samples.first, let last = samples.last, first.u < last.u else {
            throw PlotError(.invalidData, "A plot needs samples at two source times at least.")
        }
        var before = 0.0
        for sample in samples {
            guard canShow(sample.u), canShow(sample.scale), canShow(sample.integral) else {
                throw PlotError(
                    .invalidData,
                    "The curve cannot be plotted at u = \(sample.u): s is \(sample.scale), its "
                        + "integral \(sample.integral); a plot shows numbers up to 1e9.")
            }
            guard sample.u >= before, sample.u <= 1 else {
                throw PlotError(
                    .invalidData,
                    "A plot's samples rise from u = 0 to 1; \(sample.u) comes after \(before).")
            }
            before = sample.u
        }
    }
}
