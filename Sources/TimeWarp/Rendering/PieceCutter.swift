import DequeModule
import Foundation
import Media

/// A stretch of a track that is decoded and encoded by itself.
struct Piece: Sendable {
    /// The turns it shows, with the neighbours that mixing needs.
    let visits: [FrameVisit]
    let part: TrackPart
}

/// Cuts what a map shows into pieces, in order: about as long as wanted, and where a group of pictures
/// begins if there is such a place near by, so that no group is decoded twice.
///
/// ```
/// groups    │I p p p│I p p p│I p p p│I p p p│       wanted length 10, so 8 to 12
/// pieces    └───────────────┴────────────────
/// ```
/// The same visits and length give the same pieces, whoever asks for them when.
struct PieceCutter {
    private var visits: any IteratorProtocol<FrameVisit>
    private var ahead = Deque<FrameVisit>()
    private var previous: FrameVisit?
    private let index: PacketIndex
    private let length: Int64
    /// Nil for a variable rate.
    private var grid: TickGrid?
    private var isFirst = true

    /// - Parameter length: frames that a piece should have.
    init(
        _ plan: RenderPlan, _ track: RenderPlan.VideoTrack, index: PacketIndex, length: Int64
    ) {
        self.index = index
        self.length = length
        visits = plan.neededVisits(of: track, index.times)
        grid = plan.grid(of: track, index.times)
    }

    /// Turns left out so far because no frame shows them.
    var turnsLeftOut: Int64 {
        (visits as? ShownVisits)?.leftOut ?? 0
    }

    /// The next piece, or nil after the last.
    mutating func next() -> Piece? {
        guard fill(upTo: 1) else {
            return nil
        }
        let before = previous
        var own: [FrameVisit] = []
        var frames: Int64 = 0
        var ticks: Range<Int64>?
        repeat {
            let visit = ahead.removeFirst()
            let following = fill(upTo: 1) ? ahead[0] : nil
            own.append(visit)
            if let turn = grid?.assignment.turn(
                from: visit.start.seconds, until: following?.start.seconds, visit.direction)
            {
                ticks = (ticks?.lowerBound ?? turn.ticks.lowerBound)..<turn.ticks.upperBound
                frames += Int64(turn.ticks.count)
            } else {
                frames += 1
            }
        } while !ahead.isEmpty && !isCut(after: own[own.count - 1], frames)
        previous = own.last
        defer { isFirst = false }
        let part = TrackPart(
            ticks: ticks ?? 0..<0, isFirst: isFirst, endTick: ahead.first?.start.tick,
            isLast: ahead.isEmpty,
            own: own[0].start.seconds..<(ahead.first?.start.seconds ?? .infinity))
        return Piece(visits: withNeighbours(own, before, part), part: part)
    }

    private func isCut(after visit: FrameVisit, _ frames: Int64) -> Bool {
        guard let following = ahead.first, frames * 4 >= length * 3,
            grid != nil || following.start.tick > visit.start.tick
        else {
            return false
        }
        let beginsGroup =
            index.group(ofPicture: following.picture) != index.group(ofPicture: visit.picture)
        return beginsGroup || frames * 4 >= length * 5
    }

    /// A mixture may need the picture before, and all that are shown before its last tick is over.
    private mutating func withNeighbours(
        _ own: [FrameVisit], _ before: FrameVisit?, _ part: TrackPart
    ) -> [FrameVisit] {
        guard let grid, grid.mixes else {
            return own
        }
        let end = Double(part.ticks.upperBound + 1) * grid.secondsPerTick + grid.offset
        var count = 0
        while fill(upTo: count + 1), count == 0 || ahead[count].start.seconds < end {
            count += 1
        }
        return [before].compactMap { $0 } + own + ahead.prefix(count)
    }

    private mutating func fill(upTo count: Int) -> Bool {
        while ahead.count < count {
            guard let visit = visits.next() else {
                return false
            }
            ahead.append(visit)
        }
        return true
    }
}
