import Synchronization

/// Adds up what the encoders of a track have written, in whatever order they do.
final class WrittenProgress: Sendable {
    private let written = Mutex((seconds: 0.0, frames: Int64(0)))
    private let meter: ProgressMeter?

    /// - Parameter meter: nil for tracks that don't lead the progress.
    init(_ meter: ProgressMeter?) {
        self.meter = meter
    }

    var isShown: Bool { meter != nil }

    /// Says that a frame was written, and for how long it is shown.
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
