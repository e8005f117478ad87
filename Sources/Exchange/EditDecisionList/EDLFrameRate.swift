import Media
import TimeMaps
import TimeWarp

/// What the lines of an edit decision list tell of the rate that its timecode counts in: lists don't say it, apart from those
/// written here.
struct EDLFrameRate {
    private let lines: [String]
    /// The last frame number in the list. The rate is above it, because events with others couldn't be read.
    let lastFrame: Int64
    /// The last frame number on the record's side. Sources may count at another rate.
    let lastRecordedFrame: Int64
    private let hasSemicolons: Bool

    init(of lines: [String]) {
        self.lines = lines
        let times = lines.filter(EDLFile.beginsEvent).map { line in
            line.split(whereSeparator: \.isWhitespace).suffix(4)
        }
        func last(_ times: [Substring]) -> Int64 {
            let frames = times.compactMap { FrameGrid.fields(ofTimecode: $0)?.last }
            return frames.filter { $0 < 120 }.max() ?? 0
        }
        lastFrame = last(times.flatMap { $0 })
        lastRecordedFrame = last(times.flatMap { $0.suffix(2) })
        hasSemicolons = times.joined().contains {
            $0.contains(";") && FrameGrid.fields(ofTimecode: $0) != nil
        }
    }

    /// Whether a rate has all frames of the list.
    func fits(_ rate: FrameRate) -> Bool { FrameGrid(rate).timecodeRate > lastFrame }

    /// The rate that lists say which were written here.
    var stated: FrameRate? {
        let comment = lines.first { $0.uppercased().hasPrefix(EDLWriter.rateComment) }
        let text = comment?.dropFirst(EDLWriter.rateComment.count).trimmed
        guard case .fixed(let rate)? = text.flatMap({ RenderSettings.OutputRate(parsing: $0) })
        else {
            return nil
        }
        return rate
    }

    /// The rate of a list whose numbers are dropped; nil for others.
    var dropping: FrameRate? {
        guard hasSemicolons || lines.contains(where: { EDLFile.dropping($0) == true })
        else {
            return nil
        }
        let rates = [30, 60, 120].map { FrameRate(known: $0 * 1000, over: 1001) }
        return rates.first(where: fits) ?? rates[2]
    }

    /// The rate that is likely if nothing says it: the lowest usual one that has all frames.
    var likely: FrameRate {
        let usual = [24, 25, 30, 50, 60].map { FrameRate(known: $0) }.filter(fits)
        // No transition is longer than its event.
        let possible = usual.map { ($0, EDLFile(lines, on: FrameGrid($0)).events) }.filter {
            $1.allSatisfy { $0.transitionFrames <= $0.record.count || $0.record.isEmpty }
        }
        let rate = (possible.first(where: Self.hasNormalSpeed) ?? possible.first)?.0
        return rate ?? usual.first ?? FrameRate(known: 120)
    }

    /// Whether an event of a short list plays backwards as much as it records, at this many source frames a second. In a longer
    /// list, timecode of that rate would have higher frame numbers.
    private static func hasNormalSpeed(_ rate: FrameRate, _ events: [EDLEvent]) -> Bool {
        let grid = FrameGrid(rate)
        return events.count <= 5
            && events.contains { event in
                guard let first = event.source.in.frames(on: grid),
                    let last = event.source.out.frames(on: grid)
                else {
                    return false
                }
                return event.speed?.framesPerSecond == -Double(grid.timecodeRate)
                    && last - first == Int64(event.record.count)
            }
    }
}
