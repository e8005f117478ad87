import DequeModule
import Foundation
import Media

/// Cuts a video track into chunks, in order. A chunk is about as long as wanted, and ends where a GOP starts if there
/// is such a place near by, so that no GOP is decoded twice. It may have frames of several segments.
///
/// ```
/// segments  │A──────────────────│B──────│C─────────────│
/// chunks    │1       │2        3│3      │4     │5      │
/// ```
/// The same track and length always give the same chunks.
struct ChunkCutter {
    private let segments: [VideoSegment]
    private let length: Int64
    private var nextSegment = 0
    private var cutter: SegmentCutter?
    /// How many presentations were dropped so far because no output frame shows them.
    private(set) var presentationsDropped: Int64 = 0

    /// - Parameter length: how many frames a chunk should have.
    init(_ segments: [VideoSegment], length: Int64) {
        self.segments = segments
        self.length = length
    }

    /// The runs of the next chunk; nil after the last.
    mutating func next() -> Chunk? {
        var runs: [FrameRun] = []
        var count: Int64 = 0
        while count * 4 < length * 3, let run = nextRun(of: length - count) {
            count += run.count
            runs.append(run)
        }
        return runs.isEmpty ? nil : Chunk(runs: runs, isLast: isAtEnd)
    }

    private var isAtEnd: Bool { nextSegment == segments.count && cutter?.isAtEnd ?? true }

    private mutating func nextRun(of length: Int64) -> FrameRun? {
        while true {
            if let run = cutter?.next(length) {
                return run
            }
            presentationsDropped += cutter?.presentationsDropped ?? 0
            cutter = nil
            guard nextSegment < segments.count else {
                return nil
            }
            let segment = segments[nextSegment]
            nextSegment += 1
            guard let cutter = SegmentCutter(segment) else {
                return FrameRun(all: segment)
            }
            self.cutter = cutter
        }
    }
}

/// The part of a track that one encoder writes.
struct Chunk: Sendable {
    let runs: [FrameRun]
    let isLast: Bool
}

/// Divides the presentations of one segment into runs, in order.
///
/// ```
/// GOPs    │I p p p│I p p p│I p p p│I p p p│       wanted length 10, so 8 to 12
/// runs    └───────────────┴────────────────
/// ```
private struct SegmentCutter {
    private let frames: ClipFrames
    /// The segment's ticks on the track; nil if the segment is the whole track.
    private let place: Range<Int64>?
    private var presentations: any IteratorProtocol<Presentation>
    private var ahead = Deque<Presentation>()
    /// The last presentations of the runs before, as many as the next run needs.
    private var previous: [Presentation] = []
    private let index: PacketIndex
    /// The ticks of a fixed rate; nil for a variable rate.
    private var grid: TickGrid?
    private var isFirst = true

    /// Nil for a black segment.
    init?(_ segment: VideoSegment) {
        guard let frames = segment.frames, let index = frames.index else {
            return nil
        }
        self.frames = frames
        self.index = index
        place = segment.ticks
        presentations = frames.neededPresentations(index.times)
        grid = frames.grid(index.times)
    }

    /// Whether all runs were returned. Only known after the first run.
    var isAtEnd: Bool { !isFirst && ahead.isEmpty }

    /// How many presentations were dropped so far because no output frame shows them.
    var presentationsDropped: Int64 {
        (presentations as? NeededPresentations)?.leftOut ?? 0
    }

    /// The next run, or nil after the last.
    ///
    /// - Parameter length: how many frames it should have.
    mutating func next(_ length: Int64) -> FrameRun? {
        guard fill(upTo: 1) else {
            // A segment without any frame is filled with black.
            defer { isFirst = false }
            return isFirst ? place.map { emptyRun(at: $0) } : nil
        }
        let before = previous
        var own: [Presentation] = []
        var count: Int64 = 0
        var shown: Range<Int64>?
        repeat {
            let presentation = ahead.removeFirst()
            let following = fill(upTo: 1) ? ahead[0] : nil
            own.append(presentation)
            if let assigned = grid?.assignment.assign(
                from: presentation.start.seconds, until: following?.start.seconds,
                presentation.direction)
            {
                shown = (shown?.lowerBound ?? assigned.ticks.lowerBound)..<assigned.ticks.upperBound
                count += Int64(assigned.ticks.count)
            } else {
                count += 1
            }
        } while !ahead.isEmpty && !isCut(after: own[own.count - 1], count, of: length)
        previous = Array((previous + own).suffix(grid?.neighbourCount ?? 0))
        defer { isFirst = false }
        let ticks = bounded(shown ?? 0..<0)
        let part = TrackRun(
            ticks: grid == nil ? 0..<0 : ticks, isFirst: isFirst && place == nil,
            endTick: ahead.first?.start.tick ?? place.map { Int64($0.count) },
            isLast: ahead.isEmpty && place == nil,
            own: own[0].start.seconds..<(ahead.first?.start.seconds ?? .infinity))
        return FrameRun(
            frames: frames, part: part, presentations: withNeighbours(own, before, part),
            count: count,
            place: place.map { place in
                let first = grid == nil ? own[0].start.tick : ticks.lowerBound
                let end = grid == nil ? part.endTick ?? 0 : ticks.upperBound
                return FrameRun.Place(
                    offset: place.lowerBound,
                    ticks: place.lowerBound + (isFirst ? 0 : first)..<place.lowerBound
                        + max(first, end))
            })
    }

    /// The first run starts where the segment starts, even if its first frame comes later. The last run ends where
    /// the segment ends.
    private func bounded(_ ticks: Range<Int64>) -> Range<Int64> {
        guard let place else {
            return ticks
        }
        let first = isFirst ? 0 : ticks.lowerBound
        return first..<max(first, ahead.isEmpty ? Int64(place.count) : ticks.upperBound)
    }

    private func emptyRun(at place: Range<Int64>) -> FrameRun {
        FrameRun(all: VideoSegment(ticks: place, source: nil))
    }

    private func isCut(after presentation: Presentation, _ frames: Int64, of length: Int64) -> Bool
    {
        guard let following = ahead.first, frames * 4 >= length * 3,
            grid != nil || following.start.tick > presentation.start.tick
        else {
            return false
        }
        let beginsGroup =
            index.group(ofFrame: following.frame) != index.group(ofFrame: presentation.frame)
        return beginsGroup || frames * 4 >= length * 5
    }

    /// Blending may need the frames before, all frames presented before the end of the last tick, and some after them.
    private mutating func withNeighbours(
        _ own: [Presentation], _ before: [Presentation], _ part: TrackRun
    ) -> [Presentation] {
        guard let grid, grid.neighbourCount > 0 else {
            return own
        }
        let end = Double(part.ticks.upperBound + 1) * grid.secondsPerTick + grid.offset
        var count = 0
        while fill(upTo: count + 1), ahead[count].start.seconds < end {
            count += 1
        }
        _ = fill(upTo: max(count, 1) + grid.neighbourCount - 1)
        count = min(max(count, 1) + grid.neighbourCount - 1, ahead.count)
        return before + own + ahead.prefix(count)
    }

    private mutating func fill(upTo count: Int) -> Bool {
        while ahead.count < count {
            guard let presentation = presentations.next() else {
                return false
            }
            ahead.append(presentation)
        }
        return true
    }
}
