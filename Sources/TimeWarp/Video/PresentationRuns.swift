import DequeModule
import Media

/// Divides the presentations of a map into runs that are decoded together.
///
/// A run that plays only forward is decoded in the order of presentation, however long it is. Any other run is
/// decoded forward first and stored. It has as many presentations as fit into its share of memory, and ends
/// where a GOP begins so that no GOP is decoded twice. If a single GOP is larger than that, the run has all
/// presentations of that GOP.
final class PresentationRuns {
    enum Run {
        /// A forward run, whose presentations ``nextRising()`` returns.
        case rising
        case stored([Presentation])
    }
    private var presentations: any IteratorProtocol<Presentation>
    private var ahead = Deque<Presentation>()
    private let index: PacketIndex
    /// How many frames fit into the share of memory.
    private let capacity: Int
    private var lastRisen = -1

    /// - Parameter capacity: the largest number of frames of a stored run, unless one GOP is larger.
    init(
        _ presentations: some IteratorProtocol<Presentation>, index: PacketIndex, capacity: Int
    ) {
        self.presentations = presentations
        self.index = index
        self.capacity = max(1, capacity)
    }

    /// The next run, or nil after the last. Presentations of a forward run that weren't read come again.
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

    /// The next presentation of a forward run, or nil at its end.
    func nextRising() -> Presentation? {
        guard fill(upTo: 1), ahead[0].picture > lastRisen else {
            return nil
        }
        lastRisen = ahead[0].picture
        return ahead.removeFirst()
    }

    /// Divides a backward run into three parts if the disk has no room for all of it; else returns it as one.
    /// The GOP is decoded from its start for each part, which is the work of decoding it twice.
    ///
    /// - Parameter room: how many frames there is room for. The next part is decoded while one is presented.
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
