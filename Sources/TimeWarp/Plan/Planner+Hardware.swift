import Media

/// Chooses encoders and decoders on hardware.
extension Planner {
    /// What decodes a stream: hardware only if it is asked for, and makes the same frames.
    ///
    /// - Throws: ``MediaError`` if a kind of hardware is asked for by name, and doesn't.
    mutating func hardware(
        for stream: Asset.Stream, of asset: Asset
    ) throws -> HardwareDecoding {
        let wanted = settings.resources.hardwareDecoding
        // A file may be measured elsewhere than where it was made.
        guard wanted != .off, purpose == .rendering else {
            return .off
        }
        let key = StreamKey(path: asset.path, index: stream.index)
        if let known = decoders[key] {
            return known
        }
        let found = try wanted.trial(of: asset, stream: stream)
        decoders[key] = found
        note(
            found == .off
                ? "no hardware decodes \(asset.path) to the frames that software makes here: software decodes it"
                : "\(found.rawValue) decodes \(asset.path)")
        return found
    }

    /// Throws if hardware is asked for where the encoder must write the same on every machine, or what fits to the source's packets.
    func requireWholeForHardware() throws {
        guard settings.video.hardware != .off else {
            return
        }
        let reason: String? =
            settings.resources.isCut
            ? "what hardware encodes isn't reproducible, so it isn't encoded in pieces"
            : settings.video.keepsPackets
                ? "hardware can't continue from packets that are kept" : nil
        if let reason {
            throw MediaError(
                .incompatible, file: destination, reason: reason,
                remedy: "Leave \(.hardware) out, or encode it all at once")
        }
    }

    /// A track with the first encoder on hardware that works here, of those that are asked for.
    ///
    /// - Throws: ``MediaError`` if a kind of hardware is asked for by name, and doesn't work.
    mutating func onHardware(
        _ track: RenderPlan.VideoTrack
    ) throws -> RenderPlan.VideoTrack {
        let wanted = settings.video.hardware
        guard wanted != .off, purpose == .rendering, !settings.output.isStream,
            case .encoded(let codec, _) = track.making
        else {
            return track
        }
        let encoders = EncoderDescription.all.filter {
            $0.codec == codec && $0.hardware != nil && [$0.hardware, .auto].contains(wanted)
        }
        var failures: [MediaError] = []
        for encoder in encoders {
            do {
                let found = try track.encoded(by: encoder, settings, container, destination)
                if let stored = found.pixelFormat {
                    note(Self.losses(from: track.format.pixelFormat, to: stored, codec: codec))
                }
                note("\(encoder.name) encodes the video: what hardware writes isn't reproducible")
                return found
            } catch let error as MediaError {
                failures.append(error)
            }
        }
        guard wanted == .auto else {
            try encoders.forEach(validate)
            throw MediaError(
                .unsupported, file: destination,
                reason: failures.first?.reason
                    ?? "\(wanted.rawValue) has no encoder for \(codec.rawValue)",
                remedy: "Choose \(.hardware) auto, or another \(.videoCodec)")
        }
        try validate(codec.encoder)
        note("no hardware encodes \(codec.rawValue) here: \(codec.encoder.name) does")
        return track
    }
}

extension RenderPlan.VideoTrack {
    /// The track by another encoder, which has been opened to see that it works.
    fileprivate func encoded(
        by encoder: EncoderDescription, _ settings: RenderSettings, _ container: Container,
        _ path: String
    ) throws -> RenderPlan.VideoTrack {
        var track = self
        track.encoder = encoder
        let stored = try VideoEncoder.pixelFormat(
            for: format.pixelFormat, by: encoder, in: container,
            wanted: settings.video.pixelFormat.map(encoder.stored), path: path)
        track.making = .encoded(encoder.codec, stored)
        _ = try VideoEncoder(
            FrameCoding(track, as: encoder.codec), settings, endsTrack: true, threads: 1,
            for: container, path: path)
        return track
    }
}
