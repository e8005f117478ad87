import DequeModule
import Foundation
import Media

/// Cuts a video track into chunks, in order. Each chunk gets an equal share of the work that is left, and ends where a
/// GOP starts if there is such a place near by, so that no GOP is decoded twice. It may have frames of several segments.
///
/// ```
/// segments  │A──────────────────│B──────│C─────────────│
/// chunks    │1       │2        3│3      │4     │5      │
/// ```
/// The same track and number of chunks always give the same chunks. A segment of black, and one of clips that are seen
/// through each other, isn't cut. Frames whose packets are kept are a run of their own, which costs nothing and belongs to
/// the chunk before.
struct ChunkCutter {
    private let segments: [VideoSegment]
    private let cutting: PieceCutting
    private var nextSegment = 0
    private var cutter: SegmentCutter?
    private var chunkCount = 0
    /// The work that is left.
    private var left: Int64 = 0
    /// What comes before isn't shown.
    private var firstTick: Int64 = 0
    /// How many presentations were dropped so far because no output frame shows them.
    private(set) var presentationsDropped: Int64 = 0

    /// - Complexity: O(frames), because the work is measured first; about a microsecond each.
    init(_ segments: [VideoSegment], _ cutting: PieceCutting) {
        var measuring = ChunkCutter(unmeasured: segments, cutting)
        self.init(unmeasured: segments, cutting)
        left = measuring.remainingCost()
    }

    /// Cuts what is shown from some tick on into runs, not into chunks.
    init(_ segments: [VideoSegment], from tick: Int64, _ cost: FrameCost) {
        self.init(unmeasured: segments, PieceCutting(count: 1, cost: cost))
        while nextSegment < segments.count, let ticks = segments[nextSegment].ticks,
            ticks.upperBound <= tick
        {
            nextSegment += 1
        }
        firstTick = tick
    }

    /// The next run, of about this many frames; nil after the last.
    mutating func nextRun(of frameCount: Int64) -> EncodedRun? {
        let cost = frameCount * cutting.cost.presenting(1, decoding: 1)
        return nextRun(in: ChunkRoom(cost: cost, slack: cost / 4))
    }

    private init(unmeasured segments: [VideoSegment], _ cutting: PieceCutting) {
        self.segments = segments
        self.cutting = cutting
    }

    /// The runs of the next chunk; nil after the last.
    mutating func next() -> Chunk? {
        let share = share
        var room = share
        var runs: [EncodedRun] = []
        var cost: Int64 = 0
        while room.isOpen(after: cost), let run = nextRun(in: room) {
            cost += run.cost
            room = share.less(cost)
            runs.append(run)
        }
        while isAtKept, let run = nextRun(in: room) {
            runs.append(run)
        }
        chunkCount += 1
        left -= cost
        return runs.isEmpty ? nil : Chunk(runs: runs, isLast: isAtEnd, cost: cost)
    }

    /// The next chunk's share of the work.
    private var share: ChunkRoom {
        let chunksLeft = cutting.count - chunkCount
        guard chunksLeft > 1 else {
            return ChunkRoom(cost: nil, slack: 0)
        }
        let cost = max(1, left / Int64(chunksLeft))
        return ChunkRoom(cost: cost, slack: cost / 4)
    }

    /// The work of all frames that weren't returned yet.
    private mutating func remainingCost() -> Int64 {
        // In steps, so that not all presentations are in memory at once.
        let step = ChunkRoom(cost: 100_000, slack: 0)
        var cost: Int64 = 0
        while let run = nextRun(in: step) {
            cost += run.cost
        }
        return cost
    }

    private var isAtEnd: Bool { nextSegment == segments.count && cutter?.isAtEnd ?? true }

    /// Whether the next run is one of packets that are kept.
    private var isAtKept: Bool {
        guard let cutter, !cutter.isAtEnd else {
            return nextSegment < segments.count
                && segments[nextSegment].frames?.kept.first?.presentations.lowerBound == 0
        }
        return cutter.isAtKept
    }

