import Alignment
import Foundation
import Media

/// The onsets and beats of a sound: where sounds begin, and the pulse that one would tap to.
///
/// ```
///  sound ──► OnsetStrength ──► OnsetDetector ──┬──► onsets
///                                              └──► TempoPath ──► BeatTracker ──► beats
/// ```
public struct Beats: Sendable, Codable, Equatable {
    /// A part of the sound in which the tempo stays.
    public struct Section: Sendable, Codable, Equatable {
        /// The first beat, in seconds.
        public let start: Double
        /// The last beat, in seconds.
        public let end: Double
        /// Beats per minute.
        public let tempo: Double
    }

    /// When sounds begin, in seconds of the asset's time.
    public let onsets: [Double]
    /// When beats are, in seconds of the asset's time. Empty if the sound has no pulse, such as speech.
    public let beats: [Double]
    /// Beats per minute in the longest part with one tempo; nil without beats.
    public let tempo: Double?
    /// The parts with one tempo, in order.
    public let sections: [Section]

    /// Finds the beats of the first audio track, with all channels mixed.
    ///
    /// Clicks and tones that begin at once are found to within 5 ms.
    ///
    /// - Parameter checkCancelled: called for each block of samples; the error that it throws stops the work.
    /// - Throws: ``MediaError`` when there is no audio track, or when it can't be decoded; what `checkCancelled`
    ///   throws.
    /// - Complexity: O(n) in the duration. The sound is decoded once; the memory is about 10 MB for an hour.
    public init(of asset: Asset, checkCancelled: () throws -> Void = {}) throws {
        guard !asset.audioStreams.isEmpty else {
            throw MediaError(
                .noUsableStream, file: asset.path, reason: "it has no audio track to find beats in")
        }
        try self.init(of: try MonoSound(of: asset), checkCancelled: checkCancelled)
    }

    /// Finds the beats of a sound.
    ///
    /// - Throws: ``AlignmentError`` when the sample rate is below 1000 Hz; what `checkCancelled` and the sound throw.
    public init(of sound: MonoSound, checkCancelled: () throws -> Void = {}) throws {
        guard sound.sampleRate >= OnsetStrength.lowestSampleRate else {
            throw AlignmentError(
                .unsupportedRate,
                "the sample rate is \(sound.sampleRate) Hz; beats are found from 1000 Hz on")
        }
        let detector = try OnsetDetector(sound, checkCancelled: checkCancelled)
        onsets = detector.onsets.map { Self.rounded($0.time) }
        let path = try TempoPath(detector.excess, checkCancelled: checkCancelled)
        guard detector.onsets.count >= Self.fewest, path.clarity >= Self.leastClarity else {
            (beats, tempo, sections) = ([], nil, [])
            return
        }
        let tracker = try BeatTracker(detector.excess, path, checkCancelled: checkCancelled)
        beats = BeatPlacing(tracker.frames, onsets: detector.onsets).times.map(Self.rounded)
        sections = Self.sections(beats)
        tempo = sections.max { $0.end - $0.start < $1.end - $1.start }?.tempo
    }

    /// Fewer onsets don't make a pulse.
    private static let fewest = 4
    /// The least ``TempoPath/clarity`` of a sound with a pulse.
    private static let leastClarity = 0.15

    /// Rounded to a hundredth of a millisecond, which keeps files short.
    private static func rounded(_ seconds: Double) -> Double {
        (seconds * 1e5).rounded() / 1e5
    }
}
