import Media
import TimeMaps

/// Plans streams whose packets are copied.
extension Planner {
    /// The plan for copying every packet of a file.
    mutating func planCopy(of asset: Asset) throws -> RenderPlan {
        note(asset.warnings)
        let kept = asset.streams.filter { container.holdsPackets(of: $0) }
        note(
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
        try requireHeld(needed, of: asset)
        let tracks = try kept.map { try copied($0, of: asset) }
        try noteDelay(of: tracks)
        return RenderPlan(
            source: source, clip: nil, destination: destination, container: container,
            settings: settings, video: [], copied: tracks.filter(\.isTimed), audio: [],
            subtitles: [], attachments: tracks.filter { !$0.isTimed },
            chapters: container.holdsChapters ? asset.chapters : [], tags: asset.tags,
            outputDuration: asset.duration.seconds, exactOutputDuration: asset.duration,
            warnings: warnings)
    }

    /// The video and subtitles that are copied without changes.
    mutating func planCopied() throws -> [RenderPlan.CopiedTrack] {
        guard case .copied = settings.video.mode, let asset = videoAsset else {
            return []
        }
        let streams = try asset.streams.filter { stream in
            let isHeld = container.holdsPackets(of: stream)
            switch stream.content {
            case .video:
                guard isHeld else {
                    throw MediaError(
                        .incompatible, file: destination,
                        reason:
                            "a .\(container.rawValue) file can't hold the \(stream.codecName) "
                            + "video of \(asset.path) without encoding",
                        remedy:
                            "Write .mkv, which can hold nearly everything, or .wav for the sound")
                }
                return true
            case .subtitle:
                if !isHeld {
                    note(
                        "subtitles of stream \(stream.index) (\(stream.codecName)) can't be copied "
                            + "into a .\(container.rawValue) file")
                }
                return isHeld
            case .audio, .attachment, .cover, .other:
                return false
            }
        }
        try requireHeld(streams, of: asset)
        return try streams.map { try copied($0, of: asset) }
    }

    /// A track to which the packets of a stream are copied.
    ///
    /// - Throws: ``MediaError`` if the container can't present them as the file does.
    private func copied(_ stream: Asset.Stream, of asset: Asset) throws -> RenderPlan.CopiedTrack {
        do {
            return RenderPlan.CopiedTrack(
                asset: asset, stream: stream, origin: asset.origin,
                kept: try KeptPackets(of: stream, in: asset, to: container) {
                    try Task.checkCancellation()
                })
        } catch KeptPackets.Refusal.severalEdits {
            throw MediaError(
                .incompatible, file: asset.path,
                reason:
                    "stream \(stream.index) (\(stream.codecName)): the file's edit list plays several "
                    + "parts of it, and packets can't be cut between them",
                remedy: "Encode the video again instead of copying it")
        } catch KeptPackets.Refusal.mustHide {
            throw MediaError(
                .incompatible, file: asset.path,
                reason:
                    "stream \(stream.index) (\(stream.codecName)): the file's edit list hides frames "
                    + "that others refer to, and a .\(container.rawValue) file can't hide them",
                remedy: "Write .mp4 or .mov, or encode the video again instead of copying it")
        }
    }

    /// Notes how late everything is where the container can't state what an encoder adds before the sound.
    private mutating func noteDelay(of tracks: [RenderPlan.CopiedTrack]) throws {
        guard container == .mkv || container == .webm, !MatroskaWriter.statesEncoderDelay else {
            return
        }
        var latest = 0.0
        for track in tracks
        where track.stream.audioFormat != nil && track.stream.codecName != "opus" {
            let reader = try PacketReader(of: track.asset, streams: [track.stream])
            let first = try reader.next()?.packet.presentationSeconds
            latest = max(latest, track.asset.origin.seconds - (first ?? .infinity))
        }
        if latest > 0.0005 {
            note(
                "this FFmpeg can't state in a .\(container.rawValue) file what an encoder adds before the sound: "
                    + "picture and sound stay together, but are \(Int((latest * 1000).rounded())) ms late; "
                    + "\(tracks.contains { $0.stream.videoFormat != nil } ? ".mp4 and .mov" : ".m4a") can"
            )
        }
    }

    /// Throws if the container can't hold the packets of a video or audio track, so that they can be played.
    func requireHeld(_ streams: [Asset.Stream], of asset: Asset) throws {
        // If the output is an audio file, only the audio tracks are copied.
        let timed = streams.filter {
            $0.videoFormat != nil && !container.isAudioOnly || $0.audioFormat != nil
        }
        if let stream = timed.first(where: { !container.holdsPackets(of: $0) }) {
            throw cannotHold(stream, of: asset, because: nil)
        }
        guard purpose == .rendering else {
            return
        }
        let trial = try CopyTrial(
            timed, of: asset, to: container, tryingIn: settings.resources.temporaryFolder)
        if let objection = trial.objection {
            throw cannotHold(objection.stream, of: asset, because: objection.reason)
        }
    }

    private func cannotHold(
        _ stream: Asset.Stream, of asset: Asset, because reason: String?
    ) -> MediaError {
        let others = [Container.mkv, .mov, .mp4].filter {
            $0 != container && $0.holdsPackets(of: stream)
        }
        let names = others.map { "." + $0.rawValue }.joined(separator: " or ")
        return MediaError(
            .incompatible, file: destination,
            reason:
                "a .\(container.rawValue) file can't hold the \(stream.codecName) \(stream.kindName)"
                + " (stream \(stream.index)) of \(asset.path) without encoding"
                + (reason.map { ": \($0)" } ?? ""),
            remedy: others.isEmpty
                ? "Encode it again instead of copying it"
                : "Write \(names), or encode it again instead of copying it")
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