    private mutating func nextRun(in room: ChunkRoom) -> EncodedRun? {
        while true {
            if let run = cutter?.next(room) {
                return run
            }
            presentationsDropped += cutter?.presentationsDropped ?? 0
            cutter = nil
            guard nextSegment < segments.count else {
                return nil
            }
            let segment = segments[nextSegment]
            nextSegment += 1
            guard var cutter = SegmentCutter(segment, cutting.cost) else {
                return EncodedRun(all: segment, from: firstTick, cost: cutting.cost)
            }
            cutter.skip(to: firstTick - (segment.ticks?.lowerBound ?? 0))
            self.cutter = cutter
        }
    }
}

/// The part of a track that one encoder writes.
struct Chunk: Sendable {
    let runs: [EncodedRun]
    let isLast: Bool
    /// See ``FrameCost``.
    let cost: Int64
}

/// How much work a chunk may still get.
private struct ChunkRoom {
    /// Nil without a limit.
    let cost: Int64?
    /// How far from there a cut may be.
    let slack: Int64

    /// Whether more frames belong into the chunk that holds that much work.
    func isOpen(after spent: Int64) -> Bool {
        cost.map { spent == 0 || $0 > slack } ?? true
    }

    func less(_ spent: Int64) -> ChunkRoom {
        ChunkRoom(cost: cost.map { $0 - spent }, slack: slack)
    }

    /// Whether the chunk ends after that much work.
    ///
    /// - Parameters:
    ///   - beginsGroup: whether a GOP begins there.
    ///   - costToGroup: the work until the next place where one begins.
    func isFull(after spent: Int64, beginsGroup: Bool, costToGroup: Int64) -> Bool {
        guard let cost else {
            return false
        }
        if beginsGroup && spent >= cost - slack {
            // The start of the next group may be nearer to the wanted place.
            return spent + costToGroup / 2 >= cost
        }
        return spent >= cost && spent + costToGroup > cost + slack
    }
}

/// Divides the presentations of one segment into runs, in order.
///
/// ```
/// GOPs    │I p p p│I p p p│I p p p│I p p p│       wanted work 10, so 8 to 12
/// runs    └───────────────┴────────────────
/// ```
private struct SegmentCutter {
    private let frames: ClipFrames
    /// The segment's ticks on the track; nil if the segment is the whole track.
    private let place: Range<Int64>?
    private let presentations: NeededPresentations
    private var ahead = Deque<Presentation>()
    /// The last presentations of the runs before, as many as the next run needs.
    private var previous: [Presentation] = []
    private let index: PacketIndex
    /// The ticks of a fixed rate; nil for a variable rate.
    private var grid: TickGrid?
    private var isFirst = true
    private let cost: FrameCost
    /// The frame that was presented last; nil before the first.
    private var latestFrame: Int?
    /// The stretches of kept packets that are still to come.
    private var kept: ArraySlice<KeptStretch>
    /// How many presentations the runs so far have.
    private var presented = 0
    /// What comes before isn't shown.
    private var firstTick: Int64 = 0

    /// Nil for a black segment, and one of clips that are seen through each other.
    init?(_ segment: VideoSegment, _ cost: FrameCost) {
        guard let frames = segment.frames, let index = frames.index else {
            return nil
        }
        self.frames = frames
        self.index = index
        self.cost = cost
        kept = frames.kept[...]
        place = segment.ticks
        presentations = frames.neededPresentations(index.times)
        grid = frames.grid(index.times)
    }

    /// Passes over what isn't shown at a tick of the segment or later.
    mutating func skip(to tick: Int64) {
        guard tick > 0 else {
            return
        }
        firstTick = tick
        isFirst = false
        while fill(upTo: 2) {
            var passed = grid
            let isOver =
                passed?.assignment.assign(
                    from: ahead[0].start.seconds, until: ahead[1].start.seconds, ahead[0].direction
                ).ticks.upperBound ?? ahead[1].start.tick
            guard isOver <= tick else {
                return
            }
            grid = passed
            previous = (previous + [ahead.removeFirst()]).suffix(grid?.neighbourCount ?? 0)
            presented += 1
        }
    }

    /// Whether all runs were returned. Only known after the first run.
    var isAtEnd: Bool { !isFirst && ahead.isEmpty }

    /// Whether the next presentation is the first of some whose packets are kept.
    var isAtKept: Bool { kept.first?.presentations.lowerBound == presented }

    /// How many presentations were dropped so far because no output frame shows them.
    var presentationsDropped: Int64 { presentations.dropped }

