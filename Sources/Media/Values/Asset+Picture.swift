import TimeMaps

extension Asset {
    /// How long a picture may be on a timeline.
    private static let longestPicture = RationalTime.seconds(86_400)

    /// Whether it is a photo or a drawing: one frame without sound, which is said to last no longer than a second.
    package var isPicture: Bool {
        streams.count == 1 && (duration.seconds <= 1 || duration == Self.longestPicture)
            && streams[0].videoFormat != nil && streams[0].frameCount == 1
    }

    /// How much of it is used where nothing else is said: all; 5 s of a picture, as editors do.
    package var usualDuration: RationalTime { isPicture ? .seconds(5) : duration }

    /// The asset as it is placed on a timeline: a picture lasts as long as its place asks for, up to a day.
    package var placeable: Asset {
        guard isPicture else {
            return self
        }
        var still = self
        still.duration = Self.longestPicture
        still.streams[0].end = still.duration
        return still
    }
}
