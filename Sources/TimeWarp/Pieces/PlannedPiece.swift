import Media

/// A piece of a render: what it makes, and about how much work it is.
public struct PlannedPiece: Sendable, Codable, Hashable {
    /// Counted from 0.
    public let index: Int
    /// The range that this piece encodes, for each video track it contributes to.
    public let video: [Cut]
    /// Whether it makes the sound.
    public let sound: Bool
    /// Of a story, the media files that it makes, counted from 0; nil for other renders.
    public let files: Range<Int>?
    /// Its share of the work for video, from 0 to 1; 0 for sound.
    public let share: Double

    package init(
        index: Int, video: [Cut] = [], sound: Bool = false, files: Range<Int>? = nil, share: Double
    ) {
        (self.index, self.video, self.sound) = (index, video, sound)
        (self.files, self.share) = (files, share)
    }

    /// A part of a video track.
    public struct Cut: Sendable, Codable, Hashable {
        /// The track, counted from 0.
        public let track: Int
        /// The first tick of the track: frames of a fixed rate, or the ticks of a variable one.
        public let from: Int64
        /// The tick at which the next piece begins; nil for the last piece of a track with a variable rate.
        public let to: Int64?
        /// How many presentations of source frames are decoded for it; 0 for black and mixed clips.
        public let presentations: Int
    }
}

extension RenderPlan {
    /// The pieces of the render, in order, exactly as ``PieceRenderer`` makes them.
    ///
    /// - Complexity: O(frames); about a microsecond each.
    public func plannedPieces() throws -> [PlannedPiece] {
        let tracks = video.map(\.chunks)
        let counts = tracks.map(\.count)
        let total = tracks.joined().reduce(0) { $0 + $1.cost }
        let layout = pieceLayout(videoCount: counts.max() ?? 0)
        return (0..<layout.count).map { index in
            let chunks = tracks.enumerated().compactMap { track, chunks in
                index < chunks.count ? (track, chunks[index]) : nil
            }
            let cost = chunks.reduce(0) { $0 + $1.1.cost }
            return PlannedPiece(
                index: index, video: chunks.map { PlannedPiece.Cut($1, track: $0) },
                sound: index == layout.soundPiece,
                share: total > 0 ? Double(cost) / Double(total) : 0)
        }
    }

    private func pieceLayout(videoCount: Int) -> PieceLayout {
        PieceLayout(
            videoCount: videoCount, hasSound: !audio.isEmpty,
            isWhole: settings.resources.pieces == 1)
    }

    /// Throws unless this is a piece of the render.
    func requirePiece(_ piece: PlannedPiece) throws {
        let pieces = try plannedPieces()
        guard pieces.indices.contains(piece.index), pieces[piece.index] == piece else {
            throw MediaError(
                .damaged, file: sourceName,
                reason: "piece \(piece.index) would be cut elsewhere than the plan says",
                remedy: "Plan the job again with this program")
        }
    }

    /// Why there are fewer pieces than the settings ask for, or unequal ones: sentences.
    ///
    /// - Parameter pieces: those of ``plannedPieces()``.
    /// - Complexity: O(frames); about a microsecond each.
    public func pieceNotes(_ pieces: [PlannedPiece]) -> [String] {
        var notes = video.enumerated().compactMap { number, track in
            track.whyUncut.map { "video track \(number) isn't cut: \($0)" }
        }
        if let wanted = settings.resources.pieces, pieces.count < wanted {
            let count = pieces.count == 1 ? "there is 1 piece" : "there are \(pieces.count) pieces"
            let reason =
                if video.contains(where: { $0.cutting != nil }) {
                    ": the video has too few places for cuts"
                } else if video.isEmpty {
                    pieces.isEmpty ? ": nothing is encoded" : ": sound isn't cut"
                } else {
                    ""
                }
            notes.append("\(count), not \(wanted)\(reason)")
        }
        let largest = pieces.max { $0.share < $1.share }
        let even = 1 / Double(max(1, pieces.filter { !$0.video.isEmpty }.count))
        if let largest, largest.share > 2 * even, let reason = whyLarge(largest) {
            let percent = Int((largest.share * 100).rounded())
            notes.append("piece \(largest.index) has \(percent) % of the video's work: \(reason)")
        }
        return notes
    }

    /// What can't be cut in a piece that has more work than others.
    private func whyLarge(_ piece: PlannedPiece) -> String? {
        let tracks = piece.video.map { video[$0.track] }.filter { $0.cutting != nil }
        let runs = tracks.flatMap { $0.chunk(piece.index).chunk?.runs ?? [] }
        guard let run = runs.max(by: { $0.cost < $1.cost }) else {
            return nil
        }
        if !run.mixed.isEmpty {
            return "clips that dissolve or are seen through each other aren't cut"
        }
        // Otherwise a chunk ends before the presentation that would make it too large.
        return run.frames == nil ? "a gap isn't cut" : "a frame that is shown for long isn't cut"
    }
}

extension PlannedPiece.Cut {
    init(_ chunk: Chunk, track: Int) {
        self.init(
            track: track, from: chunk.runs.first?.firstTick ?? 0, to: chunk.runs.last?.endTick,
            presentations: chunk.runs.reduce(0) { $0 + ($1.presentations?.count ?? 0) })
    }
}

extension RenderPlan.VideoTrack {
    /// All chunks; one with everything if the track is encoded in one go, none if it isn't encoded.
    ///
    /// They are read one by one, so that not all presentations are in memory.
    fileprivate var chunks: [Chunk] {
        guard case .encoded = making else {
            return []
        }
        guard let cutting else {
            return [Chunk(runs: segments.map { EncodedRun(all: $0) }, isLast: true, cost: 1)]
        }
        var cutter = ChunkCutter(segments, cutting)
        var chunks: [Chunk] = []
        while let chunk = cutter.next() {
            chunks.append(chunk)
        }
        return chunks
    }

    /// The output seconds, in order, in which the track shows frames whose packets are kept.
    package var keptTimes: [Range<Double>] {
        guard keeping?.seam != nil else {
            return []
        }
        // From the middle between two frames to the next, so that no time is at a range's end.
        let (lasts, half) = (timing.timeBase.seconds, timing.timeBase.seconds / 2)
        return chunks.flatMap(\.runs).filter { $0.kept != nil }.map { run in
            let start = Double(run.firstTick) * lasts + offset.seconds - half
            return start..<start + Double((run.endTick ?? run.firstTick) - run.firstTick) * lasts
        }
    }

    fileprivate var whyUncut: String? {
        guard case .encoded = making else {
            return "its packets are copied, which takes little work"
        }
        return cutting == nil ? "the file doesn't say when each of its frames is presented" : nil
    }
}

extension EncodedRun {
    /// The first tick on the track.
    fileprivate var firstTick: Int64 {
        place?.ticks.lowerBound
            ?? (part.ticks.isEmpty ? presentations?.first?.start.tick ?? 0 : part.ticks.lowerBound)
    }

    /// The tick on the track at which the next run begins; nil if the track ends with the last frame's own duration.
    fileprivate var endTick: Int64? {
        place?.ticks.upperBound ?? (part.ticks.isEmpty ? part.endTick : part.ticks.upperBound)
    }
}
