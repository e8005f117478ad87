/// Which piece of a render makes what.
///
/// ```
/// --pieces 4, with sound       0 │ 1 │ 2   video, one after another
///                              3           all sound
/// ```
/// The sound is a piece of its own, the last, so that N pieces are N in all. A single piece makes everything.
public struct PieceLayout: Sendable, Hashable {
    /// How many pieces there are.
    public let count: Int
    /// How many of them make video.
    public let videoCount: Int
    /// The piece that makes the sound; nil without sound.
    public let soundPiece: Int?

    /// - Parameter videoCount: into how many pieces the video is cut; 0 if none is encoded.
    init(videoCount: Int, hasSound: Bool, isWhole: Bool) {
        self.videoCount = videoCount
        guard hasSound else {
            (count, soundPiece) = (videoCount, nil)
            return
        }
        soundPiece = isWhole && videoCount == 1 ? 0 : videoCount
        count = (soundPiece ?? 0) + 1
    }

    /// Into how many pieces video is cut, if there are this many in all.
    static func videoCount(of pieces: Int, hasSound: Bool) -> Int {
        hasSound ? max(1, pieces - 1) : max(1, pieces)
    }
}
