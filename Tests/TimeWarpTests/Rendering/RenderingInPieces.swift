import TestSupport

@testable import TimeWarp

extension Renderer {
    /// Renders the pieces of a plan one after another into a folder, and joins them.
    func render(_ plan: RenderPlan, inPiecesIn folder: TemporaryFolder) async throws {
        let pieces = try plan.plannedPieces()
        for piece in pieces {
            try await PieceRenderer(plan, identity: "plan")
                .render(piece, to: folder.path("\(piece.index)")) { _ in }
        }
        let rendered = RenderedPieces(pieces, identity: "plan") { folder.path("\($0)") }
        for try await _ in run(plan, joining: rendered) {}
    }
}
