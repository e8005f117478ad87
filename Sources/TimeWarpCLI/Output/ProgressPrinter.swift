import ArgumentParser
import Foundation
import Plotting
import TimeWarp

/// How progress is shown.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
    case auto, bar, json, none

    /// Whether lines for people belong on stderr beside it.
    var showsText: Bool { self == .auto || self == .bar }
}

/// Shows the progress of a render on stderr.
struct ProgressPrinter {
    private let style: ProgressStyle
    private var hasBar = false

    init(_ style: ProgressStyle) {
        switch style {
        case .auto where Message.isForPrograms: self.style = .json
        case .auto: self.style = StandardError.isTerminal ? .bar : .none
        default: self.style = style
        }
    }

    mutating func show(_ event: RenderEvent) {
        switch (event, style) {
        case (.progress(let progress), .bar):
            StandardError.write("\r\u{1B}[K" + Self.bar(progress))
            hasBar = true
        case (.progress(let progress), .json):
            Message.progress(progress)
        case (.finished(let report), .json):
            Message.finished(report)
        case (.finished(let report), .bar):
            StandardError.write(hasBar ? "\r\u{1B}[K" : "")
            StandardError.print(Self.summary(report))
        default:
            break
        }
    }

    static func bar(_ progress: RenderProgress) -> String {
        let width = 30
        let filled = Int(progress.fraction * Double(width))
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let percent = String(format: "%3.0f %%", progress.fraction * 100)
        let rate =
            progress.frames > 0 ? String(format: "  %.0f frames/s", progress.framesPerSecond) : ""
        let left = progress.remainingSeconds.map { "  " + Clock.text($0) + " left" } ?? ""
        return "\(bar) \(percent)\(rate)\(left)"
    }

    private static func summary(_ report: RenderReport) -> String {
        let duration = NumberText.seconds(report.outputDurationSeconds)
        let frames = report.video.first.map { ", \($0.framesWritten) frames" } ?? ""
        return "\(report.output): \(duration)\(frames), "
            + "in \(Clock.text(report.wallSeconds))"
    }
}

/// Durations formatted for people.
enum Clock {
    static func text(_ seconds: Double) -> String {
        guard seconds >= 60 else {
            return String(format: seconds < 10 ? "%.1f s" : "%.0f s", seconds)
        }
        return PlotText.clock(seconds)
    }
}
