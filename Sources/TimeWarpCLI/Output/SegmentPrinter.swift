import Stories
import StoryBuilding
import Synchronization
import TimeWarp

/// Shows on stderr which segment of a story is being rendered, and its progress.
final class SegmentPrinter: Sendable {
    private let style: ProgressStyle
    private let hasBar = Mutex(false)

    /// One line of `--progress json`.
    private struct Line: Encodable {
        let segment: String
        let number: Int
        let count: Int
        let fraction: Double
    }

    init(_ style: ProgressStyle) {
        self.style = style == .auto ? (StandardError.isTerminal ? .bar : .none) : style
    }

    func show(_ progress: StoryBuilder.Progress) {
        switch style {
        case .bar:
            let bar = ProgressPrinter.bar(progress.render)
            StandardError.write(
                "\r\u{1B}[K\(progress.number)/\(progress.count) \(progress.name)  \(bar)")
            hasBar.withLock { $0 = true }
        case .json:
            let line = Line(
                segment: progress.name, number: progress.number, count: progress.count,
                fraction: progress.render.fraction)
            if let text = try? JSONOutput.line(line) {
                StandardError.print(text)
            }
        case .auto, .none:
            break
        }
    }

    /// Erases the progress bar.
    func finish() {
        let hadBar = hasBar.withLock { hasBar in
            defer { hasBar = false }
            return hasBar
        }
        if hadBar {
            StandardError.write("\r\u{1B}[K")
        }
    }
}
