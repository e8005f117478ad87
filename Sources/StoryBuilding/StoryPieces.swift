import Foundation
import Media
import TimeWarp

/// A build in pieces, on many machines. Each piece makes some of the story's media files.
extension StoryBuilder {
    /// The pieces, in order: as many as the settings say, or fewer, because a media file isn't cut. They have about the
    /// same number of frames.
    ///
    /// - Parameter output: the output's path; a temporary folder is made beside it.
    /// - Throws: as ``build(to:joining:progress:)``.
    public func plannedPieces(besides output: String) throws -> [PlannedPiece] {
        try requireNoErrors()
        let work = try WorkFolder(beside: output + ".plan", overwriting: .refuse)
        return pieces(
            of: try SegmentRendering(project, settings: settings, in: work) { _ in }.layout())
    }

    private func pieces(of layout: StoryLayout) -> [PlannedPiece] {
        let frames = layout.parts.map(\.frames)
        let total = frames.reduce(0, +)
        var pieces: [PlannedPiece] = []
        var first = 0
        var left = total
        while first < frames.count {
            let wanted = left / max(1, (settings.resources.pieces ?? 1) - pieces.count)
            var (end, own) = (first + 1, frames[first])
            while end < frames.count, own + frames[end] / 2 <= wanted {
                own += frames[end]
                end += 1
            }
            pieces.append(
                PlannedPiece(
                    index: pieces.count, files: first..<end,
                    share: Double(own) / Double(max(1, total))))
            left -= own
            first = end
        }
        return pieces
    }

    /// Renders a piece into a file, which appears under its name only when it is complete. A file that is there is
    /// replaced.
    ///
    /// - Parameters:
    ///   - piece: one of ``plannedPieces(besides:)``, of the same story and settings.
    ///   - identity: what tells the job from others, without spaces.
    /// - Throws: as ``build(to:joining:progress:)``.
    public func render(
        _ piece: PlannedPiece, to path: String, identity: String,
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws {
        let work = try WorkFolder(beside: path + ".files", overwriting: .refuse)
        try work.makeFolder("media")
        let rendering = try SegmentRendering(
            project, settings: settings, in: work, progress: progress)
        let layout = try rendering.layout()
        guard let files = piece.files, pieces(of: layout).contains(piece) else {
            throw MediaError(
                .changed, file: project.path,
                reason: "it has other media files than its plan says for piece \(piece.index)",
                remedy: "Plan the job again")
        }
        let writer = try PieceWriter(path, plan: identity, index: piece.index)
        for index in files {
            rendering.warnings = []
            let head = try await rendering.render(layout, index)
            try writer.add(.format, track: 0, Array(head))
            let file = layout.parts[index].file
            let reader = try ByteReader(work.path(file))
            while let bytes = try reader.next(upTo: 4 << 20) {
                try writer.add(.packet, track: 0, bytes)
            }
            try writer.add(rendering.warnings, track: 0)
            try work.remove(file)
        }
        try writer.publish()
    }
}

extension SegmentRendering {
    /// Takes all media files out of pieces.
    ///
    /// - Returns: the initialisation segment of each.
    func unpack(_ pieces: RenderedPieces, _ parts: [StoryMediaPart]) throws -> [Data] {
        var heads: [Data] = []
        var file: AtomicFile?
        try pieces.read(pieces.pieces.map(\.index), track: 0) { record, path in
            try Task.checkCancellation()
            switch record.kind {
            case .format:
                guard heads.count < parts.count else {
                    throw PieceFile.damaged(path, "it has more files than the story")
                }
                file = try AtomicFile(
                    at: work.path(parts[heads.count].file), existing: .overwrite)
                heads.append(Data(record.bytes))
            case .packet:
                try file?.write(record.bytes)
            case .tally:
                try file?.publish()
                warnings += try JSONDecoder().decode([String].self, from: Data(record.bytes))
            case .plan, .end: break
            }
        }
        guard heads.count == parts.count else {
            throw MediaError(
                .changed, file: project.path,
                reason: "it has \(parts.count) media files, and its pieces have \(heads.count)",
                remedy: "Plan the job again")
        }
        return heads
    }
}
