import Synchronization

/// Adds up what the encoders of a track have written, in any order.
final class WrittenProgress: Sendable {
    private let written = Mutex((seconds: 0.0, frames: Int64(0)))
    private let meter: ProgressMeter?

    /// Starts at zero.
    ///
    /// - Parameter meter: nil for tracks that don't report the progress.
    init(_ meter: ProgressMeter?) {
        self.meter = meter
    }

    /// The time between previews; nil for none.
    var secondsBetweenPreviews: Double? { meter?.secondsBetweenPreviews }

    /// Adds a frame, with the duration of its presentation in output seconds.
    func wrote(lasting seconds: Double) {
        let total = written.withLock { written in
            written.seconds += seconds
            written.frames += 1
            return written
        }
        meter?.reached(total.seconds, frames: total.frames)
    }

    func show(_ preview: PreviewImage) {
        meter?.show(preview)
    }
}
