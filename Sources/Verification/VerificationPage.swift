import Foundation
import Plotting

extension VerificationReport {
    /// The report as one HTML file that needs no other files: the verdict, the faults, the figures, and charts
    /// of the errors over time.
    ///
    /// - Throws: ``PlotError`` when a chart can't be drawn.
    public func page() throws -> String {
        let charts = try self.charts()
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(Self.escaped(verdict)): \(Self.escaped(output))</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto;
                   padding: 0 1rem; color: #1b1d22; background: #fff }
            h1 { font-size: 1.5rem; border-left: .4rem solid \(isRight ? "#16794c" : "#b3261e");
                 padding-left: .7rem }
            table { border-collapse: collapse; margin: 1rem 0 }
            th, td { text-align: left; padding: .2rem 1.2rem .2rem 0; vertical-align: top }
            th { font-weight: 600 }
            td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
            figure { margin: 1.5rem 0 }
            img { max-width: 100%; height: auto }
            </style>
            <h1>\(Self.escaped(verdict))</h1>
            \(list(faults.map(\.sentence) + notes))
            \(table(rows))
            \(charts.map { "<figure>\($0)</figure>" }.joined(separator: "\n"))
            </html>

            """
    }

    /// The verdict in one short sentence without a full stop.
    public var verdict: String {
        isRight ? "The output matches its time map" : "The output doesn't match its time map"
    }

    /// The report as text: the verdict, faults, notes and figures, one per line.
    public var text: String {
        let width = rows.map(\.name.count).max() ?? 0
        let figures = rows.map {
            $0.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.value
        }
        let lines = [verdict + "."] + faults.map { "  wrong: \($0.sentence)" }
        return (lines + notes.map { "  note: \($0)" } + figures).joined(separator: "\n")
    }

    private typealias Row = (name: String, value: String)

    private var rows: [Row] {
        let ends = [offsetAtStartSeconds, offsetAtEndSeconds].map(Self.lag)
        return [
            ("source", source), ("output", output),
            (
                "duration",
                String(
                    format: "%.6f s, %.6f s expected, %+.3f ms", outputDurationSeconds,
                    expectedDurationSeconds, durationErrorSeconds * 1000)
            ), ("sound after video", "\(ends[0]) at the start, \(ends[1]) at the end"),
        ] + video.enumerated().flatMap(Self.rows) + sound.enumerated().flatMap(Self.rows)
    }

    private static func rows(_ number: Int, _ track: Video) -> [Row] {
        let name = "video" + (number > 0 ? " \(number + 1)" : "")
        return [
            (
                name,
                "\(track.frames) frames, \(track.framesExpected) expected: "
                    + "\(track.framesMissing) missing, \(track.framesExtra) too many"
            ),
            (
                "  times",
                String(
                    format: "errors of at most %.3f ms, %.3f ms RMS",
                    track.largestTimeErrorSeconds * 1000, track.rmsTimeErrorSeconds * 1000)
            ),
            (
                "  compared",
                "\(track.framesCompared) frames: \(track.framesIdentified) right, "
                    + "\(track.framesWrong) wrong, \(track.framesForeign) unlike the source, "
                    + "\(track.framesAlike) too like their neighbours to tell"
            ),
            ("  made", Self.text(track.kinds)),
            (
                "  difference",
                String(
                    format: "%.2f 8-bit steps RMS, of frames scaled to 64 × 64",
                    track.typicalDifference)
            ),
        ] + (track.oddestMade.isEmpty ? [] : [("  oddest made", Self.text(track.oddestMade))])
    }

    private static func text(_ kinds: FrameKinds) -> String {
        let identical = kinds.identical.map { " (\($0) bit for bit)" } ?? ""
        return "\(kinds.source) source frames\(identical), \(kinds.synthesised) made from motion, "
            + "\(kinds.blended) blended, \(kinds.held) held"
    }

    private static func text(_ frames: [MadeFrame]) -> String {
        frames.map { secondsText($0.atSeconds) + String(format: " (%.0f steps)", $0.oddity) }
            .joined(separator: ", ")
    }

    private static func rows(_ number: Int, _ track: Sound) -> [Row] {
        let name = "sound" + (number > 0 ? " \(number + 1)" : "")
        return [
            (
                name,
                counted(track.channels, "channel", ", ")
                    + "\(lag(track.lengthErrorSeconds)) from its expected duration"
            ),
            (
                "  windows",
                "\(track.windowsMatched) of \(track.windowsAudible) audible ones match the source; "
                    + String(format: "median correlation %.3f", track.correlation)
            ),
            (
                "  lag",
                track.lagSeconds == nil
                    ? "unknown: too little of the sound can be told apart"
                    : "\(lag(track.lagSeconds)); \(lag(track.lagAtStartSeconds)) at the start, "
                        + "\(lag(track.lagAtEndSeconds)) at the end, "
                        + "\(lag(track.largestLagSeconds)) the largest"
            ),
        ] + pitch(track)
    }

    private static func pitch(_ track: Sound) -> [Row] {
        guard let correlation = track.spectrumCorrelation else {
            return []
        }
        let cents = track.pitchErrorCents.map { String(format: "%+.1f cents", $0) } ?? "unknown"
        return [
            (
                "  pitch",
                "\(cents) from the source's; "
                    + String(format: "median correlation of frequencies %.3f", correlation)
            )
        ]
    }

    private static func lag(_ seconds: Double?) -> String {
        seconds.map { String(format: "%+.3f ms", $0 * 1000) } ?? "unknown"
    }

    // MARK: - Charts

    private func charts() throws -> [String] {
        let times = video.enumerated().map { number, track in
            ("Frame times against the map", "Track \(number + 1)", track.timeErrors)
        }
        let lags = sound.enumerated().map { number, track in
            ("Sound against the map", "Track \(number + 1)", track.lags)
        }
        return try [times, lags].compactMap { lines in
            let lines = lines.filter { !$0.2.isEmpty }.prefix(LineChart.mostSeries)
            guard let title = lines.first?.0 else {
                return nil
            }
            let chart = try LineChart(
                title: title, horizontal: .init("output time, s"),
                vertical: .init("too late, ms"),
                series: lines.map { _, name, points in
                    .init(name, points.map { .init(x: $0.atSeconds, y: $0.seconds * 1000) })
                })
            // Each chart is an image of its own: as parts of one page their glyphs would have the same names.
            let svg = Data(try chart.svg(width: 960, height: 360).utf8).base64EncodedString()
            return "<img alt=\"\(title)\" src=\"data:image/svg+xml;base64,\(svg)\">"
        }
    }

    // MARK: - HTML

    private func list(_ sentences: [String]) -> String {
        sentences.isEmpty
            ? "" : "<ul>" + sentences.map { "<li>\(Self.escaped($0))</li>" }.joined() + "</ul>"
    }

    private func table(_ rows: [Row]) -> String {
        "<table>"
            + rows.map {
                "<tr><th scope=\"row\">\(Self.escaped($0.name))</th><td>\(Self.escaped($0.value))</td></tr>"
            }.joined(separator: "\n") + "</table>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}
