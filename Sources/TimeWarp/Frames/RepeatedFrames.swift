import DequeModule
import Media
import TimeMaps

/// Source frames that show the same as the frame before: animation drawn "on twos", film in a 30 Hz video, a recording
/// whose camera was slower than its file.
///
/// ```
/// source     A  a  B  b  C  c  D      two frames each
/// motion     A  a  ·  ·  B  b  ·      between all: stands still, then hurries
/// skipped    A  ·  ·  ·  B  ·  ·      between distinct ones: even
/// ```
enum RepeatedFrames {
    /// No part of a repeated frame differs by more than this, in 8-bit steps: the mean of a cell of 8×8 samples. What
    /// an encoder adds to a repeated frame is up to 8.2 (x264 at a constant rate factor of 28). In slow movement it was
    /// 10 or more, or else all of the frame differed.
    private static let largestCellDifference = 9
    /// All of a repeated frame differs by less than this on average, in 8-bit steps: up to 0.5 by an encoder (same
    /// measurement), and 1.4 or more where grain moves.
    private static let meanDifference = 0.65

    /// Whether two frames show the same, apart from what an encoder adds.
    ///
    /// - Complexity: O(n) for n samples of luma, about 0.3 ns each.
    static func showSame(_ one: Frame, _ other: Frame) -> Bool {
        guard one.canMix(with: other), let components = FrameComponents(one.pixelFormat) else {
            return false
        }
        var rows = (LumaRow(components, of: one), LumaRow(components, of: other))
        let (cell, cells) = (LumaRow.cell, rows.0.cells)
        var total = 0
        for top in stride(from: 0, to: one.height, by: cell) {
            var sums = [Lanes](repeating: .zero, count: cells)
            for row in top..<min(top + cell, one.height) {
                rows.0.read(row)
                rows.1.read(row)
                for x in 0..<cells {
                    sums[x] &+= rows.0.lanes(x).distance(to: rows.1.lanes(x))
                }
            }
            for sum in sums.lazy.map({ $0.sum() }) {
                guard sum <= largestCellDifference * cell * cell else {
                    return false
                }
                total += sum
            }
        }
        return Double(total) <= meanDifference * Double(one.width * one.height)
    }
}

/// One row after another of a frame's luma, or of its green, in 8-bit steps.
private struct LumaRow {
    static let cell = Lanes.scalarCount

    private let frame: Frame
    private let components: FrameComponents
    private var words: [UInt16]
    private var bytes: [UInt8]
    private var steps: [Int16]

    init(_ components: FrameComponents, of frame: Frame) {
        (self.frame, self.components) = (frame, components)
        let padded = (frame.width + Self.cell - 1) / Self.cell * Self.cell
        words = [UInt16](repeating: 0, count: components.depth > 8 ? frame.width : 0)
        bytes = [UInt8](repeating: 0, count: components.depth > 8 ? 0 : frame.width)
        steps = [Int16](repeating: 0, count: padded)
    }

    /// How many cells of eight samples a row has.
    var cells: Int { steps.count / Self.cell }

    mutating func read(_ row: Int) {
        let component = components.isRGB ? 1 : 0
        let shift = UInt16(components.depth - 8)
        if components.depth > 8 {
            components.read(component, row: row, of: frame, count: frame.width, into: &words)
            for x in words.indices {
                steps[x] = Int16(truncatingIfNeeded: words[x] &>> shift)
            }
        } else {
            components.read(component, row: row, of: frame, count: frame.width, into: &bytes)
            for x in bytes.indices {
                steps[x] = Int16(bytes[x])
            }
        }
    }

    func lanes(_ cell: Int) -> Lanes {
        steps.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: cell * Self.cell * 2, as: Lanes.self)
        }
    }
}

/// The frames of a clip as they are presented, without those that repeat the one before: that one is shown for as long
/// as both. In backward playback too, the frame that comes first in the source is shown.
struct DistinctFrames {
    private var ahead = Deque<(frame: PresentedFrame, isRepeat: Bool)>()
    private var lastRead: PresentedFrame?
    private var isInLongRun = false

    /// The next frame, or nil after the last. Runs of more than four frames are kept.
    ///
    /// - Parameter read: returns one frame after another in the order of presentation, and nil after the last.
    mutating func next(_ read: () throws -> PresentedFrame?) throws -> PresentedFrame? {
        guard try fill(upTo: 1, read) else {
            return nil
        }
        let first = ahead.removeFirst()
        if isInLongRun, first.isRepeat {
            return first.frame
        }
        isInLongRun = false
        var count = 0
        while try fill(upTo: count + 1, read), ahead[count].isRepeat {
            count += 1
            if count == RenderSettings.Video.longestRepeatedRun {
                isInLongRun = true
                return first.frame
            }
        }
        defer { ahead.removeFirst(count) }
        return count == 0 ? first.frame : first.frame.merged(with: ahead[count - 1].frame, count)
    }

    private mutating func fill(
        upTo count: Int, _ read: () throws -> PresentedFrame?
    ) throws -> Bool {
        while ahead.count < count {
            guard let frame = try read() else {
                return false
            }
            ahead.append((frame, lastRead.map(frame.repeats) ?? false))
            lastRead = frame
        }
        return true
    }
}

/// Counts repeated frames in runs that ``DistinctFrames`` would make one frame of.
struct RepeatCounter {
    private var last: PresentedFrame?
    private var run = 1
    private(set) var count: Int64 = 0

    /// Counts the run that this frame ends, if it ends one.
    mutating func add(_ frame: PresentedFrame) {
        defer { last = frame }
        if let last, frame.repeats(last) {
            run += 1
            return
        }
        count += run <= RenderSettings.Video.longestRepeatedRun ? Int64(run - 1) : 0
        run = 1
    }
}

extension PresentedFrame {
    /// Whether this frame shows the same as the one presented before it, of which it is a neighbour in the source.
    fileprivate func repeats(_ before: PresentedFrame) -> Bool {
        continues(before) && RepeatedFrames.showSame(frame, before.frame)
    }

    /// One frame in place of several that show the same.
    ///
    /// - Parameters:
    ///   - last: the one that is presented last.
    ///   - count: how many there are after this one.
    fileprivate func merged(with last: PresentedFrame, _ count: Int) -> PresentedFrame {
        let isBackward = direction == .backward
        return PresentedFrame(
            frame: isBackward ? last.frame : frame, direction: direction, start: start,
            end: last.end, sourceStart: isBackward ? last.sourceStart : sourceStart,
            sourceEnd: isBackward ? sourceEnd : last.sourceEnd, repeats: count)
    }
}
