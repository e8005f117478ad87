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
    /// A warning if the container can't store a stream's rotation; else nil.
    func rotationWarning(of stream: Asset.Stream) -> String? {
        guard stream.rotation != 0, !holdsRotation else {
            return nil
        }
        return "a .\(rawValue) file can't store that the video is rotated by "
            + "\(Int(stream.rotation))°; .mp4 and .mov can"
    }
}
