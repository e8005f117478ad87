import Media

extension Asset.Stream {
    /// The kind of subtitles; nil if the stream has none.
    var subtitleKind: Asset.SubtitleKind? {
        guard case .subtitle(let kind) = content else {
            return nil
        }
        return kind
    }
}

extension Container {
    /// A sentence on each thing that a player has to know of a video, and that the container can't store.
    func losses(of stream: Asset.Stream) -> [String] {
        var losses: [String] = []
        if stream.rotation != 0, !holdsRotation {
            losses.append(
                "a .\(rawValue) file can't store that the video is rotated by "
                    + "\(Int(stream.rotation))°; .mp4 and .mov can")
        }
        if stream.isSpherical, !holdsSphere {
            losses.append(
                "a .\(rawValue) file can't store that the video is a sphere (360°); .mp4 and .mkv can"
            )
        }
        return losses
    }
}
