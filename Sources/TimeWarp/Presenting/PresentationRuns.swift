import DequeModule
import Media

/// Divides the presentations of a map into runs whose frames are decoded together.
///
/// A rising run is decoded while it is shown, however long it is. The frames of any other run are decoded first, in
/// increasing order, and stored. Such a run has as many presentations as fit into its share of memory, and is cut where
/// a GOP starts, so that no GOP is decoded twice. If a single GOP is larger, the run has all of that GOP.
final class PresentationRuns {
    enum Run {
        /// A rising run; ``nextRising()`` returns its presentations.
        case rising
        case stored([Presentation])
    }
    private var presentations: any IteratorProtocol<Presentation>
    private var ahead = Deque<Presentation>()
    private let index: PacketIndex
    /// How many frames fit into the share of memory.
    private let capacity: Int
    private var lastRisen = -1

    /// - Parameter capacity: how many frames a stored run may hold, unless a single GOP is larger.
    init(
        _ presentations: some IteratorProtocol<Presentation>, index: PacketIndex, capacity: Int
    ) {
        self.presentations = presentations
        self.index = index
        self.capacity = max(1, capacity)
    }

    /// The next run, or nil after the last. Presentations of a rising run that weren't taken come again.
    func next() -> Run? {
        guard fill(upTo: 1) else {
            return nil
        }
        var frames = Set<Int>()
        var count = 0
        var beginningOfGroup = 0
        var rises = true
        while fill(upTo: count + 1) {
            let presentation = ahead[count]
            if count > 0 {
                let before = ahead[count - 1].frame
                rises = rises && presentation.frame > before
                if index.group(ofFrame: presentation.frame) != index.group(ofFrame: before) {
                    beginningOfGroup = count
                }
            }
            if frames.count >= capacity, !frames.contains(presentation.frame) {
                if rises {
                    break
                }
                if beginningOfGroup > 0 {
                    count = beginningOfGroup
                    break
                }
            }
            frames.insert(presentation.frame)
            count += 1
        }
        if rises {
            lastRisen = -1
            return .rising
        }
        let run = Array(ahead.prefix(count))
        ahead.removeFirst(count)
        return .stored(run)
    }

    /// The next presentation of a rising run, or nil at its end.
    func nextRising() -> Presentation? {
        guard fill(upTo: 1), ahead[0].frame > lastRisen else {
            return nil
        }
        lastRisen = ahead[0].frame
        return ahead.removeFirst()
    }

    /// Divides a falling run into three parts if the disk has no room for it. Each part is decoded from the GOP's
    /// start, so the GOP is decoded about twice.
    ///
    /// - Parameter room: how many frames the disk has room for. One part is shown while the next is decoded.
    static func parts(of presentations: [Presentation], room: Int) -> [[Presentation]] {
        let length = (presentations.count + 2) / 3
        let falls = zip(presentations, presentations.dropFirst()).allSatisfy {
            $0.frame > $1.frame
        }
        guard presentations.count > room, 2 * length <= room, falls else {
            return [presentations]
        }
        return stride(from: 0, to: presentations.count, by: length).map {
            Array(presentations[$0..<min($0 + length, presentations.count)])
        }
    }

    private func fill(upTo count: Int) -> Bool {
        while ahead.count < count {
            guard let presentation = presentations.next() else {
                return false
            }
            ahead.append(presentation)
        }
        return true
    }
}
