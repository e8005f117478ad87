import DequeModule
import Media

/// Cuts the visits of a map into runs that are decoded together.
///
/// A run that only rises is decoded as it is shown, however long it is. Any other is decoded first,
/// rising, and kept: as many visits as fit into the share of memory, cut where a group of pictures
/// begins so that no group is decoded twice; or all that lie in one group, if that alone is larger.
final class PresentationRuns {
    enum Run {
        /// Handed out by ``nextRising()``.
        case rising
        case stored([Presentation])
    }
    private var presentations: any IteratorProtocol<Presentation>
    private var ahead = Deque<Presentation>()
    private let index: PacketIndex
    /// How many pictures fit into the share of memory.
    private let capacity: Int
    private var lastRisen = -1

    /// - Parameter capacity: pictures that a stored run may hold unless one group is larger.
    init(
        _ presentations: some IteratorProtocol<Presentation>, index: PacketIndex, capacity: Int
    ) {
        self.presentations = presentations
        self.index = index
        self.capacity = max(1, capacity)
    }

    /// The next run, or nil after the last. What was left of a rising one comes again.
    func next() -> Run? {
        guard fill(upTo: 1) else {
            return nil
        }
        var pictures = Set<Int>()
        var count = 0
        var beginningOfGroup = 0
        var rises = true
        while fill(upTo: count + 1) {
            let presentation = ahead[count]
            if count > 0 {
                let before = ahead[count - 1].picture
                rises = rises && presentation.picture > before
                if index.group(ofFrame: presentation.picture) != index.group(ofFrame: before) {
                    beginningOfGroup = count
                }
            }
            if pictures.count >= capacity, !pictures.contains(presentation.picture) {
                if rises {
                    break
                }
                if beginningOfGroup > 0 {
                    count = beginningOfGroup
                    break
                }
            }
            pictures.insert(presentation.picture)
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

    /// The next visit of a rising run, or nil where it ends.
    func nextRising() -> Presentation? {
        guard fill(upTo: 1), ahead[0].picture > lastRisen else {
            return nil
        }
        lastRisen = ahead[0].picture
        return ahead.removeFirst()
    }

    /// Three parts of a falling run that the disk has no room for, else one. Decoded from its start each
    /// time, a group is then decoded twice over.
    ///
    /// - Parameter room: pictures that there is room for. The next part is decoded while one is shown.
    static func parts(of presentations: [Presentation], room: Int) -> [[Presentation]] {
        let length = (presentations.count + 2) / 3
        let falls = zip(presentations, presentations.dropFirst()).allSatisfy {
            $0.picture > $1.picture
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
