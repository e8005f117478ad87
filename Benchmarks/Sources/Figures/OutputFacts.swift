/// Facts about a file that a program wrote.
public struct OutputFacts: Equatable, Sendable {
    public var bytes = 0
    /// Nil without video.
    public var frames: Int?
    /// Nil without sound.
    public var sound: Sound?

    public struct Sound: Equatable, Sendable {
        /// Samples of one channel.
        public let samples: Int
        public let sampleRate: Int
        /// In decibels below full scale.
        public let peak: Double

        public init(samples: Int, sampleRate: Int, peak: Double) {
            self.samples = samples
            self.sampleRate = sampleRate
            self.peak = peak
        }

        public var seconds: Double { Double(samples) / Double(sampleRate) }
        /// Whether nobody could hear the sound.
        public var isSilent: Bool { peak < -80 }
    }

    public init() {}
}

extension OutputFacts {
    /// Why the two can't be compared directly: frame counts that differ by more than one, sizes that differ
    /// by more than a tenth, sound that is missing, silent or of another length.
    public func differences(from theirs: OutputFacts) -> [String] {
        var notes: [String] = []
        if let frames, let other = theirs.frames, abs(frames - other) > 1 {
            notes.append("\(frames) frames against \(other)")
        }
        if let difference = relativeDifference(Double(bytes), from: Double(theirs.bytes)),
            abs(difference) > 0.1
        {
            notes.append("our size \(percent(difference))")
        }
        return notes + soundDifferences(from: theirs)
    }

    private func soundDifferences(from theirs: OutputFacts) -> [String] {
        guard let sound, let other = theirs.sound else {
            guard sound == nil && theirs.sound == nil else {
                return [sound == nil ? "our sound is missing" : "their sound is missing"]
            }
            return []
        }
        var notes: [String] = []
        if sound.isSilent { notes.append("our sound is silent") }
        if other.isSilent { notes.append("their sound is silent") }
        if sound.sampleRate != other.sampleRate {
            notes.append("their sound is at \(other.sampleRate) Hz")
        }
        // Two coded AAC frames: encoders may add that much padding at either end.
        if abs(sound.seconds - other.seconds) > 2 * 1024 / Double(sound.sampleRate) {
            notes.append("sound of \(sound.seconds) s against \(other.seconds) s")
        }
        return notes
    }
}
