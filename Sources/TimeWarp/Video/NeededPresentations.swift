/// The presentations that are needed for the frames of a fixed rate. The frames of the others need not be
/// decoded.
///
/// ```
/// frames   A─B─C─D─E─F─G─H─I─J─K─L        more frames than ticks
/// ticks    0     1     2     3            held: A D G J; blended: A B C D E F … with neighbours
/// ```
/// Skipping the others doesn't change the ticks of those that remain.
final class NeededPresentations: IteratorProtocol {
    private var presentations: Presentations
    private var ticks: TickAssignment
    private let needsNeighbours: Bool
    private var current: Presentation?
    private var following: Presentation?
    private var wasShown = false
    private var isShown = false
    /// How many presentations were skipped so far.
    private(set) var leftOut: Int64 = 0

    /// Finds the needed ones among `presentations`.
    ///
    /// - Parameter settings: without a shutter, which needs all of them.
    init(_ presentations: Presentations, _ settings: RenderSettings, ticks: TickAssignment) {
        self.presentations = presentations
        self.ticks = ticks
        needsNeighbours = settings.frames.usesNeighbours
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
            leftOut += 1
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
        isShown = !ticks.turn(
            from: current.start.seconds, until: following?.start.seconds, current.direction
        ).ticks.isEmpty
    }
}
