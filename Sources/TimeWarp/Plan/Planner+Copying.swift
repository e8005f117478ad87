import Media
import TimeMaps

/// Plans streams whose packets are copied.
extension Planner {
    /// A track to which the packets of a stream are copied.
    ///
    /// - Throws: ``MediaError`` if the container can't present them as the file does.
    func copied(_ stream: Asset.Stream, of asset: Asset) throws -> RenderPlan.CopiedTrack {
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
    mutating func noteDelay(of tracks: [RenderPlan.CopiedTrack]) throws {
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
