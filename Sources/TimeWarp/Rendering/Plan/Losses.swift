import Media

extension Asset.Stream {
    /// Nil for anything but subtitles.
    var subtitleKind: Asset.SubtitleKind? {
        guard case .subtitle(let kind) = content else {
            return nil
        }
        return kind
    }
}

extension Container {
    /// What is lost of a stream's rotation.
    func rotationWarning(of stream: Asset.Stream) -> String? {
        guard stream.rotation != 0, !holdsRotation else {
            return nil
        }
        return "a .\(rawValue) file can't say that the picture is turned by "
            + "\(Int(stream.rotation))°; .mp4 and .mov can"
    }
}