    /// The next run, or nil after the last.
    ///
    /// - Parameter room: how much work it should be.
    mutating func next(_ room: ChunkRoom) -> EncodedRun? {
        guard fill(upTo: 1) else {
            // A segment without any frame is filled with black.
            defer { isFirst = false }
            return isFirst ? place.map { emptyRun(at: $0) } : nil
        }
        let stretch = isAtKept ? kept.popFirst() : nil
        let before = previous
        var own: [Presentation] = []
        var spent: Int64 = 0
        var shown: Range<Int64>?
        repeat {
            let presentation = ahead.removeFirst()
            let following = fill(upTo: 1) ? ahead[0] : nil
            own.append(presentation)
            presented += 1
            if let assigned = grid?.assignment.assign(
                from: presentation.start.seconds, until: following?.start.seconds,
                presentation.direction)
            {
                shown = (shown?.lowerBound ?? assigned.ticks.lowerBound)..<assigned.ticks.upperBound
                spent += spend(on: presentation, shownFor: Int64(assigned.ticks.count))
            } else {
                spent += spend(on: presentation, shownFor: 1)
            }
        } while !ahead.isEmpty && !isCut(after: own, spent, of: room, stretch)
        previous = Array((previous + own).suffix(grid?.neighbourCount ?? 0))
        defer { isFirst = false }
        let ticks = bounded(shown.map { $0.clamped(to: firstTick..<max(firstTick, $0.upperBound)) })
        let part = RunBounds(
            ticks: grid == nil ? 0..<0 : ticks, isFirst: isFirst && place == nil,
            endTick: ahead.first?.start.tick ?? place.map { Int64($0.count) },
            own: own[0].start.seconds..<(ahead.first?.start.seconds ?? .infinity))
        return EncodedRun(
            frames: frames, part: part,
            presentations: stretch == nil ? withNeighbours(own, before, part) : own,
            kept: stretch, cost: stretch == nil ? spent : 0,
            place: place.map { place in
                let first =
                    grid == nil ? max(own[0].start.tick, firstTick) : ticks.lowerBound
                let end = grid == nil ? part.endTick ?? 0 : ticks.upperBound
                return EncodedRun.Place(
                    offset: place.lowerBound,
                    ticks: place.lowerBound + (isFirst ? 0 : first)..<place.lowerBound
                        + max(first, end))
            })
    }

    /// The first run starts where the segment starts, even if its first frame comes later. The last run ends where
    /// the segment ends.
    private func bounded(_ ticks: Range<Int64>?) -> Range<Int64> {
        let ticks = ticks ?? 0..<0
        guard let place else {
            return ticks
        }
        let first = isFirst ? 0 : ticks.lowerBound
        return first..<max(first, ahead.isEmpty ? Int64(place.count) : ticks.upperBound)
    }

    private func emptyRun(at place: Range<Int64>) -> EncodedRun {
        EncodedRun(all: VideoSegment(ticks: place, source: nil), cost: cost)
    }

    /// - Parameter stretch: the one whose packets are kept; nil if frames are encoded.
    private func isCut(
        after own: [Presentation], _ spent: Int64, of room: ChunkRoom, _ stretch: KeptStretch?
    ) -> Bool {
        guard stretch == nil, !isAtKept else {
            return stretch.map { presented == $0.presentations.upperBound } ?? true
        }
        guard let following = ahead.first, let presentation = own.last,
            grid != nil || following.start.tick > presentation.start.tick
        else {
            return false
        }
        let group = index.group(ofFrame: following.frame)
        let frames = index.groups[group].frames
        let toGroup =
            following.direction == .backward
            ? following.frame - frames.lowerBound + 1 : frames.upperBound - following.frame
        return room.isFull(
            after: spent, beginsGroup: group != index.group(ofFrame: presentation.frame),
            costToGroup: Int64(toGroup) * max(1, spent / Int64(own.count)))
    }

    private mutating func spend(on presentation: Presentation, shownFor count: Int64) -> Int64 {
        let frame = presentation.frame
        let group = index.groups[index.group(ofFrame: frame)].frames
        let passed = latestFrame.map { abs(frame - $0) } ?? 1
        latestFrame = frame
        return cost.presenting(count, decoding: min(passed, group.count))
    }

    /// Blending may need the frames before, all frames presented before the end of the last tick, and some after them.
    private mutating func withNeighbours(
        _ own: [Presentation], _ before: [Presentation], _ part: RunBounds
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
