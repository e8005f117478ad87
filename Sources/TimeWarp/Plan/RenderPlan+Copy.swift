import Media

extension RenderPlan {
    /// Makes the plan for copying every packet of a file to another container, without encoding it. The first
    /// packets are written to a small temporary file, to see whether they can be read back.
    ///
    /// - Parameter settings: of these count ``RenderSettings/Output-swift.struct/existing``, ``RenderSettings/Output-swift.struct/keepsMetadata`` and
    ///   ``RenderSettings/Output-swift.struct/putsIndexFirst``.
    /// - Throws: ``MediaError`` if the destination exists (and may not be replaced) or is the input, or the
    ///   container can't hold the video and audio tracks as the file presents them.
    public init(
        copying asset: Asset, to destination: String, settings: RenderSettings = RenderSettings()
    ) throws {
        try self.init(copying: asset, to: destination, settings: settings, for: .rendering)
    }

    /// - Parameter purpose: whether the destination will be written, or exists and is measured.
    init(
        copying asset: Asset, to destination: String, settings: RenderSettings,
        for purpose: Planner.Purpose
    ) throws {
        var planner = try Planner(destination, settings, for: purpose)
        let container = planner.container
        try planner.requireWritable(reading: asset)
        planner.note(asset.warnings)
        let kept = asset.streams.filter { container.holdsPackets(of: $0) }
        planner.note(
            asset.streams.filter { !container.holdsPackets(of: $0) }.map {
                "stream \($0.index) (\($0.kindName), \($0.codecName)) is dropped: "
                    + "a .\(container.rawValue) file can't hold it"
            } + kept.flatMap(container.losses))
        guard !kept.isEmpty else {
            throw MediaError(
                .incompatible, file: destination,
                reason: "a .\(container.rawValue) file can hold none of the input's streams",
                remedy: "Copy to .mkv, which can hold nearly everything")
        }
        // What nobody here can decode is no reason to refuse the rest.
        let needed = asset.streams.filter { $0.isDecodable || container.holdsPackets(of: $0) }
        try planner.requireHeld(needed, of: asset)
        let tracks = try kept.map { try planner.copied($0, of: asset) }
        try planner.noteDelay(of: tracks)
        self.init(
            timeline: .copy(of: asset), destination: destination, container: container,
            settings: settings, video: [], copied: tracks.filter(\.isTimed), audio: [],
            subtitles: [], attachments: tracks.filter { !$0.isTimed },
            chapters: container.holdsChapters ? asset.chapters : [], tags: asset.tags,
            outputDuration: asset.duration.seconds, warnings: planner.warnings)
    }
}

extension RenderPlan.CopiedTrack {
    /// Whether its packets have times.
    fileprivate var isTimed: Bool {
        switch stream.content {
        case .video, .audio, .subtitle, .other: true
        case .attachment, .cover: false
        }
    }
}
