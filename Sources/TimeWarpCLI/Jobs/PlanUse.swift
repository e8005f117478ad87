import Media
import TimeWarp

/// What becomes of the plan that a command makes, instead of its render.
enum PlanUse: Sendable {
    /// A worker renders a piece of it.
    case piece(PieceTask)
    /// Its pieces are joined.
    case join(RenderedPieces, overwrite: Bool, progress: ProgressStyle)

    /// That of the command that runs now; nil to render.
    @TaskLocal static var current: PlanUse?

    /// What is done about an output that exists: a piece leaves it alone, and only `join --overwrite` replaces it. Nil if
    /// the command's own options decide.
    static var existing: ExistingOutput? {
        switch current {
        case .piece: .overwrite
        case .join(_, let overwrite, _): overwrite ? .overwrite : .refuse
        case nil: nil
        }
    }
}

/// A piece that is to be rendered.
struct PieceTask: Sendable {
    let piece: PlannedPiece
    /// What tells the job from others.
    let identity: String
    /// The file that the piece becomes.
    let path: String
    /// Called while it is rendered.
    let progress: @Sendable (RenderProgress) -> Void
}
