import Media

extension RenderPlan {
    /// What the plan knows of a file, as bytes from which ``KnownFile`` is restored; nil if the plan doesn't read the
    /// file as media, or if the bytes couldn't restore it exactly.
    package func known(_ path: String, _ fingerprint: FileFingerprint) throws -> [UInt8]? {
        guard let asset = inputs.first(where: { $0.path == path }) else {
            return nil
        }
        var indices: [Int: PacketIndex] = [:]
        for frames in video.flatMap(\.sources) where frames.clip.asset.path == path {
            indices[frames.stream.index] = frames.index
        }
        let bytes = try KnownFile(asset, indices: indices, fingerprint: fingerprint).stored()
        // A pixel format or a channel layout may have no name.
        return try KnownFile(stored: bytes, at: path)?.stored() == bytes ? bytes : nil
    }
}
