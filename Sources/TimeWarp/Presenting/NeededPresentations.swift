/// The presentations needed to make output frames. At a fixed rate the others need not be decoded.
///
/// ```
/// source   A─B─C─D─E─F─G─H─I─J─K─L        faster than frames are shown
/// ticks    0     1     2     3            held: A D G J; blended: A B C D E F … with neighbours
/// ```
/// Dropping the others doesn't change the ticks of those that stay.
final class NeededPresentations: IteratorProtocol {
    private var presentations: Presentations
    private var ticks: TickAssignment?
    private let needsNeighbours: Bool
    private var current: Presentation?
    private var following: Presentation?
    private var wasShown = false
    private var isShown = false
    /// How many were dropped so far.
    private(set) var dropped: Int64 = 0

    /// - Parameter ticks: the output frames; nil if all presentations are needed, as by a shutter, which averages all
    ///   frames.
    init(_ presentations: Presentations, _ settings: RenderSettings, ticks: TickAssignment?) {
        self.presentations = presentations
        self.ticks = ticks
        needsNeighbours = settings.video.frames.usesNeighbours
        following = self.presentations.next()
        advance()
    }

    func next() -> Presentation? {
        while let presentation = current {
            let (isBeforeShown, isItselfShown) = (wasShown, isShown)
            advance()
            if isItselfShown || needsNeighbours && (isBeforeShown || isShown) {
                return presentation
            }
            dropped += 1
        }
        return nil
    }

    private func advance() {
        wasShown = isShown
        current = following
        following = presentations.next()
        guard let current else {
            isShown = false
            return
        }
        let assigned = ticks?.assign(
            from: current.start.seconds, until: following?.start.seconds, current.direction)
        isShown = assigned?.ticks.isEmpty != true
    }
}
